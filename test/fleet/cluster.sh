#!/bin/bash
# Brings up a Slurm cluster of two nodes on this machine, runs a command, and takes the
# cluster down again, however the command or this script ends.
#
#	cluster.sh COMMAND [ARGUMENT]...
#
# COMMAND finds in $CLUSTER what belongs to the cluster: the logs of the daemons, and in
# n1.pid and n2.pid the process whose death takes a node and all its jobs with it. With
#
#	cluster.sh --node NAME [DIR]
#
# COMMAND starts a node again and waits until it dies. DIR, if given, is a disk of 32 KiB
# of the node's own.
#
# It must run as root, needs no systemd, and keeps all processes in namespaces of their own:
# they cannot outlive it, and clusters share no ports.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

needs=(munged:munge slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client unshare:util-linux setpriv:util-linux ip:iproute2 flock:util-linux jq:jq)

# alone runs a command that is killed if this process dies, as the first process of a PID
# namespace: when it dies, all processes that it has started die.
alone() { exec setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc "$@"; }

node() {
	mkdir -p "$CLUSTER/spool.$1"
	# shellcheck disable=SC2016 # the shell of the new namespace expands it
	alone bash -c '[ -z "${2-}" ] || mount -t tmpfs -o size=32k none "$2"; exec slurmd -D -N "$1"' \
		node "$@" >"$CLUSTER/$1.out" 2>&1 &
	echo $! >"$CLUSTER/$1.pid"
}

# until_true runs a command again and again until it succeeds.
until_true() {
	local try
	for ((try = 0; try < 300; try++)); do
		! "$@" || return 0
		sleep 0.1
	done
	echo "cluster.sh: gave up waiting for: $*" >&2
	tail -n 20 "$CLUSTER"/*.log "$CLUSTER"/*.out >&2
	return 1
}

idle() { [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; }

up() {
	local host
	host=$(uname -n)
	host=${host%%.*}
	ip link set lo up
	# Slurm resolves no address, not even 127.0.0.1, unless the host has another one.
	ip address add 192.0.2.1/32 dev lo
	export CLUSTER SLURM_CONF=$CLUSTER/slurm.conf
	(umask 077 && head -c 1024 /dev/urandom >"$CLUSTER/munge.key")
	cat >"$SLURM_CONF" <<-END
		ClusterName=fleet
		SlurmctldHost=$host(127.0.0.1)
		SlurmUser=root
		AuthType=auth/munge
		# A task that is requeued starts once its old credential has expired.
		AuthInfo=socket=$CLUSTER/munge.sock,cred_expire=5
		StateSaveLocation=$CLUSTER/state
		SlurmdSpoolDir=$CLUSTER/spool.%n
		SlurmctldPidFile=$CLUSTER/slurmctld.pid
		SlurmdPidFile=$CLUSTER/spool.%n/pid
		SlurmctldLogFile=$CLUSTER/slurmctld.log
		SlurmdLogFile=$CLUSTER/%n.log
		MpiDefault=none
		MailProg=/bin/true
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		SchedulerType=sched/backfill
		SchedulerParameters=bf_interval=1,bf_resolution=1,sched_interval=1,batch_sched_delay=0
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		# A node that does not answer for this many seconds is down.
		SlurmdTimeout=8
		ReturnToService=2
		KillWait=2
		NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[17001-17002] CPUs=2 State=UNKNOWN
		PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	END
	mkdir -p "$CLUSTER/state"
	munged --foreground --force --key-file="$CLUSTER/munge.key" --socket="$CLUSTER/munge.sock" \
		--pid-file="$CLUSTER/munge.pid" --log-file="$CLUSTER/munge.log" --seed-file="$CLUSTER/munge.seed" >"$CLUSTER/munge.out" 2>&1 &
	until_true test -S "$CLUSTER/munge.sock"
	slurmctld -D -c -i >"$CLUSTER/slurmctld.out" 2>&1 &
	node n1
	node n2
	disown -a # or the shell says so when a node is killed
	until_true idle
}

case ${1-} in
--node)
	shift
	node "$@"
	wait $!
	;;
--inside)
	shift
	up
	TMPDIR=$CLUSTER "$@"
	;;
*)
	missing=()
	for need in "${needs[@]}"; do
		command -v "${need%:*}" >/dev/null || missing+=("${need#*:}")
	done
	if [ ${#missing[@]} -gt 0 ]; then
		echo "cluster.sh: missing: ${missing[*]} (names of Debian's packages)" >&2
		exit 2
	fi
	[ "$(id -u)" -eq 0 ] || { echo "cluster.sh: not root" >&2; exit 2; }
	CLUSTER=$(mktemp -dt fleet.XXXXXX)
	chmod 755 "$CLUSTER" # munged refuses others
	export CLUSTER
	alone --net "$0" --inside "$@" &
	trap 'kill -KILL $! 2>/dev/null || true; wait; rm -rf "$CLUSTER"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	wait $!
	;;
esac
