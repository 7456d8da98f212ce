# Runs long commands and shows how far they are: on a terminal one line that is redrawn, elsewhere plain lines, at most one in
# ten seconds. Sourced by common.sh.

# Seconds in words: exactly; as an announcement; as what is left, in steps that do not flicker. The answer is in `words`.
duration() {
  if (($1 < 60)); then words="$1 s"; else words="$(($1 / 60)) min $(($1 % 60)) s"; fi
}
about() {
  if (($1 < 15)); then
    words="a few seconds"
  elif (($1 < 90)); then
    words="about $((($1 + 5) / 10 * 10)) seconds"
  else
    words="about $((($1 + 30) / 60)) minutes"
  fi
}
left() {
  if (($1 < 60)); then
    words="$(($1 < 5 ? 5 : ($1 + 4) / 5 * 5)) s left"
  elif (($1 < 600)); then
    duration $((($1 + 9) / 10 * 10))
    words="${words% 0 s} left"
  else
    words="$((($1 + 30) / 60)) min left"
  fi
}

# --- what commands say about themselves: readers set activity, percent, and note or ends (the value of SECONDS at the end) ---

# read_ninja LINE. The rest is reckoned with `expected` seconds at first, and with the measured rate after a third of the steps: the first steps
# are no fair sample, and the expectation may be another machine's.
read_ninja() {
  [[ $1 =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]] || return 0
  local finished=${BASH_REMATCH[1]} measured weight
  [[ $finished == 0 || ${BASH_REMATCH[3]} == Re-* ]] && return  # it looks after its own files first ("Re-running CMake...")
  steps=${BASH_REMATCH[2]}
  percent=$((100 * finished / steps))
  measured=$(((SECONDS - since) * steps / finished))
  weight=$((300 * finished / steps))
  ((weight < 100)) && [[ -n $expected ]] || weight=100
  ends=$((SECONDS + (expected * (100 - weight) + measured * weight) * (steps - finished) / steps / 100))
}

# read_apt LINE, one of APT::Status-Fd.
read_apt() {
  [[ $1 =~ ^(dl|pm)status:.*:([0-9]+)(\.[0-9]*)?:(.*)$ ]] || return 0
  percent=${BASH_REMATCH[2]} note=${BASH_REMATCH[4]% (*)}  # without architecture or time
  note=${note#Retrieving } note=${note,}
  if [[ ${BASH_REMATCH[1]} == pm ]]; then
    activity="installing packages"
  elif [[ $activity != updating* ]]; then
    activity="downloading packages"
  fi
}

# --- the line ---

on_terminal() { [[ -t 2 && ${TERM:-dumb} != dumb ]]; }

# What is said after the activity, in `words`.
progress_words() {
  words=$note
  [[ -n $ends ]] && left $((ends > SECONDS ? ends - SECONDS : 0))
  [[ -n $percent ]] && words="$percent %${words:+, $words}"
}

# At most 80 columns; in narrow terminals without the bar, then without the activity.
draw_line() {
  local line bar length
  if ((SECONDS != looked)); then  # somebody may pull at the window
    looked=$SECONDS
    read -r _ columns < <(stty size <&2 2>/dev/null)
    ((columns > 0)) || columns=80
    ((columns = (columns < 80 ? columns : 80) - 1))  # in the last column some terminals begin a new line
  fi
  progress_words
  line="$activity${words:+: $words}"
  length=$((columns - ${#activity} - 40))  # does not depend on the words, which change
  if [[ -n $percent ]] && ((length >= 10)); then
    printf -v bar '%*s' $((percent * length / 100)) ''
    bar=${bar// /#}
    printf -v bar '%-*s' "$length" "$bar"
    line="$activity [${bar// /.}] $words"
  elif ((${#line} > columns)) && [[ -n $words ]]; then
    line=$words
    ((${#line} > columns)) && line=${line% left}
  fi
  line=${line:0:columns}
  [[ $line == "$drawn" ]] || printf '\r\033[K%s' "$line" >&2
  drawn=$line
}
clear_line() {
  [[ -z $drawn ]] || printf '\r\033[K' >&2
  drawn=
}

# Where nothing can be redrawn.
plain_line() {
  ((SECONDS >= next_line)) || return 0
  next_line=$((SECONDS + 10))
  progress_words
  say "$activity${words:+: $words}"
}

# --- running ---

# run_shown READER OUTPUT LOG COMMAND...: runs it with stdout into OUTPUT and stderr into LOG, which may be the same file, and shows the
# progress that READER finds in the lines of OUTPUT. The command writes into files, not through us: it never waits, the log is
# complete whatever becomes of this shell, and what must not be cut off (dpkg) is not. Set before: activity, expected (seconds, may be empty).
# The status is the command's.
run_shown() {
  local reader=$1 output=$2 log=$3 line partial='' idle from job running=yes
  shift 3
  local percent='' note='' ends='' drawn='' columns looked=-1 since=$SECONDS next_line=$((SECONDS + 10))
  steps=0
  [[ -n $expected ]] && percent=0 ends=$((SECONDS + expected))
  { : >"$log" && : >"$output"; } 2>/dev/null || die "cannot write $log"
  exec {idle}<> <(:)  # a pipe nobody writes to: waiting without starting processes
  trap 'interrupted 130' INT
  trap 'interrupted 143' TERM
  trap 'interrupted 129' HUP
  trap '' PIPE  # nobody reads what we say: the command goes on nevertheless
  (
    trap - INT QUIT TERM HUP PIPE EXIT
    exec "$@" {idle}>&-
  ) >>"$output" 2>>"$log" </dev/null 9>&- &
  job=$!
  exec {from}<"$output"
  while :; do
    [[ -d /proc/$job ]] || running=  # looked at first: what it said last is read below
    while IFS= read -r -u "$from" line; do
      "$reader" "$partial$line"
      partial=
    done
    partial+=$line
    [[ -n $running ]] || break
    if on_terminal; then draw_line; else plain_line; fi
    read -r -t 0.1 -u "$idle"
  done
  clear_line
  trap - INT TERM HUP PIPE
  exec {idle}>&- {from}<&-
  wait "$job" 2>/dev/null
}

# Ends the command and this shell. apt finishes what must not be left half done, and may therefore be left behind; the next start waits for it.
interrupted() {
  trap '' INT TERM HUP
  local stop=TERM
  [[ $reader == read_apt ]] && stop=INT  # which it may heed when dpkg is done
  kill -"$stop" "$job" 2>/dev/null
  clear_line
  for ((i = 0; i < 20; ++i)); do
    [[ -d /proc/$job ]] || break
    sleep 0.1
  done
  say "interrupted; the next start goes on from here"
  exit "$1"
}
