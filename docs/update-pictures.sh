#!/usr/bin/env bash
# Draws the pictures of README and docs again: computes what they show, then `aleator plot` draws them. It takes a few minutes.
# Usage: docs/update-pictures.sh [--all] [PROGRAM]; without PROGRAM it asks ./aleator. Results go to out/pictures.
#
# What is no figure of a results file is drawn by scripts, which this calls (they need python3 and nothing else):
#   images/five-body.py          five-body.svg: the mechanism beside its nominal acceleration
#   images/five-body-study.py    five-body-random.svg: samples of the beam, seen from above
#   images/gallery.mjs           gallery/*-motion.png: the mechanisms of the examples, in Chromium as well
#   images/report.mjs            report-*.png, identification-*.png: the page of reports in Chromium (after ./test, which installs what it needs)
#   images/slider-crank-study.py slider-crank.svg, slider-crank-fields.svg: the mechanism, errors of random fields
# and, only with --all, because they simulate for long:
#   images/slider-crank-steps.py slider-crank-steps.svg: errors against the step, ten minutes
#   examples/slider-crank-study  slider-crank-study-*.svg: errors against the number of runs, hours
set -euo pipefail
root=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)
all=
[[ ${1-} == --all ]] && { all=yes; shift; }
program=$(readlink -f -- "${1:-$root/aleator}")
pictures=$root/docs/images out=$root/out/pictures
mkdir -p "$out"

study() {  # FOLDER MODEL [OPTION…]: computes a study into a folder of $out
  echo "computing $1"
  "$program" run "$root/examples/$2.yaml" --out "$out/$1" --overwrite "${@:3}" >/dev/null
}
table() { "$program" export "$out/$1" "$2" --out "$out/$1/$2.csv"; }  # FOLDER WHAT: for scripts
plot() {  # PICTURE ARGUMENT…
  "$program" plot "${@:2}" --svg "$pictures/$1.svg"
  echo "wrote $1.svg, $(($(wc -c <"$pictures/$1.svg") / 1000)) kB"
}

# --- first page of the site: the model is the one printed there ---
sed -n '/^```yaml/,/^```$/{/^```/d;p}' "$root/docs/site/index.md" >"$out/pendulum.yaml"
"$program" run "$out/pendulum.yaml" --out "$out/pendulum" --overwrite >/dev/null
plot pendulum "$out/pendulum" pull

# --- five bodies ---
for name in five-body-mass five-body-inertia five-body-center-of-mass five-body; do
  study $name $name
  table $name statistics
done
plot five-body-bands "$out/five-body-mass" accel_z alpha_x --with "$out/five-body-inertia" --with "$out/five-body-center-of-mass" \
  --with "$out/five-body" --side-by-side --names "mass,inertia,centre of mass,all three" --width 1100 --height 600 \
  --title "What if the mass, the inertia, the centre of mass of the beam are not known?"

study five-body-4000 five-body --sensitivity --samples 4000
for what in samples scalars statistics; do table five-body-4000 $what; done
plot five-body-shares "$out/five-body-4000" --what sensitivity --columns 2 --width 1000
plot five-body-convergence "$out/five-body-4000" --what convergence --columns 2 --width 1000
plot five-body-peaks "$out/five-body-4000" peak --what distribution --height 330
"$program" simulate "$root/examples/five-body.yaml" --csv "$out/nominal.csv" --out "$out" >/dev/null
python3 "$pictures/five-body.py" "$out/nominal.csv"
python3 "$pictures/five-body-study.py" "$out"

# --- identification ---
echo "computing identify-five-body"
"$program" identify "$root/examples/identify-five-body/identify.yaml" --out "$out/identify" >/dev/null
plot identification-profiles "$out/identify" --what profile --columns 2 --width 1000
plot identification-measured "$out/identify" --what measured --columns 3 --width 1200 --height 420

node "$pictures/report.mjs" "$out/five-body" "$out/five-body-4000" "$out/identify"

# --- slider-crank ---
for name in slider-crank slider-crank-rest; do study $name $name --samples 200; done
plot slider-crank-bands "$out/slider-crank" qx qy fx fy --columns 2 --width 1000
plot slider-crank-rest "$out/slider-crank-rest" qy fx --columns 2 --width 1000 --title "Slider-crank with a flexible link, started at rest"
python3 "$pictures/slider-crank-study.py"

# --- gallery: each example with one response; the mechanism once of those that look the same ---
mkdir -p "$pictures/gallery"
example() {  # NAME OUTPUT [OPTION…]
  echo "computing $1"
  local method=()
  [[ ${3-} == --method ]] && { method=("${@:3:2}"); set -- "$1" "$2" "${@:5}"; }
  "$program" run "$root/examples/$1.yaml" "${method[@]}" --out "$out/gallery/$1" --overwrite >/dev/null 2>&1
  plot "gallery/$1" "$out/gallery/$1" "$2" --title "" --width 440 --height 270 "${@:3}"
}
example pendulum pull
example slider-crank-rigid drive_torque
for name in slider-crank slider-crank-rest slider-crank-long-low slider-crank-long-low-rest slider-crank-short-high slider-crank-short-high-rest \
  slider-crank-short-low slider-crank-short-low-rest; do example $name fx --to 0.25; done
example top centre.x
example connecting-rod swing
example chain pull
example quadruped front-left.bend
example leg foot.z
example humanoid left_foot.z
example gearbox drum_angle
"$program" modes "$root/examples/spinning-blade.yaml" --over speed=0..60 --points 61 --number 5 --orders 1,2 --out "$out/gallery/campbell" >/dev/null 2>&1
cp "$out/gallery/campbell/campbell.svg" "$pictures/campbell.svg"
example quarter-car car
for name in five-body five-body-mass five-body-center-of-mass five-body-inertia; do example $name accel_z; done
example vehicle-bump seat
example quarter-car-road comfort --to 3
example shaker deflection --to 0.5
example base-isolation base
example adjacent-buildings between
example first-passage x --to 10
example pulse x --method monte-carlo
example andrews gamma
example n-four-bar b0.x
example bricard P3.z
node "$pictures/gallery.mjs" "$out/gallery/"{pendulum,slider-crank-rigid,slider-crank,top,connecting-rod,chain,quadruped,leg,humanoid,gearbox,quarter-car,five-body,vehicle-bump,quarter-car-road,shaker,base-isolation,adjacent-buildings,first-passage,pulse,andrews,n-four-bar,bricard}

if [[ $all ]]; then
  python3 "$pictures/slider-crank-steps.py" "$program" "$out/slider-crank-steps"
  "$root/examples/slider-crank-study/study.sh" --aleator "$program" --out "$out/slider-crank-study"
  python3 "$root/examples/slider-crank-study/plots.py" "$out/slider-crank-study" "$pictures"
fi
