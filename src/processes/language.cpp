#include "processes/language.hpp"

namespace aleator::core::processes {

using input::Bound;
using input::Field;
using input::FieldType;
using input::Kind;

namespace {

Field group_of(std::vector<Field> fields) { return {.type = FieldType::group, .required = true, .fields = std::move(fields)}; }

Field intensity() {
  return {
      .key = "S0",
      .doc = "Two-sided spectral density of the white noise behind it, per rad/s (a one-sided one per Hz is 4π times as large).",
      .required = true,
      .bound = Bound::positive};
}

std::vector<Field> ground_fields() {
  return {intensity(),
          {.key = "omega_g", .unit = "rad/s", .doc = "Frequency of the ground.", .required = true, .bound = Bound::positive},
          {.key = "zeta_g", .unit = "-", .doc = "Damping ratio of the ground.", .required = true, .bound = Bound::positive}};
}

std::vector<Field> with(std::vector<Field> fields, std::vector<Field> more) {
  for (Field& f : more) fields.push_back(std::move(f));
  return fields;
}

std::vector<Field> road_fields() {
  return {
      {.key = "class", .type = FieldType::word, .doc = "Class of the road.", .words = {"A", "B", "C", "D", "E", "F", "G", "H"}},
      {.key = "roughness",
       .unit = "m³",
       .doc = "Instead of `class`: G_d(n0) at n0 = 0.1 1/m; 16e-6 (A), 64e-6 (B), 256e-6 (C) … May be random.",
       .bound = Bound::positive},
      {.key = "speed", .unit = "m/s", .doc = "Speed of the vehicle.", .required = true, .bound = Bound::positive},
      {.key = "waviness", .unit = "-", .doc = "Exponent w of G_d(n0) (n/n0)^−w.", .fallback = "2", .bound = Bound::positive},
      {.key = "longest", .unit = "m", .doc = "Longest wave.", .fallback = "1/0.011 = 90.9", .bound = Bound::positive},
      {.key = "shortest", .unit = "m", .doc = "Shortest wave.", .fallback = "1/2.83 = 0.353", .bound = Bound::positive}};
}

std::vector<Field> sea_fields() {
  return {{.key = "height", .unit = "m", .doc = "Significant height of waves.", .required = true, .bound = Bound::positive},
          {.key = "peak_period", .unit = "s", .doc = "Peak period.", .required = true, .bound = Bound::positive}};
}

std::vector<Field> wind_fields() {
  return {{.key = "speed", .unit = "m/s", .doc = "Mean speed U.", .required = true, .bound = Bound::positive},
          {.key = "length", .unit = "m", .doc = "Length scale L of the turbulence.", .required = true, .bound = Bound::positive},
          {.key = "intensity",
           .unit = "-",
           .doc = "Standard deviation of the speed, divided by U.",
           .required = true,
           .bound = Bound::positive}};
}

std::vector<Field> table_fields() {
  return {{.key = "table",
           .type = FieldType::table,
           .doc = "Frequency and density, frequencies rising; straight lines in logarithmic scales, 0 outside.",
           .required = true,
           .bound = Bound::positive},
          {.key = "per",
           .type = FieldType::word,
           .doc = "The frequencies, and what the density is per.",
           .required = true,
           .words = {"Hz", "rad/s"}},
          {.key = "sides",
           .type = FieldType::word,
           .doc = "`one`: the variance is its integral over positive frequencies; `two`: twice that.",
           .required = true,
           .words = {"one", "two"}},
          {.key = "unit",
           .type = FieldType::word,
           .doc = "`g`: the values are g² per frequency, an acceleration in multiples of 9.80665 m/s².",
           .fallback = "SI",
           .words = {"SI", "g"}}};
}

std::vector<Kind> kinds() {
  return {
      {.key = "white_noise",
       .doc = "White noise: one normal number per step, held over it, of variance 2π S0/step. It has no derivatives and cannot "
              "prescribe a motion.",
       .subject = group_of(
           {intensity(),
            {.key = "step", .unit = "s", .doc = "Over which a value is held.", .required = true, .bound = Bound::positive}})},
      {.key = "psd", .doc = "A spectral density given by a table, as of a shaker test.", .subject = group_of(table_fields())},
      {.key = "iso8608",
       .doc = "Profile of a road by ISO 8608, as the displacement under a wheel.",
       .subject = group_of(road_fields())},
      {.key = "kanai_tajimi",
       .doc = "Acceleration of the ground in an earthquake: white noise through a layer of soil.",
       .subject = group_of(ground_fields())},
      {.key = "clough_penzien",
       .doc = "The same without the lowest frequencies, of which the ground does not move far.",
       .subject = group_of(
           with(ground_fields(),
                {{.key = "omega_f",
                  .unit = "rad/s",
                  .doc = "Frequency of the second filter.",
                  .required = true,
                  .bound = Bound::positive},
                 {.key = "zeta_f", .unit = "-", .doc = "Its damping ratio.", .required = true, .bound = Bound::positive}}))},
      {.key = "jonswap",
       .doc = "Elevation of the sea by JONSWAP.",
       .subject = group_of(
           with(sea_fields(),
                {{.key = "gamma", .unit = "-", .doc = "Peak enhancement.", .fallback = "3.3", .bound = Bound::positive}}))},
      {.key = "pierson_moskowitz", .doc = "Elevation of a fully developed sea.", .subject = group_of(sea_fields())},
      {.key = "von_karman",
       .doc = "Turbulence of the wind along its direction, without the mean.",
       .subject = group_of(wind_fields())},
      {.key = "kaimal", .doc = "The same by Kaimal.", .subject = group_of(wind_fields())},
      {.key = "filter",
       .doc = "White noise through a filter Σ b_k s^k / Σ a_k s^k.",
       .subject = group_of({intensity(),
                            {.key = "numerator", .type = FieldType::numbers, .doc = "b0, b1, …", .required = true},
                            {.key = "denominator",
                             .type = FieldType::numbers,
                             .doc = "a0, a1, …; of a higher degree, with roots to the left.",
                             .required = true}})},
      {.key = "recorded",
       .doc = "One of several records, drawn anew in each realization; a cubic spline between its values, 0 after its end.",
       .subject =
           group_of({{.key = "records", .type = FieldType::records, .doc = "The records, one per row.", .required = true},
                     {.key = "step", .unit = "s", .doc = "Between two values.", .required = true, .bound = Bound::positive},
                     {.key = "scale", .unit = "-", .doc = "Factor of all values, 9.81 say for records in g.", .fallback = "1"}})},
  };
}

std::vector<Field> common_fields() {
  return {
      {.key = "envelope",
       .type = FieldType::group,
       .doc = "A factor over time: of an earthquake that comes and goes.",
       .fields =
           {{.key = "rise",
             .unit = "s",
             .doc = "Until this time it is (t/rise)².",
             .fallback = "0",
             .bound = Bound::not_negative},
            {.key = "hold", .unit = "s", .doc = "Until this time it is 1.", .fallback = "the end", .bound = Bound::not_negative},
            {.key = "decay",
             .unit = "1/s",
             .doc = "After that it is exp(−decay (t − hold)).",
             .fallback = "0",
             .bound = Bound::not_negative},
            {.key = "table", .type = FieldType::table, .doc = "Instead: time and factor, straight lines between."}}},
      {.key = "marginal",
       .type = FieldType::choice,
       .doc = "Distribution of its values, if not normal; the density is then that of the normal process it is made of, and the "
              "variance is kept.",
       .kinds = {{.key = "hermite",
                  .doc = "A cubic of a normal process with given moments.",
                  .subject =
                      group_of({{.key = "skewness", .unit = "-", .doc = "Skewness.", .fallback = "0"},
                                {.key = "kurtosis", .unit = "-", .doc = "Kurtosis, 3 of a normal process.", .required = true}})},
                 {.key = "lognormal",
                  .doc = "A lognormal distribution less its mean.",
                  .subject =
                      group_of({{.key = "skewness", .unit = "-", .doc = "Skewness; negative: mirrored.", .required = true}})},
                 {.key = "uniform",
                  .doc = "Between −√3 and √3 standard deviations.",
                  .subject = {.type = FieldType::group, .required = false}}}},
      {.key = "places",
       .type = FieldType::named_numbers,
       .unit = "m",
       .doc = "Several processes of this kind, at places along a line: tracks of a road, supports of a bridge. `at` of a "
              "function says which."},
      {.key = "coherence",
       .type = FieldType::choice,
       .doc = "Of the values at two places. `isotropic`: of a road that is alike in all directions.",
       .fallback = "needed with `places`",
       .words = {"isotropic"},
       .kinds =
           {{.key = "constant",
             .doc = "The same at all frequencies.",
             .subject =
                 {.type = FieldType::number, .unit = "-", .doc = "γ, 0 … 1.", .required = true, .bound = Bound::not_negative}},
            {.key = "exponential",
             .doc = "γ = exp(−decay f d/speed) (Davenport).",
             .subject = group_of(
                 {{.key = "decay", .unit = "-", .doc = "Decay, 5 to 20 of wind.", .required = true, .bound = Bound::not_negative},
                  {.key = "speed",
                   .unit = "m/s",
                   .doc = "Mean speed of the wind, or of waves in the ground.",
                   .required = true,
                   .bound = Bound::positive}})}}},
      {.key = "wave_speed",
       .unit = "m/s",
       .doc = "It reaches the places one after the other, at this speed, from the first.",
       .bound = Bound::positive},
      {.key = "phases",
       .type = FieldType::flag,
       .doc = "Random phases alone: each realization has the same power, but is normal only in the limit of many frequencies.",
       .fallback = "false"},
      {.key = "cutoff",
       .unit = "Hz",
       .doc = "Highest frequency that is generated.",
       .fallback = "99 % of the variance",
       .bound = Bound::positive},
      {.key = "period",
       .unit = "s",
       .doc = "After which it repeats; its inverse is the distance of frequencies.",
       .fallback = "2 duration",
       .bound = Bound::positive},
      {.key = "leading",
       .type = FieldType::integer,
       .unit = "-",
       .doc = "How many of its random numbers, those of the largest amplitudes, a design of samples places (Latin hypercube, "
              "sequences).",
       .fallback = "8",
       .bound = Bound::not_negative},
  };
}

}  // namespace

input::Section section() {
  std::vector<Kind> all = kinds();
  for (Kind& k : all) {
    const bool spectrum = k.key != "white_noise" && k.key != "recorded";
    for (Field& f : common_fields()) {
      const bool of_spectra =
          f.key == "phases" || f.key == "cutoff" || f.key == "period" || f.key == "leading" || f.key == "wave_speed";
      const bool of_places = f.key == "places" || f.key == "coherence";
      if ((of_spectra && !spectrum) || (k.key == "recorded" && (of_places || f.key == "marginal"))) continue;
      k.fields.push_back(std::move(f));
    }
  }
  return {"processes",
          "process",
          "Random functions of time: roads, earthquakes, waves, wind, shakers. `{process: name}` stands wherever a function of "
          "time may.",
          {},
          std::move(all)};
}

}  // namespace aleator::core::processes
