#!/usr/bin/env bash
# ./aleator without building anything: a folder that looks built, with a program that tells how it was called.
# Usage: launcher.sh SOURCE_DIR
source_dir=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OMPI_COMM_WORLD_SIZE PMI_RANK PMIX_RANK SLURM_JOB_ID
failures=0

expect() {  # expect WHAT PATTERN ACTUAL
  # shellcheck disable=SC2053  # a pattern
  [[ $3 == $2 ]] && return
  printf '%s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
  failures=$((failures + 1))
}

repository="$work/a folder/aleator"
mkdir -p "$repository"/{src,include,apps,cmake,python,scripts,web/src,build/release}
cp "$source_dir"/{aleator,test} "$repository"
cp "$source_dir"/scripts/{common,progress,failure,python}.sh "$source_dir"/scripts/packages*.txt "$repository/scripts"
# Estimates of its own, so that the messages below do not change with what building takes.
sed -i 's/^declare -A core_seconds=.*/declare -A core_seconds=([aleator_app]=340 [aleator_python]=350 [aleator_bench]=420 [all]=690 [ctest]=800)/' \
  "$repository/scripts/common.sh"
touch "$repository"/{CMakeLists.txt,CMakePresets.json,pyproject.toml,web/build.mjs,web/package-lock.json}
program=$repository/build/release/aleator
cat >"$program" <<'PROGRAM'
#!/bin/sh
printf '%s:' "$PWD"
printf ' <%s>' "$@"
exit 3
PROGRAM
chmod +x "$program"
echo /bin/sh >"$repository/build/release/up-to-date"
touch -d '+1 minute' "$repository/build/release/up-to-date"

cd "$work" || exit 1
expect "arguments, folder and exit code are the program's" "$work: <simulate> <my model.yaml> <> 3" \
  "$("$repository/aleator" simulate 'my model.yaml' '' 2>&1; echo " $?")"
ln -s "$repository/aleator" "$work/link"
expect "through a link" "$work: <x> 3" "$("$work/link" x 2>&1; echo " $?")"
expect "as an argument of bash" "$repository: <x> 3" "$(cd "$repository" && bash aleator x 2>&1; echo " $?")"
expect "nothing but the program writes to stderr" "" "$("$repository/aleator" x 2>&1 >/dev/null)"

# Sources newer than the program: under MPI and Slurm it runs as it is, and says so once.
touch -d '2000-01-01' "$repository/build/release/up-to-date"
expect "out of date under Slurm" "aleator: running the program as it was last built*$work: <x> 3" \
  "$(SLURM_JOB_ID=1 "$repository/aleator" x 2>&1; echo " $?")"
expect "only the first rank speaks" "$work: <x> 3" "$(PMI_RANK=1 "$repository/aleator" x 2>&1; echo " $?")"
rm "$program"
# What would install, configure or build, should the launcher ask for it.
mkdir "$work/bin"
for tool in apt-get sudo cmake ninja npm; do
  printf '#!/bin/sh\necho %s >>"%s/called"\n' "$tool" "$work" >"$work/bin/$tool"
  chmod +x "$work/bin/$tool"
done
before=$(find "$repository" | sort)
for variable in OMPI_COMM_WORLD_SIZE=2 PMI_RANK=0 PMIX_RANK=0 SLURM_JOB_ID=7; do
  expect "not built, $variable" "aleator: the program must be built first*70" \
    "$(env "$variable" PATH="$work/bin:$PATH" "$repository/aleator" x 2>&1; echo " $?")"
done
expect "nothing was installed or built" "" "$(cat "$work/called" 2>/dev/null)"
expect "nothing was written" "$before" "$(find "$repository" | sort)"

# --- the first start: tools that say what the real ones say, and build nothing ---

