#include "uncertainty/own_laws.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <vector>

#include "numerics/incomplete_gamma.hpp"
#include "numerics/incomplete_gamma_steps.hpp"
#include "numerics/normal_quantile.hpp"
#include "numerics/program_sequence.hpp"
#include "uncertainty/distribution_module.hpp"

namespace aleator::core {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double normal_tail(double z) { return std::erfc(z / std::numbers::sqrt2) / 2; }

// What all of them have in common; edges as those of the module's laws.
class OwnLaw : public Distribution {
 public:
  OwnLaw(Law law, double lower, double upper, double mean, double standard_deviation, bool smooth = true)
      : law_(std::move(law)),
        lower_(lower),
        upper_(upper),
        mean_(mean),
        standard_deviation_(standard_deviation),
        smooth_(smooth) {}

  double quantile(double p) const override {
    if (p <= 0) return lower_;
    if (p >= 1) return upper_;
    p = std::clamp(p, 0x1p-53, 1 - 0x1p-53);
    return std::clamp(between(p, 1 - p), lower_, upper_);
  }
  void quantiles(std::span<const double> p, std::span<double> x) const override {
    static thread_local std::vector<double> below, above;
    below.clear(), above.clear();
    for (const double own : p) below.push_back(std::clamp(own, 0x1p-53, 1 - 0x1p-53)), above.push_back(1 - below.back());
    between(below, above, x);
    for (std::size_t i = 0; i < p.size(); ++i) x[i] = p[i] <= 0 ? lower_ : p[i] >= 1 ? upper_ : std::clamp(x[i], lower_, upper_);
  }
  bool record_quantile(SequenceRecorder& to, int p, int x) const override {
    record_between(to, p, x);
    to.program([&] { to.store(x, min(max(to.read(x), Traced(lower_)), Traced(upper_))); });
    return true;
  }
  double at_normal(double z) const override {
    constexpr double farthest = 12;  // 2e-33
    z = std::clamp(z, -farthest, farthest);
    const double tail = normal_tail(std::abs(z));
    return std::clamp(z < 0 ? between(tail, 1 - tail) : between(1 - tail, tail), lower_, upper_);
  }
  double cdf(double x) const override { return x <= lower_ ? 0 : x >= upper_ ? 1 : below(x); }
  double pdf(double x) const override { return x < lower_ || x > upper_ ? 0 : density(x); }
  bool has_density() const override { return true; }
  double mean() const override { return mean_; }
  double standard_deviation() const override { return standard_deviation_; }
  double lower() const override { return lower_; }
  double upper() const override { return upper_; }
  bool smooth_germ() const override { return smooth_; }
  PolynomialFamily polynomials(int degree) const override { return of_module().polynomials(degree); }
  GaussQuadrature gauss(int n) const override { return of_module().gauss(n); }
  Law law() const override { return law_; }
  std::string words() const override { return law_.words; }

 private:
  virtual double between(double below, double above) const = 0;  // the value with these probabilities
  virtual void between(std::span<const double> below, std::span<const double> above, std::span<double> x) const {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = between(below[i], above[i]);
  }
  virtual void record_between(SequenceRecorder& to, int p, int x) const = 0;
  virtual double below(double x) const = 0;  // inside the support
  virtual double density(double x) const = 0;

  const Distribution& of_module() const {
    std::call_once(asked_, [&] { module_law_ = distribution_module().make(law_); });
    return *module_law_;
  }

  Law law_;
  double lower_, upper_, mean_, standard_deviation_;
  bool smooth_;
  mutable std::once_flag asked_;
  mutable std::unique_ptr<const Distribution> module_law_;
};

// Laws whose quantiles are a formula: at(below, above) on any scalar.
template <class L>
class Formula : public OwnLaw {
 public:
  using OwnLaw::OwnLaw;

 private:
  double between(double below, double above) const final { return static_cast<const L&>(*this).at(below, above); }
  void record_between(SequenceRecorder& to, int p, int x) const final {
    to.program([&] { to.store(x, static_cast<const L&>(*this).at(to.read(p), Traced(1) - to.read(p))); });
  }
};

class Uniform final : public Formula<Uniform> {
 public:
  Uniform(const Law& law, double a, double b) : Formula(law, a, b, a + (b - a) / 2, (b - a) / std::sqrt(12.0)), a_(a), b_(b) {}
  template <class T>
  T at(const T& below, const T& above) const {
    return select(below < above, T(a_) + below * T(b_ - a_), T(b_) - above * T(b_ - a_));
  }

 private:
  double below(double x) const override { return (x - a_) / (b_ - a_); }
  double density(double) const override { return 1 / (b_ - a_); }
  double a_, b_;
};

class Normal final : public Formula<Normal> {
 public:
  Normal(const Law& law, double mean, double s) : Formula(law, -infinity, infinity, mean, s), mean_(mean), s_(s) {}
  template <class T>
  T at(const T& below, const T& above) const {
    return T(mean_) + T(s_) * normal_between(below, above);
  }

