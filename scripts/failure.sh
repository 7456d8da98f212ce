# What went wrong, from the log of a command, and what can be done about it. Sourced by common.sh.

# failed WHAT LOG [REMEDY]: says it and ends the launcher.
failed() {
  say "$1 failed:"
  last_error "$2" >&2
  advice "$2"
  [[ -z ${3-} ]] || say "$3"
  die "the whole output is in $2"
}

# last_error LOG: the lines that tell it, at most 20. Of a build what the first step that failed said, without its long command; of CMake and
# apt their errors; else the end of the log.
last_error() {
  awk '
    function keep() { if (length($0)) lines[++count] = substr($0, 1, 300) }
    function begin(which) { if (kind != which) count = 0; kind = which }
    kind == "step" && (/^\[[0-9]+\/[0-9]+\] / || /^FAILED: / || /^ninja: /) { exit }
    /^FAILED: /   { begin("step"); command = NR + 1; next }
    kind == "step" {
      if (NR == command) next
      if (!told && /error:|Error|ERR!|undefined reference|Killed|terminated|No space|annot |ould not /) { told = 1; count = 0 }
      keep(); next
    }
    /^CMake Error/ { begin("cmake") }
    kind == "cmake" { keep(); next }
    /^(E:|Err:|dpkg:|sudo:)/ { begin("apt"); keep(); next }
    kind == "" { keep() }
    END {
      first = told || kind == "cmake" || count <= 20 ? 1 : count - 19  # an error is told first, anything else last
      for (i = first; i <= count && i < first + 20; ++i) print "  " lines[i]
    }' "$1"
}

# advice LOG: what to do, where the log shows a cause.
advice() {
  local log=$1 free  # in MB; on a full disk the log may not say so
  free=$(df --block-size=MB --output=avail "${root:?}/build" 2>/dev/null | tail -n 1)
  free=${free//[!0-9]/}
  if grep -qE 'No space left on device|Disk quota exceeded' "$log" || ((${free:-1000} < 50)); then
    say "the disk is full (${free:-?} MB free in $root/build): the program needs about 400 MB there"
  elif grep -qE 'Killed|virtual memory exhausted|annot allocate memory|out of memory|signal 9' "$log"; then
    say "a compiler ran out of memory, of which it takes up to 1 GB; with ALEATOR_JOBS=1 before the command only one runs at a time"
  elif grep -qE 'npm (ERR|error)|npm could not' "$log"; then
    say "npm could not download what the report is made from: is there a network, and a proxy to be set (npm config set proxy …)?"
  elif grep -qE 'Could not (resolve|connect)|Temporary failure|Failed to fetch' "$log"; then
    say "the package server cannot be reached: is there a network, and a proxy to be set (/etc/apt/apt.conf.d)?"
  elif grep -qE 'Unable to locate package|has no installation candidate' "$log"; then
    say "this system does not offer these packages; Debian 12 does"
  elif grep -qE '^CMake Error' "$log" && ! command -v dpkg-query >/dev/null; then
    say "is something missing? scripts/packages.txt says what the program is built from"
  fi
}
