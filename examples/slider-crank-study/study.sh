#!/usr/bin/env bash
# The study of Wu et al. (2017), section 5: polynomial chaos against Latin hypercubes, with references of 1,000 Monte Carlo
# runs (theirs) and of 32,768 Sobol' points, which are worth more than 10^5 of them. README.md says what comes out; --help how to call it.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$(dirname "$here")
program=$(dirname "$examples")/aleator
out="" quick="" reference=""

usage() {
  cat <<'END'
study.sh [--quick] [--out DIR] [--aleator PATH] [--reference N]

  --quick         the same steps with small numbers, in less than a minute: to see that everything works
  --out DIR       folder of the results; default out/slider-crank-study (with --quick …-quick) in the current folder
  --aleator PATH  the program; default ./aleator of the repository
  --reference N   runs of the reference; default 32768 (--quick: 256), a quarter of it for two variables

What is already in DIR is not computed again.
END
}

die() { echo "study.sh: $*" >&2; exit 1; }

while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=yes ;;
    --out|--aleator|--reference) [ $# -ge 2 ] || die "$1 needs a value"
      case $1 in --out) out=$2 ;; --aleator) program=$2 ;; --reference) reference=$2 ;; esac
      shift ;;
    -h|--help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

# --- what is computed -----------------------------------------------------------------------------------------------------

# field-spring-start; `two-variables` is SHORT-LOW with a known crank (section 5.3 of the paper)
cases="long-high-rigid long-high-rest long-low-rigid long-low-rest short-high-rigid short-high-rest short-low-rigid short-low-rest
       two-variables-rigid two-variables-rest"
# All runs of a case share integrator and step, so that what time stepping does wrong cancels in the errors.
rigid_start="{duration: 1, step: 5e-4, output_step: 1e-3, integrator: radau, tolerance: 1e-5}"
rest_start="{duration: 1, step: 1e-4, output_step: 1e-3, rho: 0.8, tolerance: 1e-5}"
replicates=8 monte_carlo=1000 auto=1000 seeds="1 2 3 4 5" sweep_points=100
orders_long="2 4 6 8" orders_short="2 3 4" orders_two="4 6 9 12 14"

if [ "$quick" ]; then
  cases="long-high-rigid short-high-rigid short-low-rest two-variables-rest"
  rigid_start=${rigid_start/5e-4/1e-3} rest_start=${rest_start/1e-4/2e-4}
  rigid_start=${rigid_start/output_step: 1e-3/output_step: 5e-3} rest_start=${rest_start/output_step: 1e-3/output_step: 5e-3}
  replicates=4 monte_carlo=32 auto=64 seeds="1 2" sweep_points=5
  orders_long="2" orders_short="2" orders_two="4"
fi
reference=${reference:-$([ "$quick" ] && echo 256 || echo 32768)}
out=${out:-out/slider-crank-study${quick:+-quick}}

command -v "$program" > /dev/null || die "there is no program '$program': --aleator PATH"
program=$(cd "$(dirname "$(command -v "$program")")" && pwd)/$(basename "$program")
mkdir -p "$out"
out=$(cd "$out" && pwd)
cores=$(nproc)

orders_of() { case $1 in long-*) echo $orders_long ;; short-*) echo $orders_short ;; *) echo $orders_two ;; esac; }
runs_of() { case $1 in short-*) echo $((($2 + 1) ** 3)) ;; *) echo $((($2 + 1) ** 2)) ;; esac; }   # case, order
largest_of() { local last; for last in $(orders_of "$1"); do :; done; runs_of "$1" "$last"; }       # runs of the highest order

reference_of() { case $1 in two-*) echo $((reference / 4)) ;; *) echo "$reference" ;; esac; }        # two variables need fewer
power_near() {   # the power of two nearest to a number: what a Sobol' sequence likes
  local p=1
  while [ $((3 * p)) -lt $((2 * $1)) ]; do p=$((2 * p)); done
  echo $p
}

