# Shared by ./aleator, ./test, ./bench and .ci/run. Sourced with `root` set to the repository's folder.
# Everything said here goes to stderr: stdout belongs to the program.

build=$root/build/release
program=$build/aleator
stamp=$build/up-to-date  # written after each build: its time is when the build began, its lines the shared libraries

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
  local library sources=("$root"/{CMakeLists.txt,CMakePresets.json,cmake,src,include,apps,web/src,web/build.mjs,web/package-lock.json,scripts/packages.txt})
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

# install_packages LIST...: those of the named lists (scripts/LIST.txt) that are missing. Node.js often comes from elsewhere, and
# then Debian's packages would be in its way: they are installed only when the commands are missing.
install_packages() {
  local list name reason wanted=() missing=() lists=("$@")
  { command -v node && command -v npm; } >/dev/null || lists+=(packages-node)
  for list in "${lists[@]}"; do
    while read -r name reason; do
      [[ -z $name || $name == \#* ]] || wanted+=("$name")
    done <"$root/scripts/$list.txt"
  done
  command -v dpkg-query >/dev/null || {
    say "this is not a Debian system: the packages of scripts/packages.txt must be there already"
    return
  }
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null)
  for name in "${wanted[@]}"; do
    [[ $'\n'$installed$'\n' == *$'\n'"installed $name"$'\n'* ]] || missing+=("$name")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "these Debian packages are missing: ${missing[*]}. Installing them needs root or sudo; ask your administrator for
  apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing Debian packages: ${missing[*]}"
  local log=$root/build/install.log
  apt_install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      -o DPkg::Lock::Timeout=300 "${missing[@]}" >"$log" 2>&1 </dev/null 9>&-
  }
  # The package index is fetched only when the one at hand does not serve.
  apt_install && return
  say "updating the package index"
  "${as_root[@]}" apt-get update -q >"$log" 2>&1 </dev/null 9>&- || {
    tail -n 20 "$log" >&2
    die "apt-get update failed"
  }
  apt_install || {
    tail -n 30 "$log" >&2
    die "the packages could not be installed"
  }
}

# run_logged WHAT LOG COMMAND...: quiet when it succeeds, shows the log when it does not. On a terminal the
# last line of the build is shown while it goes on.
run_logged() {
  local what=$1 log=$2 line
  shift 2
  if [[ -t 2 ]]; then
    "$@" </dev/null 2>&1 9>&- | while IFS= read -r line; do
      printf '%s\n' "$line"
      [[ $line == \[* ]] && printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$line" >&2
    done >"$log"
    local result=${PIPESTATUS[0]}
    printf '\r\033[K' >&2
  else
    "$@" </dev/null >"$log" 2>&1 9>&-
    local result=$?
  fi
  ((result == 0)) && return
  ((result >= 128)) && exit "$result"  # interrupted
  cat "$log" >&2
  die "$what failed (the output above is also in $log)"
}

# True when the build folder was configured for this place: one that was moved or copied remembers where it
# was, and CMake refuses to go on there.
configured() {
  [[ -f $build/build.ninja ]] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt" 2>/dev/null
}

# configure [CMAKE ARGUMENTS...]: the release build.
configure() {
  configured || rm -rf "$build"
  mkdir -p "$build" 2>/dev/null || die "cannot write into $root/build"
  run_logged "configuring" "$root/build/configure.log" cmake -S "$root" --preset release ${CI:+-DALEATOR_WERROR=ON} "$@"
}

# build_targets WHAT TARGET...
build_targets() {
  local what=$1
  shift
  run_logged "building $what" "$root/build/build.log" cmake --build "$build" --target "$@"
}

# Writes the stamp for up_to_date. $1: a file whose date is the beginning of the build.
write_stamp() {
  ldd "$program" 2>/dev/null | awk '$3 ~ /^\// {print $3}' >"$stamp.new"
  touch -r "$1" "$stamp.new" && mv -f "$stamp.new" "$stamp"
}
