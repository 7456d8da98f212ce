#include "uncertainty/laws.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "model/distribution_kinds.hpp"
#include "uncertainty/given.hpp"

namespace aleator::core {

namespace {

using std::numbers::pi;

// "gamma, shape 4, rate 0.1": the parameters people see are those of OpenTURNS under plainer names.
struct Shown {
  std::string_view name;
  double value;
};
std::string words(std::string title, std::initializer_list<Shown> values) {
  for (const auto& v : values)
    if (v.name != "shift" || v.value != 0) title += fmt::format(", {} {:.6g}", v.name, v.value);
  return title;
}

// The part of a law between `lower` and `upper`, where they are given.
Law cut(Law law, const Given& g) {
  if (g.has("lower") && g.has("upper")) g.below("lower", "upper");
  law.cut_lower = g.at("lower", law.cut_lower);
  law.cut_upper = g.at("upper", law.cut_upper);
  if (g.has("lower")) law.words += fmt::format(", truncated below {:.6g}", law.cut_lower);
  if (g.has("upper")) law.words += fmt::format(", truncated above {:.6g}", law.cut_upper);
  return law;
}

// Distance of the mean from where the law begins.
double mean_above_shift(const Given& g) {
  const double mean = g.or_nominal("mean"), shift = g.at("shift", 0);
  if (mean > shift) return mean - shift;
  if (g.has("shift")) throw std::invalid_argument(fmt::format("{} must be above {}", g.said("mean"), g.said("shift")));
  throw std::invalid_argument(fmt::format("{} must be positive", g.said("mean")));
}

Law uniform(const Given& g) {
  double a, b;
  if (g.either({"lower", "upper"}, {"mean", "half_width", "std", "cov"})) {
    g.below("lower", "upper");
    a = g.at("lower"), b = g.at("upper");
  } else {
    const double mean = g.or_nominal("mean");
    const auto key = g.one_of({"half_width", "std", "cov"});
    const double half = key == "half_width" ? g.at(key) : std::sqrt(3.0) * g.spread(mean);
    a = mean - half, b = mean + half;
  }
  return {"Uniform", {{"a", a}, {"b", b}}, words("uniform", {{"lower", a}, {"upper", b}})};
}

Law normal(const Given& g) {
  const double mean = g.or_nominal("mean"), std = g.spread(mean);
  return {"Normal", {{"mean", mean}, {"standard_deviation", std}}, words("normal", {{"mean", mean}, {"std", std}})};
}

Law truncated_normal(const Given& g) {
  if (!g.has("lower") && !g.has("upper"))
    throw std::invalid_argument("give 'lower' or 'upper' or both, or use a normal distribution");
  return cut(normal(g), g);
}

// ln X is normal (μ, σ):  σ² = ln(1 + (s/m)²),  μ = ln m − σ²/2.
Law lognormal(const Given& g) {
  const double m = mean_above_shift(g), shift = g.at("shift", 0), s = g.spread(m + shift);
  const double sigma2 = std::log1p(s * s / (m * m)), mu = std::log(m) - sigma2 / 2, sigma = std::sqrt(sigma2);
  const double mean = m + shift;
  return cut({"LogNormal",
              {{"muLog", mu}, {"sigmaLog", sigma}, {"gamma", shift}},
              words("lognormal", {{"mean", mean}, {"std", s}, {"shift", shift}})},
             g);
}

Law gamma(const Given& g) {
  const double shift = g.at("shift", 0);
  double shape, rate;
  if (g.either({"shape", "rate"}, {"mean", "std", "cov"})) {
    shape = g.at("shape"), rate = g.at("rate");
  } else {
    const double m = mean_above_shift(g), s = g.spread(m + shift);
    rate = m / (s * s), shape = m * rate;
  }
  return cut({"Gamma",
              {{"k", shape}, {"lambda", rate}, {"gamma", shift}},
              words("gamma", {{"shape", shape}, {"rate", rate}, {"shift", shift}})},
             g);
}

// With m and v the mean and the variance on [0, 1]:  α + β = m (1 − m)/v − 1,  α = m (α + β).
Law beta(const Given& g) {
  g.below("lower", "upper");
  const double a = g.at("lower"), b = g.at("upper");
  double alpha, beta;
  if (g.either({"alpha", "beta"}, {"mean", "std", "cov"})) {
    alpha = g.at("alpha"), beta = g.at("beta");
  } else {
    g.below("lower", "mean");
    g.below("mean", "upper");
    const double mean = g.or_nominal("mean"), s = g.spread(mean), limit = std::sqrt((mean - a) * (b - mean));
    if (!(s < limit))
      throw std::invalid_argument(
          fmt::format("the standard deviation ({:.6g}) must be below {:.6g}, the root of "
                      "(mean − lower) (upper − mean)",
                      s, limit));
    const double sum = (limit / s) * (limit / s) - 1;
    if (!(sum < 1e8))  // beyond, its distribution function cannot be told from a step
      throw std::invalid_argument(
          fmt::format("the standard deviation ({:.6g}) is too small for the range; use a normal distribution", s));
    alpha = sum * (mean - a) / (b - a), beta = sum * (b - mean) / (b - a);
  }
  return {"Beta",
          {{"alpha", alpha}, {"beta", beta}, {"a", a}, {"b", b}},
          words("beta", {{"lower", a}, {"upper", b}, {"alpha", alpha}, {"beta", beta}})};
}

Law triangular(const Given& g) {
  g.below("lower", "upper");
  const double a = g.at("lower"), m = g.or_nominal("mode"), b = g.at("upper");
  if (!(a <= m && m <= b))
    throw std::invalid_argument(fmt::format("{} must be between {} and {}", g.said("mode"), g.said("lower"), g.said("upper")));
  return {"Triangular", {{"a", a}, {"m", m}, {"b", b}}, words("triangular", {{"lower", a}, {"mode", m}, {"upper", b}})};
}

Law trapezoidal(const Given& g) {
  g.below("lower", "upper");
  const double a = g.at("lower"), b = g.at("flat_lower"), c = g.at("flat_upper"), d = g.at("upper");
  if (!(a <= b && b <= c && c <= d))
    throw std::invalid_argument(fmt::format("{}, {}, {} and {} must not decrease", g.said("lower"), g.said("flat_lower"),
                                            g.said("flat_upper"), g.said("upper")));
  return {"Trapezoidal",
          {{"a", a}, {"b", b}, {"c", c}, {"d", d}},
          words("trapezoidal", {{"lower", a}, {"flat from", b}, {"to", c}, {"upper", d}})};
}

Law log_uniform(const Given& g) {
  g.below("lower", "upper");
  const double a = g.at("lower"), b = g.at("upper");
  return {"LogUniform", {{"aLog", std::log(a)}, {"bLog", std::log(b)}}, words("log-uniform", {{"lower", a}, {"upper", b}})};
}

Law exponential(const Given& g) {
  const double shift = g.at("shift", 0), rate = g.either({"rate"}, {"mean"}) ? g.at("rate") : 1 / mean_above_shift(g);
  return {"Exponential", {{"lambda", rate}, {"gamma", shift}}, words("exponential", {{"rate", rate}, {"shift", shift}})};
}

double log_gamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);  // std::lgamma writes a global variable
}

