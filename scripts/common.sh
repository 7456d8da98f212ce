# Shared by the scripts that build. Sourced with `root` set to the repository's folder.
# Everything said here goes to stderr: stdout belongs to the program.

build=${root:?}/build/release
program=$build/aleator
announced=               # set when the caller has said what will be installed and built
more_sources=()          # of other targets than the program
stamp=$build/up-to-date  # written after each build: its time is when the build began, its lines the shared libraries

source "$root/scripts/progress.sh"
source "$root/scripts/failure.sh"

say() { printf 'aleator: %s\n' "$*" >&2; }

# 70 (EX_SOFTWARE) means "the launcher failed" and nothing else; the program's own codes are below 10.
die() {
  say "$@"
  exit 70
}

# Many processes start at once under MPI and Slurm: none of them may install or build.
on_cluster() { [[ -n ${OMPI_COMM_WORLD_SIZE-}${PMI_RANK-}${PMIX_RANK-}${SLURM_JOB_ID-} ]]; }

# True when the program is there, no source changed since it was built, and its libraries still exist (they
# may not, when the folder is shared between machines). -cnewer looks at the change time, which also
# notices files that were copied or moved with an old date; folders are listed too, so removals count.
up_to_date() {
  [[ -x $program && -f $stamp ]] || return 1
  local library sources=("${more_sources[@]}" "$root"/{CMakeLists.txt,CMakePresets.json,cmake,src,include,apps,web/src,web/build.mjs,web/package-lock.json,scripts/packages.txt})
  [[ -f $root/.git/logs/HEAD ]] && sources+=("$root/.git/logs/HEAD")  # results record the commit
  [[ -z $(find "${sources[@]}" -cnewer "$stamp" -print -quit 2>&1) ]] || return 1
  while IFS= read -r library; do
    [[ -e $library ]] || return 1
  done <"$stamp"
}

# Waits for other builds in this folder. The lock is released by `unlock` or when the script ends.
lock() {
  command -v flock >/dev/null || die "flock (package util-linux) is missing"
  mkdir -p "$root/build" 2>/dev/null || die "cannot write into $root, where the program is built"
  exec 9>"$root/build/lock" || die "cannot write into $root/build"
  flock -n 9 || {
    say "waiting for another build to finish ..."
    flock 9
  }
}
unlock() { exec 9>&-; }

