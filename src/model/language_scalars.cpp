#include "model/language_scalars.hpp"

#include "model/language_study.hpp"
#include "numerics/frequency_weighting.hpp"

namespace aleator::core {

using input::Bound;
using input::Field;
using input::FieldType;
using input::Kind;

namespace {

std::vector<std::string_view> weighting_words() {
  std::vector<std::string_view> words;
  for (const FrequencyWeighting& w : frequency_weightings()) words.push_back(w.name);
  return words;
}

// What every scalar has beside its own.
std::vector<Field> common_fields() {
  return {
      {.key = "from", .unit = "s", .doc = "Output times before it do not count.", .fallback = "0", .bound = Bound::not_negative},
      {.key = "to", .unit = "s", .doc = "Output times after it do not count.", .fallback = "duration", .bound = Bound::positive},
      {.key = "weighting",
       .type = FieldType::word,
       .doc = "Frequency weighting of ISO 2631-1 that the output passes first, at rest before t = 0.",
       .fallback = "none",
       .words = weighting_words()},
      limits_field("that of the scalar")};
}

Kind reduction(std::string_view key, std::string_view doc, std::vector<Field> fields = {}) {
  for (const Field& f : common_fields()) fields.push_back(f);
  return {key,
          doc,
          {.type = FieldType::text, .doc = "Name of an output; NAME.x for a component of a vector output."},
          std::move(fields)};
}

std::vector<Field> crossing_fields(std::string_view direction) {
  return {{.key = "level", .unit = "that of the output", .doc = "The level.", .required = true},
          {.key = "direction",
           .type = FieldType::word,
           .doc = "Which crossings count.",
           .fallback = direction,
           .words = {"up", "down", "either"}}};
}

Field exponent_field() {
  return {.key = "exponent",
          .unit = "-",
          .doc = "Exponent m of the S–N curve, N ∝ S^(−m).",
          .required = true,
          .bound = Bound::positive};
}

std::vector<Field> damage_fields() {
  return {exponent_field(),
          {.key = "amplitude",
           .unit = "that of the output",
           .doc = "A point of the S–N curve: this amplitude (half the range) …",
           .required = true,
           .bound = Bound::positive},
          {.key = "cycles", .unit = "-", .doc = "… is endured for so many cycles.", .required = true, .bound = Bound::positive},
          {.key = "endurance_limit",
           .unit = "that of the output",
           .doc = "Smaller amplitudes do no damage.",
           .fallback = "0",
           .bound = Bound::not_negative}};
}

Field spectrum_field() {
  return {
      .key = "spectrum",
      .type = FieldType::group,
      .doc =
          "Also estimate its power spectral density, by Welch's method in each realization (Hann window, half overlap) and their "
          "mean; `{}` takes the defaults. Sampling methods only.",
      .fields = {{.key = "from",
                  .unit = "s",
                  .doc = "What is before does not count: transients.",
                  .fallback = "0",
                  .bound = Bound::not_negative},
                 {.key = "segment",
                  .unit = "s",
                  .doc = "Length of a segment: its inverse is the resolution in Hz. Shorter: smoother, coarser.",
                  .fallback = "a quarter of the time there is",
                  .bound = Bound::positive}}};
}

}  // namespace

std::vector<Kind> scalar_kinds() {
  return {
      reduction("maximum", "Largest value over time, between output times too."),
      reduction("minimum", "Smallest value over time, between output times too."),
      reduction("largest_magnitude", "Largest absolute value over time, between output times too."),
      reduction("final", "Value at the end."),
      reduction("rms", "Root mean square over time; with a weighting the weighted acceleration of ISO 2631-1."),
      reduction("average", "Mean over time."),
      reduction("first_crossing", "Time at which it first crosses a level; realizations that never do are counted separately.",
                crossing_fields("either")),
      reduction("crossings", "How often it crosses a level.", crossing_fields("up")),
      reduction("crossing_rate", "How often per second it crosses a level.", crossing_fields("up")),
      reduction("peak_count", "Number of local maxima."),
      reduction("peak_mean", "Mean of the local maxima; realizations without one are counted separately."),
      reduction("peak_quantile", "Quantile of the local maxima: the value that this fraction of them does not exceed.",
                {{.key = "probability",
                  .unit = "-",
                  .doc = "The fraction, between 0 and 1.",
                  .required = true,
                  .bound = Bound::positive}}),
      reduction("largest_running_rms",
                "Largest root mean square over a window that moves along; with a weighting the MTVV of ISO 2631-1.",
                {{.key = "window", .unit = "s", .doc = "Length of the window.", .fallback = "1", .bound = Bound::positive}}),
      reduction("vibration_dose", "(∫ x⁴ dt)^(1/4); with a weighting the vibration dose value (VDV) of ISO 2631-1."),
      reduction("damage",
                "Fatigue damage: rainflow cycles (ASTM E1049; the residue as half cycles), summed by Palmgren and Miner. At 1 it "
                "breaks.",
                damage_fields()),
      reduction("equivalent_amplitude", "Amplitude of which equal cycles would do the same damage as the rainflow cycles.",
                {exponent_field(),
                 {.key = "cycles",
                  .unit = "-",
                  .doc = "How many equal cycles.",
                  .fallback = "as many as were counted",
                  .bound = Bound::positive}}),
      {"value",
       "A number made of parameters, no reduction of an output: strength less demand, a cost, a closed form.",
       {.unit = "its `unit`", .doc = "An expression of the parameters."},
       {{.key = "unit", .type = FieldType::text, .doc = "Its unit.", .fallback = "none"}, limits_field("that of the scalar")}}};
}

std::vector<Field> filter_fields() {
  return {
      {.key = "weighting",
       .type = FieldType::word,
       .doc = "Frequency weighting of ISO 2631-1: what is recorded is the filtered quantity, at rest before t = 0.",
       .fallback = "none",
       .words = weighting_words()},
      {.key = "running_rms",
       .unit = "s",
       .doc =
           "What is recorded is the root mean square over a window of this length that ends at each time (at the start over the "
           "time there is), after the weighting.",
       .fallback = "none",
       .bound = Bound::positive},
      spectrum_field()};
}

}  // namespace aleator::core