# The state of the pretended machine is in files: $work/installed (packages), $work/built (steps done), $work/how (what goes wrong).
export WORK=$work
tool() {
  cat >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
tool nproc <<'TOOL'
#!/bin/sh
echo 2
TOOL
tool node </dev/null
tool sudo <<'TOOL'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
[ $# = 0 ] || exec "$@"
TOOL
tool c++ <<'TOOL'
#!/bin/sh
[ -f "$WORK/old" ] && version=10.2.1 || version=12
[ "$1" = -dumpversion ] && echo $version || echo "c++ (Debian $version) $version"
TOOL
tool dpkg-query <<'TOOL'
#!/bin/sh
shift 2
for name; do grep -qx "$name" "$WORK/installed" && echo "installed $name"; done
true
TOOL
tool apt-get <<'TOOL'
#!/bin/bash
how=$(cat "$WORK/how" 2>/dev/null)
if [[ $* == *--assume-no* ]]; then
  echo "After this operation, 612 MB of additional disk space will be used."
  exit 1
fi
echo "apt-get $*" >>"$WORK/called"
echo "Reading package lists..."
[[ $how == *offline* ]] && {
  echo "Err:1 libeigen3-dev 3.4" >&2
  echo "E: Failed to fetch libeigen3-dev  Temporary failure resolving 'the.server'" >&2
  exit 100
}
names=() && for name; do [[ $name == [a-z]*[+a-z0-9] && $name != install && $name != update ]] && names+=("$name"); done
echo "dlstatus:1:0:Retrieving file 1 of 48" >&3
echo "dlstatus:12:25.5:Retrieving file 12 of 48 (3s remaining)" >&3
[[ $how == *slow* ]] && sleep 0.5
for name in "${names[@]}"; do
  echo "pmstatus:$name:$((++count * 100 / ${#names[@]})).3333:Unpacking $name (amd64)" >&3
  echo "Unpacking $name ..."
  [[ $how == *wait-apt* ]] && echo ready >"$WORK/ready" && sleep 20
  echo "$name" >>"$WORK/installed"
done
[[ $how == *slow* ]] && sleep 0.5
true
TOOL
tool cmake <<'TOOL'
#!/bin/bash
echo "cmake $*" >>"$WORK/called"
echo "-- The CXX compiler identification is GNU 12.2.0"
[[ $(cat "$WORK/how" 2>/dev/null) == *no-eigen* ]] && {
  printf 'CMake Error at CMakeLists.txt:20 (find_package):\n  Could not find Eigen3\n\n-- Configuring incomplete, errors occurred!\n' >&2
  exit 1
}
while [[ $1 != -S ]]; do shift; done
mkdir -p "$2/build/release"
echo >"$2/build/release/build.ninja"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$2" >"$2/build/release/CMakeCache.txt"
[[ $* == *-DALEATOR_PYTHON=ON* ]] && echo "ALEATOR_PYTHON:BOOL=ON" >>"$2/build/release/CMakeCache.txt"
true
TOOL
# 40 steps; one that breaks is the 12th.
tool ninja <<'TOOL'
#!/bin/bash
how=$(cat "$WORK/how" 2>/dev/null)
cd "$2" || exit 1
[[ $* != *aleator_python* ]] || grep -q PYTHON CMakeCache.txt || { echo "ninja: error: unknown target 'aleator_python'" >&2 && exit 1; }
done=$(wc -l <"$WORK/built")
left=$((40 - done))
case "$*" in
  *" -t commands"*) seq 40 && exit ;;
  *" -n "*) for ((i = 1; i <= left; ++i)); do echo "[$i/$left] Building CXX object $i.o"; done && exit ;;