# find_missing LIST...: the packages of the named lists (scripts/LIST.txt) that are not installed, as `missing`. Node.js often comes from
# elsewhere, and then Debian's packages would be in its way: they are installed only when the commands are missing.
find_missing() {
  local list name installed wanted=() lists=("$@")
  missing=()
  { command -v node && command -v npm; } >/dev/null || lists+=(packages-node)
  for list in "${lists[@]}"; do
    while read -r name _; do
      [[ -z $name || $name == \#* ]] || wanted+=("$name")
    done <"$root/scripts/$list.txt"
  done
  command -v dpkg-query >/dev/null || return
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null)
  for name in "${wanted[@]}"; do
    [[ $'\n'$installed$'\n' == *$'\n'"installed $name"$'\n'* ]] || missing+=("$name")
  done
}

# The missing packages in words: their number, and the room they take when the package index at hand knows it.
missing_words() {
  local plan
  words="${#missing[@]} Debian packages"
  ((${#missing[@]} > 1)) || words="the Debian package ${missing[0]}"
  plan=$(LC_ALL=C apt-get install --assume-no --no-install-recommends -o Debug::NoLocking=1 "${missing[@]}" 2>/dev/null </dev/null)
  [[ $plan =~ After\ this\ operation,\ ([0-9.,]+\ [kMG]?B)\ of\ additional ]] && words+=" (${BASH_REMATCH[1]})"
}

# install_packages LIST...: those of the named lists that are missing.
install_packages() {
  command -v dpkg-query >/dev/null || {
    say "this is not a Debian system: the packages of scripts/packages.txt must be there already"
    return
  }
  find_missing "$@"
  ((${#missing[@]})) || return 0

  local as_root=() log=$root/build/install.log activity="installing packages" expected='' since=$SECONDS
  local by_hand="apt-get install --no-install-recommends ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "these Debian packages are missing: ${missing[*]}. Installing them needs root or sudo; ask your administrator for
  $by_hand"
    as_root=(sudo)
  fi
  [[ -n $announced ]] || {
    missing_words
    say "installing $words"
  }
  # Now, not under a line that is redrawn.
  ((EUID == 0)) || sudo -n env true 2>/dev/null || {
    say "packages are installed as root:"
    sudo -v
  } || die "without sudo ask your administrator for
  $by_hand"
  # apt_get ARGUMENTS...: its progress goes to stdout, what it says to the log. By way of a shell, because sudo passes on no other files.
  apt_get() {
    run_shown read_apt "$root/build/install.progress" "$log" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
      sh -c 'exec "$@" 3>&1 >&2' sh apt-get -q -o APT::Status-Fd=3 -o DPkg::Lock::Timeout=300 "$@"
  }
  # The package index is fetched only when the one at hand does not serve; dpkg is mended only when it was cut off.
  apt_get install -y --no-install-recommends "${missing[@]}" || {
    grep -q 'dpkg --configure -a' "$log" && "${as_root[@]}" dpkg --configure -a >>"$log" 2>&1 </dev/null 9>&-
    activity="updating the package index"
    apt_get update && activity="installing packages" && apt_get install -y --no-install-recommends "${missing[@]}"
  } || failed "installing Debian packages" "$log" "or by hand, as root: $by_hand"
  duration $((SECONDS - since))
  say "packages installed in $words"
}

# run_logged WHAT LOG COMMAND...: shows how far it is, and when it fails why.
run_logged() {
  local activity=$1 log=$2
  local -x NINJA_STATUS='[%f/%t] '
  shift 2
  run_shown read_ninja "$log" "$log" "$@" || { forget_headers "$log" && run_shown read_ninja "$log" "$log" "$@"; } ||
    failed "$activity" "$log"
}

# True when headers were compiled before an upgrade of their packages: they are removed. Debian's headers have the date of their making,
# by which ninja does not see that they are others now; the compiler does, and refuses.
forget_headers() {
  grep -q 'has been modified since the precompiled header' "$1" && find "$build" -name '*.pch' -delete
}

# True when the build folder was configured for this place: one that was moved or copied remembers where it
# was, and CMake refuses to go on there.
configured() {
  [[ -f $build/build.ninja ]] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt" 2>/dev/null
}

# has_options [-DNAME=ON...]: whether the build folder was configured with these.
has_options() {
  local option name
  for option; do
    name=${option#-D}
    grep -qx "${name%=*}:BOOL=${name#*=}" "$build/CMakeCache.txt" || return 1
  done
}

# configure [CMAKE ARGUMENTS...]: the release build.
configure() {
  local expected=''
  configured || {
    choose_compiler
    check_compiler
    rm -rf "$build"
  }
  mkdir -p "$build" 2>/dev/null || die "cannot write into $root/build"
  run_logged "configuring" "$root/build/configure.log" cmake -S "$root" --preset release ${CI:+-DALEATOR_WERROR=ON} "$@"
}

# clang 16 takes three quarters of the time of g++ 12, and what it makes is as fast. CXX decides otherwise.
choose_compiler() { [[ -n ${CXX-} ]] || ! command -v clang++-16 >/dev/null || export CXX=clang++-16; }

# CMake's messages about these are no help.
check_compiler() {
  local tool compiler version
  read -ra compiler <<<"${CXX:-c++}"
  for tool in cmake ninja "${compiler[0]}"; do
    command -v "$tool" >/dev/null || die "the command $tool is missing: the program is built with what scripts/packages.txt lists"
  done
  version=$("${compiler[@]}" --version 2>/dev/null)
  [[ $version == *clang* ]] && return
  version=$("${compiler[@]}" -dumpversion 2>/dev/null)
  [[ $version =~ ^[0-9]+ ]] && ((BASH_REMATCH[0] < 12)) && die "${compiler[*]} is version $version, and g++ 12 or newer is needed (Debian 12 has it). A newer one beside it is taken with
  CXX=g++-12 before the command"
}

# How many compilers run at once, in `jobs`: one per core, but each needs up to 1 GB of memory. ALEATOR_JOBS decides otherwise.
count_jobs() {
  local memory limit
  if [[ -n ${ALEATOR_JOBS-} ]]; then
    [[ $ALEATOR_JOBS =~ ^[1-9][0-9]{0,3}$ ]] || die "ALEATOR_JOBS is '$ALEATOR_JOBS'; it is the number of compilers at once, 1 or more"
    jobs=$ALEATOR_JOBS
    return
  fi
  jobs=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1e6) }' /proc/meminfo 2>/dev/null)
  { read -r limit </sys/fs/cgroup/memory.max; } 2>/dev/null  # of a container
  [[ $limit =~ ^[0-9]{9,}$ ]] && ((limit / 1000000000 < memory)) && memory=$((limit / 1000000000))
  [[ -n $memory ]] && ((memory < jobs)) && jobs=$((memory < 1 ? 1 : memory))
}

# Seconds of one core: for a target, without a compiler cache; for running all tests.
declare -A core_seconds=([aleator_app]=440 [aleator_python]=450 [aleator_bench]=520 [all]=900 [ctest]=1000)

# count_steps TARGET...: how many steps of a build are still to be done, `todo` of `whole`; none at all: the folder was not configured for them.
count_steps() {
  local -x NINJA_STATUS='[%f/%t] '
  # ninja tells what it would do only after mending its own build.ninja, which it does not know by another name.
  todo=$(echo "include build.ninja" | ninja -C "$build" -f /dev/stdin -n "$@" 2>/dev/null | grep -c '^\[')
  whole=$(ninja -C "$build" -t commands "$@" 2>/dev/null | wc -l)
}

# estimate TARGET...: how long building will take, as `expected` seconds and in `words`; the share of the steps that are still to be done, `todo`
# of `whole`, counts. A folder that was not configured for the target may have the program already, of which it takes nearly all.
estimate() {
  local seconds=${core_seconds[$1]:-${core_seconds[aleator_app]}} beyond=0
  todo=1 whole=1
  count_jobs
  if configured; then
    count_steps "$@"
    if ((whole == 0)) && count_steps aleator_app && ((whole > 0)); then
      ((beyond = seconds - core_seconds[aleator_app], seconds -= beyond))
    fi
    ((whole > 0)) || todo=1 whole=1
  fi
  expected=$(((seconds * todo / whole + beyond) / jobs))
  ((beyond == 0)) || todo=$((todo + 1))  # there is something to be done
  about "$expected"
  words+=" on $jobs core"
  ((jobs == 1)) || words+=s
  [[ -n ${ALEATOR_JOBS-} || $jobs == $(nproc) ]] || words+=" (memory is short)"
}

# build_targets WHAT TARGET...
build_targets() {
  local what=$1 expected words todo whole steps jobs since=$SECONDS
  shift
  estimate "$@"
  [[ -n $announced || $todo == 0 ]] || say "building $what, $words"
  run_logged "building $what" "$root/build/build.log" ninja -C "$build" -j "$jobs" "$@"
  ((steps == 0)) && return
  duration $((SECONDS - since))
  say "built in $words"
}

# Writes the stamp for up_to_date. $1: a file whose date is the beginning of the build.
write_stamp() {
  ldd "$program" 2>/dev/null | awk '$3 ~ /^\// {print $3}' >"$stamp.new"
  touch -r "$1" "$stamp.new" && mv -f "$stamp.new" "$stamp"
}