# method, case → the line `study:` of the model
study_of() {
  local name=$2 IFS=-
  set -- $1
  case $1 in
    reference) echo "{method: sobol, samples: $(reference_of "$name"), replicates: $replicates, seed: 1, keep: statistics}" ;;
    mc) echo "{method: monte-carlo, samples: $2, seed: 1, keep: statistics}" ;;
    pc) echo "{method: polynomial-chaos, chaos: {coefficients: quadrature, order: $2}}" ;;
    lhs) echo "{method: latin-hypercube, samples: $2, seed: $3, keep: statistics}" ;;
    sobol) echo "{method: sobol, samples: $2, replicates: 1, seed: 1, keep: statistics}" ;;
    sparse) echo "{method: polynomial-chaos, samples: $2, seed: 1, chaos: {coefficients: sparse, design: sobol}}" ;;
    sweep) echo "{method: monte-carlo}" ;;
    auto) echo "{method: auto, samples: $2, seed: 1}" ;;
  esac
}

# case, method: writes the model into the folder of the case and prints its path
model_of() {
  local name simulation=$rigid_start file=$out/$1/$2.yaml
  case $1 in
    long-high-*) name=slider-crank ;;
    two-variables-*) name=slider-crank-short-low ;;
    *) name=slider-crank-${1%-*} ;;
  esac
  case $1 in *-rest) name=$name-rest simulation=$rest_start ;; esac
  mkdir -p "$out/$1"
  sed -e "s/^simulation:.*/simulation: $simulation/" -e "s/^study:.*/study: $(study_of "$2" "$1")/" "$examples/$name.yaml" > "$file"
  echo "$file"
}

# case, method, number of threads: the study, into OUT/case/method
compute() {
  local folder=$out/$1/$2 known=()
  case $1 in two-variables-*) known=(--set crank_length=0.2) ;; esac
  [ -f "$folder/results.h5" ] && return
  "$program" run "$(model_of "$1" "$2")" "${known[@]}" --out "$folder" --threads "$3" --no-report --resume > "$folder.log" 2>&1 ||
    { cat "$folder.log" >&2; die "$1, $2 failed"; }
}

statistics() { "$program" export "$out/$1/$2" statistics --out "$out/$1/$2.statistics.csv"; }   # case, method

# case, method: the study and its distance from both references; results of some megabytes are then dropped
measure() {
  local mark=$out/$1/$2.errors.csv against
  [ -f "$mark" ] && return
  compute "$1" "$2" 1
  for against in reference mc-$monte_carlo; do
    "$program" compare "$out/$1/$against" "$out/$1/$2" --csv "$mark.compare" > /dev/null
    awk -F, -v head="$1,$2,$against" 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
        { print head "," $1 "," $column["e_mu"] "," $column["e_sigma"] "," $column["e_mu_relative_to"] "," $column["e_mu_noise"] "," $column["e_sigma_noise"] }' "$mark.compare"
    rm "$mark.compare"
  done > "$mark.part"
  case $2 in pc-*|lhs-*-1) statistics "$1" "$2" ;; esac
  mv "$mark.part" "$mark"
  case $2 in reference|mc-*) ;; *) rm -r "${out:?}/$1/$2" ;; esac
}

# model, variable of the field, its value, file: the four responses at 0.8 s
respond() {
  [ -s "$4" ] && return
  "$program" simulate "$1" --set "$2=$3" --csv - |
    awk -F, -v value="$3" '$1 > 0.7995 && $1 < 0.8005 { print value "," $2 "," $3 "," $4 "," $5 }' > "$4.part"
  mv "$4.part" "$4"
}