esac
echo "ninja $*" >>"$WORK/called"
echo "ninja: Entering directory \`$2'"
echo "[0/2] Re-checking globbed directories..."
echo "[1/2] Re-running CMake..."
trap 'echo "ninja: build stopped: interrupted by user."; kill %1 2>/dev/null; exit 130' INT TERM
for ((i = 1; i <= left; ++i)); do
  echo "[$i/$left] Building CXX object CMakeFiles/aleator.dir/src/file_$((done + i)).cpp.o"
  echo "$i" >>"$WORK/built"
  [[ $how == *wait-ninja* && $i == 5 ]] && echo ready >"$WORK/ready" && { sleep 20 & wait; }
  [[ $how == *slow* && $i == 10 ]] && sleep 0.5
  if [[ $i == 12 && $how == *broken* ]]; then
    echo "FAILED: CMakeFiles/aleator.dir/src/spring.cpp.o"
    echo "/usr/bin/c++ -O3 -Ierror: -o spring.cpp.o -c src/spring.cpp"
    case $how in
      *memory*) echo "c++: fatal error: Killed signal terminated program cc1plus" && echo "compilation terminated." ;;
      *disk*) echo "/tmp/ccX.s: fatal error: error writing to /tmp/ccX.s: No space left on device" ;;
      *) echo "In file included from src/spring.cpp:1:"
         echo "src/spring.hpp:7:3: error: 'stifness' does not name a type"
         seq 100 ;;
    esac
    echo "[13/$left] Building CXX object other.o"
    echo "src/other.cpp:1: warning: of another step"
    echo "ninja: build stopped: subcommand failed."
    exit 1
  fi
done
cat >aleator <<'PROGRAM'
#!/bin/sh
[ -e /proc/$$/fd/9 ] && echo "holds the lock"
echo "started $*"
exit 3
PROGRAM
chmod +x aleator
[[ $* != *aleator_python* ]] || { mkdir -p python/aleator && cp aleator python/aleator/_aleator.so; }
TOOL

# fresh HOW: a clone that was never started, on a machine without the packages.
fresh() {
  rm -rf "$repository/build" "$work/called" "$work/ready" "$work/old"
  mkdir -p "$repository/build"
  : >"$work/installed"
  : >"$work/built"
  echo "$1" >"$work/how"
}
start() { PATH="$work/bin:$PATH" "$repository/aleator" "$@"; }
# As on a terminal of some columns: what is written on it, with its control characters.
terminal() {
  PATH="$work/bin:$PATH" TERM=${TERM_HERE:-xterm} script -qec "stty cols $1 rows 24; '$repository/aleator' x" /dev/null </dev/null
}
# What a terminal shows at one time or another: a line per drawing.
drawings() { tr '\r' '\n' | sed $'s/\033\\[K//g' | grep .; }
lines() { printf '%s\n' "$1" | wc -l; }
packages=$(grep -c '^[a-z]' "$repository/scripts/packages.txt")

# On a pipe: what will happen and how long, then what happened; plain text.
fresh ''
got=$(start simulate 2>&1 >"$work/stdout"; echo "$?")
expect "first start, on a pipe" "aleator: first start: $packages Debian packages (612 MB) to install, then the program is built, about 3 minutes on 2 cores
aleator: packages installed in * s
aleator: built in * s
3" "$got"
expect "no control characters" "" "$(printf '%s' "$got" | tr -d '\n' | grep '[[:cntrl:]]')"
expect "stdout is the program's" "started simulate" "$(cat "$work/stdout")"
expect "whole logs" "42 $((packages + 1))" \
  "$(grep -c '^\[' "$repository/build/build.log") $(grep -c . "$repository/build/install.log")"
expect "nothing is left behind" "" "$(find "$repository/build" -mindepth 1 -maxdepth 1 ! -name '*.log' ! -name install.progress ! -name release ! -name lock)"
expect "the second time only the program" $'started x\n3' "$(start x 2>&1; echo "$?")"
expect "it asks for all tools: the tests under MPI and Slurm can fail" "apt-get*cmake*ninja*" "$(cat "$work/called")"
touch "$repository/src/new.cpp" && head -n 30 "$work/built" >"$work/shorter" && mv "$work/shorter" "$work/built"
expect "after a change the steps to do count" "aleator: sources have changed: the program is built, about 40 seconds on 2 cores
aleator: built in *started x*" "$(start x 2>&1)"

