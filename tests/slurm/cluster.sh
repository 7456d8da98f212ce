# shellcheck shell=bash disable=SC2154
# A Slurm cluster of two nodes on this machine, for tests/slurm/run-here.sh, which sources it. Needs root. Everything it writes is
# in the folder $cluster; the daemons are those of Debian's packages, the settings of the machine are not touched.

install_slurm() {
  local packages=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge openmpi-bin)
  dpkg-query -W "${packages[@]}" >/dev/null 2>&1 && return
  # The packages would start daemons of their own.
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 "${packages[@]}"
}

# Two nodes of one processor each, behind two daemons with ports of their own. What is not usual on clusters: processes are
# followed by their parents (no cgroups here), and limits of time are looked at often.
write_configuration() {
  cat >"$cluster/slurm.conf" <<CONF
ClusterName=aleator
SlurmctldHost=$(hostname)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
CredType=cred/munge
SlurmctldPort=16817
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmctldLogFile=$cluster/slurmctld.log
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool-%n
SlurmdPidFile=$cluster/slurmd-%n.pid
SlurmdLogFile=$cluster/slurmd-%n.log
TmpFS=$cluster/tmp-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_min_interval=100000,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
JobRequeue=1
KillWait=10
MinJobAge=3600
ReturnToService=2
NodeName=n1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=16818 CPUs=1 RealMemory=1000
NodeName=n2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=16819 CPUs=1 RealMemory=1000
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
CONF
}

start_cluster() {
  mkdir -p "$cluster"/{munge,state,spool-n1,spool-n2,tmp-n1,tmp-n2}
  chmod 755 "$cluster" "$cluster/munge"
  dd if=/dev/urandom of="$cluster/munge/key" bs=1024 count=1 status=none
  chmod 600 "$cluster/munge/key"
  write_configuration
  export SLURM_CONF=$cluster/slurm.conf
  munged --force --socket="$cluster/munge/socket" --key-file="$cluster/munge/key" --pid-file="$cluster/munge/pid" \
    --log-file="$cluster/munge/log" --seed-file="$cluster/munge/seed" || return
  # Jobs inherit from the daemons which signals are ignored; in the background of a shell SIGINT is.
  env --default-signal=INT,QUIT slurmctld || return
  env --default-signal=INT,QUIT slurmd -N n1 && env --default-signal=INT,QUIT slurmd -N n2 || return
  local tries
  for ((tries = 0; tries < 60; ++tries)); do
    [[ $(sinfo -h -t idle -o %D) == 2 ]] && return
    sleep 0.5
  done
  sinfo
  return 1
}

stop_cluster() {
  [[ -e $cluster/slurm.conf ]] || return
  scancel --user=root 2>/dev/null
  local file
  for file in "$cluster"/{slurmd-n1,slurmd-n2,slurmctld,munge/}*pid; do
    [[ -s $file ]] && kill "$(<"$file")" 2>/dev/null
  done
  sleep 2
}