// The shape k of a Weibull law of given coefficient of variation c:  Γ(1 + 2/k) / Γ(1 + 1/k)² = 1 + c², decreasing in k.
double weibull_shape(double c) {
  double lower = std::log(0.02), upper = std::log(1e5);  // c from 1e29 down to 1.3e-5
  const double wanted = std::log1p(c * c);
  for (int i = 0; i < 100; ++i) {  // beyond what round-off leaves to halve
    const double middle = (lower + upper) / 2, x = std::exp(-middle);
    (log_gamma(1 + 2 * x) - 2 * log_gamma(1 + x) > wanted ? lower : upper) = middle;
  }
  return std::exp(lower);
}

Law weibull(const Given& g) {
  const double shift = g.at("shift", 0);
  double scale, shape;
  if (g.either({"scale", "shape"}, {"mean", "std", "cov"})) {
    scale = g.at("scale"), shape = g.at("shape");
  } else {
    const double m = mean_above_shift(g), c = g.spread(m + shift) / m;
    if (c < 1e-3)
      throw std::invalid_argument(
          fmt::format("the standard deviation must be at least a thousandth of mean − shift, found {:.6g} of it", c));
    shape = weibull_shape(c), scale = m / std::exp(log_gamma(1 + 1 / shape));
  }
  return cut({"WeibullMin",
              {{"beta", scale}, {"alpha", shape}, {"gamma", shift}},
              words("Weibull", {{"scale", scale}, {"shape", shape}, {"shift", shift}})},
             g);
}