# The Python package where the program is: only its module is to be built. Where nothing is, all of it.
expect "Python after the program" "aleator: first start: * to install, then the Python package is built, a few seconds on 2 cores
*Python 3*" "$(start python -V 2>&1)"
expect "Python a second time" "Python 3*" "$(start python -V 2>&1)"
fresh ''
expect "Python first" "*the Python package is built, about 3 minutes on 2 cores
*Python 3*" "$(start python -V 2>&1)"

# On a terminal: one line that is redrawn.
fresh slow
got=$(terminal 100)
expect "one line for each message" 4 "$(lines "$got")"
got=$(drawings <<<"$got")
expect "packages are downloaded" "*downloading packages [[]####*...] 25 %, file 12 of 48*" "$got"
expect "packages are unpacked" "*installing packages [[]*] * %, unpacking *" "$got"
expect "the build has percent and remaining time" "*building the program [[]#*.] 25 %, * left*" "$got"
expect "at most 80 columns" "" "$(grep -E '^.{81}' <<<"$got" | grep -v 'first start')"
fresh slow
got=$(terminal 20 | drawings | sed '/Debian/d; /in . s/d; /started/d')
expect "20 columns are enough for percent and time" "*
25 %, *s left*" "$got"
expect "20 columns: no line is longer" "" "$(grep -E '^.{20}' <<<"$got")"
fresh ''
expect "a terminal that cannot redraw" 0 "$(TERM_HERE=dumb terminal 80 | sed 's/\r$//' | grep -c '[[:cntrl:]]')"

# Failures: 70, the last error, what to do, the log.
failure() {  # failure HOW: the packages are there
  fresh "$1"
  grep -o '^[a-z][^ ]*' "$repository/scripts/packages.txt" >"$work/installed"
  start x 2>&1
  echo "$?"
}
got=$(failure broken)
expect "the compiler's error" "aleator: first start: the program is built, about 3 minutes on 2 cores
aleator: building the program failed:
  src/spring.hpp:7:3: error: 'stifness' does not name a type
  1
*
  19
aleator: the whole output is in $repository/build/build.log
70" "$got"
expect "nothing of other steps" "" "$(grep -E 'other|/usr/bin/c|  20$' <<<"$got")"
expect "a compiler without memory" "*Killed signal*ALEATOR_JOBS=1*build.log
70" "$(failure broken-memory)"
expect "a full disk" "*No space left*the disk is full (* free in *)*build.log
70" "$(failure broken-disk)"
expect "something CMake does not find" "*configuring failed:
  CMake Error at CMakeLists.txt:20*
  * Could not find Eigen3*configure.log
70" "$(failure no-eigen)"
fresh offline
expect "no network" "*installing Debian packages failed:
  Err:1 *
  E: Failed to fetch *
aleator: the package server cannot be reached*
*apt-get install --no-install-recommends clang-16 g++ cmake *
aleator: the whole output is in $repository/build/install.log
70" "$(start x 2>&1; echo "$?")"
fresh ''
touch "$work/old"
expect "an old compiler" "*c++ is version 10.2.1, and g++ 12 or newer is needed*70" "$(CXX=c++ start x 2>&1; echo "$?")"
fresh ''
expect "a wrong number of jobs" "aleator: ALEATOR_JOBS is 'all'*70" "$(ALEATOR_JOBS=all start x 2>&1; echo "$?")"
expect "one job" "*about 6 minutes on 1 core
*" "$(ALEATOR_JOBS=1 start x 2>&1)"
expect "ninja is told" "*-j 1 *" "$(grep ninja "$work/called")"
fresh ''
expect "nobody reads stderr" "started x3" "$(start x 2>&- | tr -d '\n'; echo "${PIPESTATUS[0]}")"

