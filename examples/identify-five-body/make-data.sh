#!/usr/bin/env bash
# Makes measured/ and prototype.csv from the model, with other numbers than those written in it: so the truth is known.
# Usage: make-data.sh [PROGRAM [SPECIMENS SEED]]; without PROGRAM it asks ./aleator of the repository.
set -euo pipefail
cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
program=${1:-../../aleator} specimens=${2:-50} seed=${3:-1}

# Fifty beams, each with its own mass, centre of mass and inertia.
"$program" twin model.yaml --specimens "$specimens" --seed "$seed" --every 3 --noise 2% --out measured \
  --set rb5.mass.cov=0.3 --set rb5.center_of_mass.scale=0.8 --set rb5.inertia.lambda_l=-6 --set rb5.inertia.lambda_u=-4
# Three decimals, as an instrument would give, keep the folder small.
for file in measured/specimen-*.csv; do
  awk -F, 'NR == 1 { print; next } { printf "%.4f,%.3f,%.3f,%.3f\n", $1, $2, $3, $4 }' "$file" >"$file.new"
  mv "$file.new" "$file"
done

# One beam exactly as drawn, on bushings that are not.
"$program" simulate model.yaml --set stiffness=3.1e5 --set damping=200 --csv - | awk -F, '
  function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.283185307 * rand()) }
  BEGIN { srand(1) }
  NR == 1 { print }
  NR % 3 == 2 { printf "%.4f,%.3f,%.3f,%.3f\n", $1, $2 + 1.86 * normal(), $3 + 2.12 * normal(), $4 + 0.785 * normal() }' >prototype.csv