# Runs a job beside others, as many as there are cores; one that fails ends the study.
pids=()
beside() {
  "$@" &
  pids+=($!)
  if [ ${#pids[@]} -ge "$cores" ]; then
    wait "${pids[0]}"
    pids=("${pids[@]:1}")
  fi
}
all_done() {
  local pid
  for pid in "${pids[@]}"; do wait "$pid"; done
  pids=()
}

# --- the study ------------------------------------------------------------------------------------------------------------

SECONDS=0
for c in $cases; do
  echo "$c: references"
  for method in reference "mc-$monte_carlo"; do
    compute "$c" "$method" "$cores"
    [ -f "$out/$c/$method.statistics.csv" ] || statistics "$c" "$method"
  done
done

for c in $cases; do
  echo "$c: chaos, hypercubes, sobol, sparse chaos, auto"
  for method in reference "mc-$monte_carlo"; do beside measure "$c" "$method"; done
  for order in $(orders_of "$c"); do
    beside measure "$c" "pc-$order"
    for seed in $seeds; do beside measure "$c" "lhs-$(runs_of "$c" "$order")-$seed"; done
  done
  beside measure "$c" "sobol-$(power_near "$(largest_of "$c")")"
  beside measure "$c" "sparse-$(largest_of "$c")"
  beside measure "$c" "auto-$auto"
  all_done
done

mkdir -p "$out/sweeps"
for c in $cases; do
  case $c in long-high-*) variables="link.E.xi1" ;; short-low-*) variables="link.nu.xi1 link.nu.xi2" ;; *) continue ;; esac
  model=$(model_of "$c" sweep)
  for variable in $variables; do
    echo "$c: responses at 0.8 s along $variable"
    parts=$out/sweeps/$c-${variable##*.}
    mkdir -p "$parts"
    for i in $(seq 0 $((sweep_points - 1))); do
      beside respond "$model" "$variable" "$(awk -v i="$i" -v n="$sweep_points" 'BEGIN { printf "%.15g", -3 + 6 * i / (n - 1) }')" "$parts/$i.csv"
    done
    all_done
    { echo "xi,qx,qy,fx,fy"; cat "$parts"/*.csv | sort -t, -k1,1g; } > "$parts.csv"
  done
done

# --- tables ---------------------------------------------------------------------------------------------------------------

{
  echo "case,method,runs,seed,against,output,e_mu,e_sigma,e_mu_relative_to,e_mu_noise,e_sigma_noise"
  for c in $cases; do
    for file in "$out/$c"/*.errors.csv; do
      awk -F, -v OFS=, -v reference="$(reference_of "$c")" '
        BEGIN { rank["reference"] = 1; rank["mc"] = 2; rank["pc"] = rank["lhs"] = 3; rank["sobol"] = 4; rank["sparse"] = 5; rank["auto"] = 6 }
        {
          split($2, m, "-")
          runs = m[1] == "reference" ? reference : m[1] == "pc" ? (m[2] + 1) ^ ($1 ~ /^short/ ? 3 : 2) : m[2]
          print $3 == "reference" ? 1 : 2, rank[m[1]], runs, m[1] == "pc" ? 0 : m[3] + 1,
                $1, m[1] (m[1] == "pc" ? "-" m[2] : ""), runs, m[3], $3, $4, $5, $6, $7, $8, $9
        }' "$file"
    done | sort -s -t, -k1,1n -k2,2n -k3,3n -k4,4n | cut -d, -f5-
  done
} > "$out/errors.csv"

awk -F, -v monte_carlo="mc-$monte_carlo" -f "$here/tables.awk" "$out/errors.csv" > "$out/tables.md"

for file in "$out"/sweeps/*.csv; do
  awk -F, -v name="$(basename "$file" .csv)" '
    NR == 1 { for (i = 2; i <= NF; ++i) title[i] = $i; next }
    { for (i = 2; i <= NF; ++i) {
        step = $i - last[i]
        if (NR > 3 && step * before[i] < 0) ++turns[i]
        before[i] = step; last[i] = $i
      } }
    END { line = name; for (i = 2; i <= 5; ++i) line = line "," turns[i] + 0; print line }' "$file"
done | { echo "sweep,qx,qy,fx,fy"; cat; } > "$out/turning-points.csv"

for c in $cases; do
  echo "## $c"
  echo '```'
  sed -n '/^auto:/,/^$/p' "$out/$c/auto-$auto.log" | sed '/^$/d'
  echo '```'
done > "$out/auto.md"

echo "wrote errors.csv, tables.md, turning-points.csv and auto.md into $out in $SECONDS s"
if command -v python3 > /dev/null; then python3 "$here/plots.py" "$out"; fi