# Interrupted with Ctrl-C, while packages are installed and while the program is built; then started again.
ctrl_c() {  # what the terminal shows, and the code
  {
    for ((i = 0; i < 100; ++i)); do [[ -f $work/ready ]] && break; sleep 0.05; done
    sleep 0.2  # a line is there
    printf '\003'
    sleep 1
  } | PATH="$work/bin:$PATH" TERM=xterm script -qec "'$repository/aleator' x" /dev/null
  echo "${PIPESTATUS[1]}"
}
for where in apt ninja; do
  fresh "wait-$where"
  got=$(ctrl_c | drawings)
  expect "Ctrl-C in $where: the line is ended" "*
aleator: interrupted; the next start goes on from here
130" "$got"
  expect "Ctrl-C in $where: the lock is free" free "$(flock -n "$repository/build/lock" echo free)"
  expect "Ctrl-C in $where: nothing is left behind" "" "$(find "$repository/build" -name 'began*'; pgrep -f "$work/bin")"
done
expect "its log is complete" "*interrupted by user." "$(tail -n 1 "$repository/build/build.log")"
echo >"$work/how"
expect "the next start goes on" "aleator: first start: the program is built, about 2 minutes on 2 cores
*started x*" "$(start x 2>&1)"
expect "where it was" 40 "$(wc -l <"$work/built")"

# Ended by another program: the build ends, too.
fresh wait-ninja
PATH="$work/bin:$PATH" "$repository/aleator" x 2>"$work/stderr" &
for ((i = 0; i < 100; ++i)); do [[ -f $work/ready ]] && break; sleep 0.05; done
kill -TERM $!
wait $!
expect "ended by a signal" "143 *aleator: interrupted*" "$? $(cat "$work/stderr")"
expect "ended by a signal: nothing is left behind" "" "$(find "$repository/build" -name 'began*'; pgrep -f "$work/bin")"

# ./test: the same for the tests, which ctest runs.
tool ctest <<'TOOL'
#!/bin/sh
echo "ctest $*"
TOOL
tests() { PATH="$work/bin:$PATH" "$repository/test" "$@" 2>&1; }
fresh ''
expect "./test says what it does" "aleator: installing * Debian packages (612 MB)
aleator: packages installed in * s
aleator: building the program and the tests, about 6 minutes on 2 cores
aleator: built in * s
aleator: running the tests, about 7 minutes
ctest --output-on-failure -j3" "$(tests)"
expect "./test with nothing to build" "ctest --output-on-failure -j3 -L unit" "$(tests -L unit)"

# --- what the lines say, at times that need not be waited for ---
root=$repository
source "$repository/scripts/common.sh"
at() {  # at SECOND FUNCTION ARGUMENTS...: some seconds after the command began
  SECONDS=$1
  "${@:2}"
}
line_at() { next_line=0 at "$1" plain_line 2>&1; }
activity="building" expected=200 since=0
line_after() {  # line_after SECOND STEP: of 100
  percent='' ends='' note=''
  at "$1" read_ninja "[$2/100] Building CXX object a.o"
  line_at "$1"
}
expect "at first as expected" "aleator: building: 1 %, 3 min 20 s left" "$(line_after 2 1)"
expect "a slow first step leads nobody astray" "aleator: building: 1 %, 4 min * left" "$(line_after 20 1)"
expect "later as measured" "aleator: building: 50 %, 5 min left" "$(line_after 300 50)"
expect "much faster than expected" "aleator: building: 50 %, 5 s left" "$(line_after 2 50)"
expect "counts down between steps" "aleator: building: 50 %, 4 min 40 s left" "$(line_after 300 50 >/dev/null; percent=50 ends=600; line_at 320)"
expect "longer than hoped" "aleator: building: 50 %, 5 s left" "$(percent=50 ends=600; line_at 700)"
expect "long builds" "aleator: building: 10 %, 16 min left" "$(line_after 300 10)"
expect "a line in ten seconds" 2 \
  "$(percent=10 ends='' note='' next_line=5; for second in 1 4 5 6 9 14 15 16; do at "$second" plain_line 2>&1; done | wc -l)"

exit $((failures > 0))
