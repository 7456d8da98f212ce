#!/usr/bin/env bash
# ./aleator without building anything: a folder that looks built, with a program that tells how it was called.
# Usage: launcher.sh SOURCE_DIR
source_dir=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset OMPI_COMM_WORLD_SIZE PMI_RANK PMIX_RANK SLURM_JOB_ID
failures=0

expect() {  # expect WHAT PATTERN ACTUAL
  [[ $3 == $2 ]] && return
  printf '%s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
  failures=$((failures + 1))
}

repository="$work/a folder/aleator"
mkdir -p "$repository"/{src,include,apps,cmake,scripts,web/src,build/release}
cp "$source_dir/aleator" "$repository"
cp "$source_dir"/scripts/{common.sh,packages.txt} "$repository/scripts"
touch "$repository"/{CMakeLists.txt,CMakePresets.json,web/build.mjs,web/package-lock.json}
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
# The same tools are what it asks for elsewhere: the test above can fail.
PATH="$work/bin:$PATH" "$repository/aleator" x >/dev/null 2>&1
expect "it builds elsewhere" "*cmake*" "$(cat "$work/called" 2>/dev/null)"

exit $((failures > 0))
