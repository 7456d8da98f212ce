#!/usr/bin/env bash
# The scripts of `aleator slurm` under a real Slurm: a campaign, not part of ./test, since it installs Debian packages, needs root
# and starts daemons. It makes a cluster of two nodes on this machine (cluster.sh), submits both forms, interrupts, kills and
# cancels them, and compares what they compute, bit for bit, with a run by one thread. Everything is in a temporary folder, and is
# stopped and removed at the end. Some three minutes on an idle machine.
#
#   tests/slurm/run-here.sh [--limit]   with --limit also a job that runs into its limit of time (four minutes more)
here=$(cd -P -- "$(dirname -- "$0")" && pwd)
root=$(cd -P -- "$here/../.." && pwd)
source "$here/cluster.sh"
((EUID == 0)) || {
  echo "this needs root: it starts the daemons of Slurm" >&2
  exit 77
}
program=$root/build/release/aleator
[[ -x $program ]] || {
  echo "build the program first: $root/aleator --version" >&2
  exit 77
}
install_slurm >/dev/null || exit 77

work=$(mktemp -d) && chmod 755 "$work" || exit 1
cluster=$work/cluster
began=$SECONDS
failures=0
finish() {
  stop_cluster
  if ((failures)); then echo "what was written is in $work"; else rm -rf "$work"; fi
}
trap finish EXIT

check() {  # check WHAT COMMAND...: whether the command succeeds
  local what=$1
  shift
  if "$@" >"$work/check.log" 2>&1; then
    printf '%4d s  ok      %s\n' $((SECONDS - began)) "$what"
  else
    printf '%4d s  FAILED  %s: %s\n' $((SECONDS - began)) "$what" "$*"
    tail -n 5 "$work/check.log"
    failures=$((failures + 1))
  fi
}
until_true() {  # until_true SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || return 1
    sleep 0.3
  done
}
# Slurm lets jobs that are queued again wait for two minutes; here they start after ten seconds, in which what they had is cleaned
# up (sockets of PMIx have the number of the job).
queue_is_empty() {
  local id reason
  while read -r id reason; do
    [[ $reason != BeginTime ]] || { sleep 10 && scontrol update jobid="$id" StartTime=now; }
  done < <(squeue -h -o '%A %r')
  [[ -z $(squeue -h) ]]
}
state() { scontrol show job "$1" | sed -n 's/^ *JobState=\([A-Z]*\).*/\1/p' | sort -u | tr '\n' ' '; }
# Whether two studies have the same numbers, to the last bit: 17 digits of each.
same() {
  local what
  for what in statistics samples scalars; do
    cmp <("$program" export "$1" $what) <("$program" export "$2" $what) || return
  done
}
submit() { sh "$1" >"$work/submitted"; }
job_number() { grep -o 'job [0-9]*' "$work/submitted" | head -n 1 | cut -d' ' -f2; }

start_cluster || {
  echo "Slurm did not start; its logs are in $cluster"
  failures=1
  exit 1
}
echo "Slurm $(sinfo --version | cut -d' ' -f2), $(sinfo -h -o %D) nodes"
cd "$work" || exit 1
built=$(stat -c %y "$program")

# A folder with a space and a quote, as they happen.
mkdir "it's here" && cd "it's here" || exit 1
cp "$root/examples/five-body.yaml" .
# The same with a thousandth of the step: some ten realizations per second, to be interrupted.
sed 's/step: 1e-4, output_step/step: 1e-6, output_step/' five-body.yaml >slow.yaml
slow=160

# --- array ---
"$program" run five-body.yaml --threads 1 --samples 300 --no-report --out reference >/dev/null
"$program" slurm five-body.yaml --nodes 4 --time 5m --samples 300 --out array >/dev/null
submit five-body.slurm
until_true 180 queue_is_empty
check "array by sh: as by one thread" same array reference
rm -rf array
sbatch --parsable five-body.slurm >/dev/null
until_true 180 queue_is_empty
check "array by sbatch: as by one thread" same array reference

"$program" run slow.yaml --threads 1 --samples $slow --no-report --out slow-reference >/dev/null
"$program" slurm slow.yaml --nodes 2 --time 10m --samples $slow --out slow >/dev/null
part_runs() { [[ -n $(find "slow/parts" -name 'unfinished.journal' -path "*$1-of-2*" -size +20k 2>/dev/null) ]]; }

# --- told to save, as before the limit of time ---
submit slow.slurm
job=$(job_number)
until_true 120 part_runs 1
scancel --signal=INT "${job}_1"
until_true 60 grep -q "queued again" slow-1.log
check "told to save, it is queued again" grep -q "queued again" slow-1.log
until_true 600 queue_is_empty
check "… and goes on: as by one thread" same slow slow-reference

# --- killed, and requeued by hand (as after the failure of a node) ---
rm -rf slow slow-*.log
submit slow.slurm
job=$(job_number)
until_true 120 part_runs 1 && until_true 120 part_runs 2
scancel --signal=KILL "${job}_1"
scontrol requeue "${job}_2"
until_true 600 queue_is_empty
check "a part was killed: there is no result" test ! -e slow/results.h5
check "… and no merge" test ! -e slow-merge.log
submit slow.slurm
until_true 600 queue_is_empty
check "submitted again: as by one thread" same slow slow-reference

# --- cancelled ---
rm -rf slow slow-*.log
submit slow.slurm
job=$(job_number)
until_true 120 part_runs 1
scancel "$job"
until_true 60 queue_is_empty
check "cancelled stays cancelled" test "$(state "$job")" = "CANCELLED "
check "… with what was finished kept" part_runs 1
rm -rf slow slow-*.log

# --- MPI ---
"$program" slurm five-body.yaml --nodes 2 --time 5m --samples 300 --form mpi --out mpi -o mpi.slurm >/dev/null
submit mpi.slurm
until_true 180 queue_is_empty
check "MPI by srun and PMIx: as by one thread" same mpi reference
"$program" slurm slow.yaml --nodes 2 --time 10m --samples $slow --form mpi --out slow -o slow-mpi.slurm >/dev/null
submit slow-mpi.slurm
job=$(job_number)
mpi_runs() { [[ -n $(find slow -name unfinished.journal -size +20k 2>/dev/null) ]]; }
until_true 120 mpi_runs
scancel --signal=INT "$job"
until_true 60 grep -q "queued again" slow.log
check "MPI told to save, it is queued again" grep -q "queued again" slow.log
until_true 600 queue_is_empty
check "… and goes on: as by one thread" same slow slow-reference
rm -rf slow slow.log

# --- the launcher ---
check "the jobs have built nothing" test "$(stat -c %y "$program")" = "$built"
mkdir -p "$work/checkout/scripts" && cp "$root/aleator" "$work/checkout" && cp "$root"/scripts/*.sh "$work/checkout/scripts"
srun -n1 "$work/checkout/aleator" --version >launcher.log 2>&1
check "a program that is not built is not built in a job" grep -q "the program must be built first" launcher.log

# --- the limit of time ---
if [[ ${1-} == --limit ]]; then
  "$program" slurm slow.yaml --nodes 2 --time 2m --samples 3000 --out limit -o limit.slurm >/dev/null
  submit limit.slurm
  until_true 300 grep -q "queued again" slow-1.log
  check "near the limit of time it saves, and is queued again" grep -q "queued again" slow-1.log
  scancel --user=root
fi

echo "$failures failures, $((SECONDS - began)) s"
exit $((failures > 0))
