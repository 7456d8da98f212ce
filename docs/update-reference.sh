#!/usr/bin/env bash
# Writes what the program knows of its own languages into the repository: the references in docs/model-language.md and
# docs/identification-file.md and docs/design-file.md, the JSON Schemas, and the tables of src/results/layout.md. Usage: docs/update-reference.sh [PROGRAM]; without PROGRAM it asks ./aleator.
set -euo pipefail
root=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)
program=${1:-$root/aleator}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$root/schema"

# update PAGE SCHEMA OPTIONS…
update() {
  local page=$1 schema=$2
  shift 2
  "$program" schema "$@" >"$work/schema.json"
  "$program" schema --reference "$@" >"$work/reference.md"

  # Everything up to the first mark, the reference, everything from the second mark on.
  awk -v reference="$work/reference.md" '
    /^<!-- reference: end -->$/ { inside = 0 }
    !inside { print }
    /^<!-- reference: begin -->$/ {
      inside = 1
      while ((getline line < reference) > 0) print line
    }' "$root/$page" >"$work/page.md"
  grep -qxF '<!-- reference: end -->' "$work/page.md" || { echo "$page has lost its marks" >&2; exit 1; }

  cp "$work/page.md" "$root/$page"
  cp "$work/schema.json" "$root/$schema"
  echo "wrote $page and $schema"
}

update docs/model-language.md schema/aleator.schema.json
update docs/identification-file.md schema/identification.schema.json --identification
update docs/design-file.md schema/design.schema.json --design

if "$program" schema --help | grep -q -- --layout; then
  "$program" schema --layout "$root/src/results/layout.md" >"$work/layout.md"
  cp "$work/layout.md" "$root/src/results/layout.md"
  echo "wrote src/results/layout.md"
fi
