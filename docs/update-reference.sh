#!/usr/bin/env bash
# Writes what the program knows of its own language into the repository: the reference in docs/model-language.md and the
# JSON Schema. Usage: docs/update-reference.sh [PROGRAM]; without PROGRAM it asks ./aleator.
set -euo pipefail
root=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)
program=${1:-$root/aleator}
page=$root/docs/model-language.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" schema >"$work/schema.json"
"$program" schema --reference >"$work/reference.md"

# Everything up to the first mark, the reference, everything from the second mark on.
awk -v reference="$work/reference.md" '
  /^<!-- reference: end -->$/ { inside = 0 }
  !inside { print }
  /^<!-- reference: begin -->$/ {
    inside = 1
    while ((getline line < reference) > 0) print line
  }' "$page" >"$work/page.md"
grep -qxF '<!-- reference: end -->' "$work/page.md" || { echo "$page has lost its marks" >&2; exit 1; }

cp "$work/page.md" "$page"
mkdir -p "$root/schema"
cp "$work/schema.json" "$root/schema/aleator.schema.json"
echo "wrote docs/model-language.md and schema/aleator.schema.json"
