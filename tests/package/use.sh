#!/bin/sh
# use.sh PROGRAM VERSION EXAMPLES SCHEMA: uses an installed program as somebody would who has nothing else of it, in the current folder.
# Plain sh and coreutils: it runs in a minimal system, as a user without rights.
program=$1 version=$2 examples=$3 schema=$4

question=
fail() {
  echo "FAILED: $question: $1"
  exit 1
}
ask() { question=$1 && echo "  $question"; }

ask 'is it the version we packed'
"$program" --version >version || fail 'exit code'
grep -q "^aleator $version " version || fail "$(cat version)"

ask 'does it run without root, and without a source tree'
[ "$(id -u)" != 0 ] || fail 'this is root'
"$program" check "$examples/five-body.yaml" >check.txt 2>&1 || fail "$(cat check.txt)"

ask 'is the installed schema its own'
"$program" schema >schema.json || fail 'exit code'
cmp -s schema.json "$schema/aleator.schema.json" || fail 'they differ'

ask 'does it simulate'
"$program" simulate "$examples/pendulum.yaml" -o pendulum >out.txt 2>&1 || fail "$(cat out.txt)"
[ "$(wc -l <pendulum/nominal.csv)" -gt 200 ] || fail 'nominal.csv is short'

ask 'does it run a study, with its report'
"$program" run "$examples/five-body.yaml" -n 200 -o five-body >out.txt 2>&1 || fail "$(cat out.txt)"
[ -s five-body/results.h5 ] || fail 'no results.h5'
[ "$(wc -c <five-body/report.html)" -gt 500000 ] || fail 'no report, or one without its page'

ask 'do distributions of OpenTURNS load'
{
  sed 's/density: 7800/density: rho/' "$examples/pendulum.yaml"
  echo 'parameters: {rho: 7800, k: 1, s: 1}'
  echo 'uncertain: {rho: {lognormal: {cov: 0.1}}, k: {student: {degrees: 8, cov: 0.1}}, s: {beta: {lower: 0, upper: 2, std: 0.3}}}'
} >lognormal.yaml
"$program" run lognormal.yaml -n 50 -o lognormal >out.txt 2>&1 || fail "$(cat out.txt)"
"$program" run lognormal.yaml --method polynomial-chaos -o chaos >out.txt 2>&1 || fail "$(cat out.txt)"

ask 'does it stop when told to, and resume to the same results'
timeout -s INT 1 "$program" run "$examples/slider-crank.yaml" -n 300 -j 1 --no-report -o stopped >out.txt 2>&1
[ $? -ne 0 ] && [ ! -e stopped/results.h5 ] || fail "it was not interrupted: $(cat out.txt)"
"$program" resume stopped --no-report >out.txt 2>&1 || fail "$(cat out.txt)"
"$program" run "$examples/slider-crank.yaml" -n 300 --no-report -o at-once >out.txt 2>&1 || fail "$(cat out.txt)"
"$program" export stopped statistics >stopped.csv && "$program" export at-once statistics >at-once.csv || fail 'export'
[ -s stopped.csv ] && cmp -s stopped.csv at-once.csv || fail 'the results differ'

ask 'does it refuse a wrong model with file and line'
printf 'bodies:\n  rod: {mas: 1}\n' >wrong.yaml
"$program" check wrong.yaml >out.txt 2>&1 && fail 'it was accepted'
grep -q '^wrong.yaml:2:' out.txt || fail "$(cat out.txt)"

ask 'does it say what is missing under MPI where there is none'
if OMPI_COMM_WORLD_SIZE=2 "$program" run "$examples/five-body.yaml" -n 20 -o mpi >out.txt 2>&1; then fail 'it ran'; fi
grep -q '^aleator: the module aleator_mpi.so does not load: libmpi.so' out.txt || fail "$(cat out.txt)"