// mean = location + γ scale (Euler's γ),  std = scale π/√6.
Law gumbel(const Given& g) {
  double location, scale;
  if (g.either({"location", "scale"}, {"mean", "std", "cov"})) {
    location = g.at("location"), scale = g.at("scale");
  } else {
    const double mean = g.or_nominal("mean");
    scale = g.spread(mean) * std::sqrt(6.0) / pi, location = mean - std::numbers::egamma * scale;
  }
  return {"Gumbel", {{"beta", scale}, {"gamma", location}}, words("Gumbel", {{"location", location}, {"scale", scale}})};
}

Law rayleigh(const Given& g) {
  const double shift = g.at("shift", 0);
  const double scale = g.either({"scale"}, {"mean"}) ? g.at("scale") : mean_above_shift(g) * std::sqrt(2 / pi);
  return {"Rayleigh", {{"beta", scale}, {"gamma", shift}}, words("Rayleigh", {{"scale", scale}, {"shift", shift}})};
}

// The scale of a symmetric law whose standard deviation at scale 1 is `unit`.
double symmetric_scale(const Given& g, double mean, double unit) {
  return g.one_of({"std", "cov", "scale"}) == "scale" ? g.at("scale") : g.spread(mean) / unit;
}

Law student(const Given& g) {
  const double degrees = g.at("degrees"), mean = g.or_nominal("mean");
  if (!g.has("scale") && degrees <= 2)
    throw std::invalid_argument(fmt::format("{} must be above 2 for a standard deviation; give 'scale'", g.said("degrees")));
  const double scale = symmetric_scale(g, mean, std::sqrt(degrees / (degrees - 2)));
  return {"Student",
          {{"nu", degrees}, {"mean", mean}, {"standard_deviation", scale}},
          words("Student", {{"degrees", degrees}, {"centre", mean}, {"scale", scale}})};
}

Law logistic(const Given& g) {
  const double mean = g.or_nominal("mean"), scale = symmetric_scale(g, mean, pi / std::sqrt(3.0));
  return {"Logistic", {{"mu", mean}, {"beta", scale}}, words("logistic", {{"mean", mean}, {"scale", scale}})};
}

Law laplace(const Given& g) {
  const double mean = g.or_nominal("mean"), scale = symmetric_scale(g, mean, std::sqrt(2.0));
  return {"Laplace", {{"mu", mean}, {"lambda", 1 / scale}}, words("Laplace", {{"mean", mean}, {"scale", scale}})};
}

struct Row {
  std::string_view kind;
  Law (*law)(const Given&);
};
constexpr Row rows[] = {
    {"uniform", uniform},
    {"normal", normal},
    {"truncated_normal", truncated_normal},
    {"lognormal", lognormal},
    {"gamma", gamma},
    {"beta", beta},
    {"triangular", triangular},
    {"trapezoidal", trapezoidal},
    {"log_uniform", log_uniform},
    {"exponential", exponential},
    {"weibull", weibull},
    {"gumbel", gumbel},
    {"rayleigh", rayleigh},
    {"student", student},
    {"logistic", logistic},
    {"laplace", laplace},
};

}  // namespace

Law law_of(std::string_view kind, std::span<const Argument> arguments, double nominal) {
  const Given given(kind_of(distribution_kinds(), kind, "distribution").subject.fields, arguments, nominal);
  for (const auto& row : rows)
    if (row.kind == kind) return row.law(given);
  throw std::logic_error(fmt::format("the distribution '{}' has a field table but no function", kind));
}

}  // namespace aleator::core
