#include "model/distribution_kinds.hpp"

#include <utility>

namespace aleator::core {

namespace {

using input::Bound;
using input::Field;
using input::FieldType;
using input::Kind;

// Fields that mean the same in every law.
const Field mean = {.key = "mean", .doc = "Mean.", .fallback = "the nominal value"};
const Field stddev = {.key = "std", .doc = "Standard deviation.", .bound = Bound::positive};
const Field cov = {.key = "cov", .unit = "-", .doc = "Instead of `std`: standard deviation / |mean|.", .bound = Bound::positive};
const Field shift = {.key = "shift", .doc = "Lower end of the distribution.", .fallback = "0"};
const Field cut_lower = {.key = "lower",
                         .doc = "Truncated below this value; the other parameters are those before truncation.",
                         .fallback = "not truncated"};
const Field cut_upper = {.key = "upper",
                         .doc = "Truncated above this value; the other parameters are those before truncation.",
                         .fallback = "not truncated"};

Field number(std::string_view key, std::string_view doc) { return {.key = key, .doc = doc}; }
Field required(Field field) {
  field.required = true;
  return field;
}
Field positive(std::string_view key, std::string_view unit, std::string_view doc) {
  return {.key = key, .unit = unit, .doc = doc, .bound = Bound::positive};
}

Kind law(std::string_view key, std::string_view doc, std::vector<Field> fields) {
  return {.key = key, .doc = doc, .subject = {.type = FieldType::group, .required = true, .fields = std::move(fields)}};
}

Kind copula(std::string_view key, std::string_view doc, std::string_view range) {
  return {.key = key,
          .doc = doc,
          .subject = {.type = FieldType::words, .doc = "The two random quantities.", .required = true},
          .fields = {{.key = "theta", .unit = "-", .doc = range, .required = true}}};
}

}  // namespace

const std::vector<Kind>& distribution_kinds() {
  static const std::vector<Kind> kinds = {
      law("uniform", "Uniform between two limits: `lower` and `upper`, or `mean` and its spread.",
          {number("lower", "Smallest value; with `upper`."), number("upper", "Largest value; with `lower`."), mean,
           positive("half_width", "", "Distance of the limits from the mean."), stddev, cov}),
      law("normal", "Normal (Gauss).", {mean, stddev, cov}),
      law("truncated_normal", "Normal between limits, of which one may be omitted; `mean` and `std` are those before truncation.",
          {mean, stddev, cov, cut_lower, cut_upper}),
      law("lognormal", "Its logarithm (of the distance from `shift`) is normal.",
          {mean, stddev, cov, shift, cut_lower, cut_upper}),
      law("gamma", "Gamma: `mean` and its spread, or `shape` and `rate`.",
          {mean, stddev, cov, positive("shape", "-", "Shape, with `rate`: (mean / std)²."),
           positive("rate", "", "Rate, with `shape`: mean / std²."), shift, cut_lower, cut_upper}),
      law("beta", "Beta between two limits: `mean` and its spread, or `alpha` and `beta`.",
          {required(number("lower", "Smallest value.")), required(number("upper", "Largest value.")), mean, stddev, cov,
           positive("alpha", "-", "Exponent + 1 at `lower`, with `beta`."),
           positive("beta", "-", "Exponent + 1 at `upper`, with `alpha`.")}),
      law("triangular", "Triangular density.",
          {required(number("lower", "Smallest value.")),
           {.key = "mode", .doc = "Most likely value.", .fallback = "the nominal value"},
           required(number("upper", "Largest value."))}),
      law("trapezoidal", "Trapezoidal density: rises linearly, is constant, falls linearly.",
          {required(number("lower", "Smallest value.")), required(number("flat_lower", "Start of the constant part.")),
           required(number("flat_upper", "End of the constant part.")), required(number("upper", "Largest value."))}),
      law("log_uniform", "The logarithm is uniform between two limits.",
          {required(positive("lower", "", "Smallest value.")), required(positive("upper", "", "Largest value."))}),
      law("exponential", "Exponential: `mean`, or `rate`.",
          {mean, positive("rate", "", "Instead of `mean`: 1 / (mean − shift)."), shift}),
      law("weibull", "Weibull (of smallest values): `mean` and its spread, or `scale` and `shape`.",
          {mean, stddev, cov, positive("scale", "", "Scale, with `shape`: 63 % of the values lie within it."),
           positive("shape", "-", "Shape, with `scale`."), shift, cut_lower, cut_upper}),
      law("gumbel", "Gumbel (of largest values): `mean` and its spread, or `location` and `scale`.",
          {mean, stddev, cov, number("location", "Most likely value, with `scale`."),
           positive("scale", "", "Scale, with `location`: std √6 / π.")}),
      law("rayleigh", "Rayleigh: `mean`, or `scale`.",
          {mean, positive("scale", "", "Instead of `mean`: (mean − shift) √(2/π)."), shift}),
      law("student", "Student's t: symmetric, with heavy tails.",
          {required(positive("degrees", "-", "Degrees of freedom, any positive number.")),
           {.key = "mean", .doc = "Centre of symmetry.", .fallback = "the nominal value"},
           positive("scale", "", "Instead of `std`: the scale of the distance from the centre."),
           {.key = "std", .doc = "Standard deviation; needs more than 2 degrees of freedom.", .bound = Bound::positive},
           cov}),
      law("logistic", "Logistic: symmetric, with exponential tails.",
          {mean, stddev, cov, positive("scale", "", "Instead of `std`: std √3 / π.")}),
      law("laplace", "Laplace: two-sided exponential.",
          {mean, stddev, cov, positive("scale", "", "Instead of `std`: std / √2.")}),
  };
  return kinds;
}

const std::vector<Kind>& copula_kinds() {
  static const std::vector<Kind> kinds = {
      copula("clayton", "Clayton: strong dependence of small values.", "≥ −1, not 0; Kendall's τ = θ/(θ + 2)."),
      copula("frank", "Frank: symmetric, no dependence of extremes.", "Any number but 0; its sign is that of the dependence."),
      copula("gumbel", "Gumbel: strong dependence of large values.", "≥ 1; Kendall's τ = 1 − 1/θ."),
      copula("plackett", "Plackett: constant odds ratio θ.", "> 0; below 1 negative, above 1 positive dependence."),
      copula("ali_mikhail_haq", "Ali–Mikhail–Haq: weak dependence, stronger for small values.", "−1 … 1 (without 1)."),
      copula("farlie_gumbel_morgenstern", "Farlie–Gumbel–Morgenstern: weak dependence.", "−1 … 1; Kendall's τ = 2θ/9."),
  };
  return kinds;
}

}  // namespace aleator::core