 private:
  double below(double x) const override { return normal_tail((mean_ - x) / s_); }
  double density(double x) const override {
    const double z = (x - mean_) / s_;
    return std::exp(-z * z / 2) / (s_ * std::sqrt(2 * std::numbers::pi));
  }
  double mean_, s_;
};

// ln(X − shift) is normal.
class LogNormal final : public Formula<LogNormal> {
 public:
  LogNormal(const Law& law, double mu, double sigma, double shift)
      : Formula(law, shift, infinity, shift + std::exp(mu + sigma * sigma / 2),
                std::exp(mu + sigma * sigma / 2) * std::sqrt(std::expm1(sigma * sigma)), false),
        mu_(mu),
        sigma_(sigma),
        shift_(shift) {}
  template <class T>
  T at(const T& below, const T& above) const {
    return T(shift_) + exp(T(mu_) + T(sigma_) * normal_between(below, above));
  }

 private:
  double below(double x) const override { return normal_tail((mu_ - std::log(x - shift_)) / sigma_); }
  double density(double x) const override {
    if (!(x > shift_)) return 0;
    const double z = (std::log(x - shift_) - mu_) / sigma_;
    return std::exp(-z * z / 2) / (sigma_ * (x - shift_) * std::sqrt(2 * std::numbers::pi));
  }
  double mu_, sigma_, shift_;
};

class Gamma final : public OwnLaw {
 public:
  Gamma(const Law& law, double shape, double rate, double shift)
      : OwnLaw(law, shift, infinity, shift + shape / rate, std::sqrt(shape) / rate), shape_(shape), rate_(rate), shift_(shift) {}

 private:
  double between(double below, double above) const override {
    return shift_ + incomplete_gamma_inverse(shape_, below, above) / rate_;
  }
  void between(std::span<const double> below, std::span<const double> above, std::span<double> x) const override {
    incomplete_gamma_inverse(shape_, below, above, x);
    for (double& value : x) value = shift_ + value / rate_;
  }
  void record_between(SequenceRecorder& to, int p, int x) const override {
    record_incomplete_gamma_inverse(to, shape_, p, x);
    to.program([&] { to.store(x, Traced(shift_) + to.read(x) / Traced(rate_)); });
  }
  double below(double x) const override { return incomplete_gamma(shape_, rate_ * (x - shift_)).lower; }
  double density(double x) const override { return rate_ * gamma_density(shape_, rate_ * (x - shift_)); }
  double shape_, rate_, shift_;
};

class Exponential final : public Formula<Exponential> {
 public:
  Exponential(const Law& law, double rate, double shift)
      : Formula(law, shift, infinity, shift + 1 / rate, 1 / rate), rate_(rate), shift_(shift) {}
  template <class T>
  T at(const T& below, const T& above) const {
    return T(shift_) - select(below < above, functions::log1p(-below), log(above)) / T(rate_);
  }

 private:
  double below(double x) const override { return -std::expm1(-rate_ * (x - shift_)); }
  double density(double x) const override { return rate_ * std::exp(-rate_ * (x - shift_)); }
  double rate_, shift_;
};

}  // namespace

std::unique_ptr<const Distribution> make_own_law(const Law& law) {
  if (std::isfinite(law.cut_lower) || std::isfinite(law.cut_upper)) return nullptr;
  const auto number = [&](std::string_view name) { return law.parameter(name); };
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  const auto all_given = [&](std::initializer_list<std::string_view> names) {
    return law.parameters.size() == names.size() &&
           std::all_of(names.begin(), names.end(), [&](std::string_view name) { return std::isfinite(number(name)); });
  };
  if (law.name == "Uniform" && all_given({"a", "b"}) && positive(number("b") - number("a")))
    return std::make_unique<Uniform>(law, number("a"), number("b"));
  if (law.name == "Normal" && all_given({"mean", "standard_deviation"}) && positive(number("standard_deviation")))
    return std::make_unique<Normal>(law, number("mean"), number("standard_deviation"));
  if (law.name == "LogNormal" && all_given({"muLog", "sigmaLog", "gamma"}) && positive(number("sigmaLog")))
    return std::make_unique<LogNormal>(law, number("muLog"), number("sigmaLog"), number("gamma"));
  // Beyond, series are long.
  constexpr double least_shape = 0.05, most_shape = 1e5;
  if (law.name == "Gamma" && all_given({"k", "lambda", "gamma"}) && number("k") >= least_shape && number("k") <= most_shape &&
      positive(number("lambda")))
    return std::make_unique<Gamma>(law, number("k"), number("lambda"), number("gamma"));
  if (law.name == "Exponential" && all_given({"lambda", "gamma"}) && positive(number("lambda")))
    return std::make_unique<Exponential>(law, number("lambda"), number("gamma"));
  return nullptr;
}

}  // namespace aleator::core
