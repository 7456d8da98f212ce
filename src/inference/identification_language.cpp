// What may be written in the file of `aleator identify`, as field tables.
#include "inference/identification_file.hpp"

namespace aleator::core::inference {

using input::Bound;
using input::Field;
using input::FieldType;
using input::Kind;

namespace {

constexpr std::string_view introduction =
    R"(# Keys of the file of `aleator identify`

*Written by the program from the tables its reader checks against; do not edit.*

Numbers may be expressions: `1/sqrt(2)`, `5 %`. Files are relative to the folder of the study.
)";

Field count(std::string_view key, std::string_view fallback, std::string_view doc) {
  return {.key = key, .type = FieldType::integer, .unit = "-", .doc = doc, .fallback = fallback, .bound = Bound::positive};
}

Field share(std::string_view key, std::string_view fallback, std::string_view doc) {
  return {.key = key, .unit = "-", .doc = doc, .fallback = fallback, .bound = Bound::positive};
}

Kind prior_kind(std::string_view key, std::string_view doc) {
  return {.key = key,
          .doc = doc,
          .subject = {.type = FieldType::group,
                      .fields = {{.key = "mean", .unit = "that of the parameter", .doc = "Mean.", .required = true},
                                 {.key = "std",
                                  .unit = "that of the parameter",
                                  .doc = "Standard deviation.",
                                  .required = true,
                                  .bound = Bound::positive}}}};
}

Field data_field() {
  return {
      .key = "data",
      .type = FieldType::group,
      .doc = "Measured data: one CSV file per specimen, with a header that names the columns. Not needed for `sweep`.",
      .fields = {
          {.key = "specimens",
           .type = FieldType::words,
           .doc = "A folder (all its `*.csv`, by name), a file, a pattern (`measured/a*.csv`), or a list of those.",
           .required = true},
          {.key = "time", .type = FieldType::text, .doc = "The column of time.", .fallback = "`time` or `t`"},
          {.key = "columns",
           .type = FieldType::named_texts,
           .doc = "Output of the model: its column in the files, `{accel_z: az_top}`. Only these are then used.",
           .fallback = "every output with a column of the same name"},
          {.key = "noise",
           .type = FieldType::number_by_name,
           .unit = "that of the output",
           .doc = "Standard deviation of the measurement error, one for all outputs or by output.",
           .fallback = "0",
           .bound = Bound::not_negative},
          {.key = "scale",
           .type = FieldType::number_by_name,
           .doc = "Number in the file × this = output in the unit of the model: `{accel_z: 9.81}` for a file in g.",
           .fallback = "1"},
          {.key = "time_scale",
           .unit = "-",
           .doc = "Time in the file × this = seconds: `1e-3` for milliseconds.",
           .fallback = "1",
           .bound = Bound::positive},
          {.key = "time_offset", .unit = "s", .doc = "Measured time, in seconds, at which the model starts.", .fallback = "0"},
          {.key = "from", .unit = "s", .doc = "Times of the model before this are ignored.", .fallback = "all times are used"},
          {.key = "to", .unit = "s", .doc = "Times of the model after this are ignored.", .fallback = "all times are used"}}};
}

Field free_field() {
  return {.key = "free",
          .type = FieldType::named_groups,
          .doc = "The parameters to be identified, by the names that `--set` accepts: `rb5.mass.cov: {from: 0.05, to: 0.6}`.",
          .required = true,
          .fields = {{.key = "from",
                      .unit = "that of the parameter",
                      .doc = "Lower end of its range.",
                      .fallback = "`mass.cov` 0.01; other `cov` 0.005; `center_of_mass.scale` 0.05; `lambda_l`, `lambda_u` -20; "
                                  "otherwise a third of the value in the model"},
                     {.key = "to",
                      .unit = "that of the parameter",
                      .doc = "Upper end.",
                      .fallback = "`mass.cov` 0.7; other `cov` 1; `center_of_mass.scale` 2; `lambda_l` 0.4 (plane -1.1); "
                                  "`lambda_u` 0.9; otherwise three times the value in the model"},
                     {.key = "prior",
                      .type = FieldType::choice,
                      .doc = "Prior distribution inside the range; for `bayesian`.",
                      .fallback = "uniform",
                      .words = {"uniform"},
                      .kinds = {prior_kind("normal", "Normal."), prior_kind("lognormal", "Its logarithm is normal.")}}}};
}

input::Language make_language() {
  return {
      .top =
          {{.key = "title", .type = FieldType::text, .doc = "What it is."},
           {.key = "model", .type = FieldType::text, .doc = "File of the model.", .required = true},
           {.key = "set",
            .type = FieldType::named_numbers,
            .doc = "Values of the model or parameters of its distributions to be replaced, as with `--set`: `{rb5.mass: 41}`."},
           data_field(),
           free_field(),
           {.key = "method",
            .type = FieldType::word,
            .doc = "`maximum-likelihood`: the most likely values, with confidence intervals; `bayesian`: also a sample of the "
                   "posterior; `least-squares`: deterministic parameters of the model; `sweep`: without data, how the "
                   "spread of the responses depends on each parameter.",
            .fallback = "maximum-likelihood",
            .words = {"maximum-likelihood", "bayesian", "least-squares", "sweep"}},
           {.key = "likelihood",
            .type = FieldType::word,
            .doc = "How the density of responses is estimated from simulations: a `kernel` around each, or only their mean and "
                   "covariance (`moments`).",
            .fallback = "kernel",
            .words = {"kernel", "moments"}},
           share("energy", "0.99", "Fraction of the variance of the responses that the principal components keep, at most 1."),
           count("components", "3",
                 "Maximum number of principal components: with more, thousands of realizations are too few for their density."),
           count("samples", "2000, or 20 for each specimen if that is more",
                 "Realizations for each evaluation of the likelihood, at least 20."),
           count("evaluations", "300", "Maximum number of evaluations of the likelihood; at least 3."),
           share("confidence", "0.95", "Confidence level of the intervals of parameters, below 1."),
           share("band", "0.9", "Probability of the predicted bands, below 1."),
           {.key = "seed",
            .type = FieldType::integer,
            .unit = "-",
            .doc = "Seed of the random numbers.",
            .fallback = "1",
            .bound = Bound::not_negative},
           count("places", "9", "Values of each parameter in a sweep, at least 2.")},
      .what = "study file",
      .of_models = false,
      .introduction = introduction};
}

}  // namespace

const input::Language& identification_language() {
  static const input::Language language = make_language();
  return language;
}

}  // namespace aleator::core::inference
