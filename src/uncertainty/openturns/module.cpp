// The module with OpenTURNS (LGPL): the only place that includes or links it. Written for 1.20.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include <openturns/DistFunc.hxx>
#include <openturns/DistributionFactory.hxx>
#include <openturns/Exception.hxx>
#include <openturns/Gamma.hxx>
#include <openturns/GeneralizedExtremeValue.hxx>
#include <openturns/HaltonSequence.hxx>
#include <openturns/Histogram.hxx>
#include <openturns/Hypergeometric.hxx>
#include <openturns/InverseChiSquare.hxx>
#include <openturns/InverseGamma.hxx>
#include <openturns/Log.hxx>
#include <openturns/NonCentralChiSquare.hxx>
#include <openturns/NonCentralStudent.hxx>
#include <openturns/SobolSequence.hxx>
#include <openturns/SquaredNormal.hxx>
#include <openturns/StandardDistributionPolynomialFactory.hxx>
#include <openturns/TruncatedDistribution.hxx>
#include <openturns/ZipfMandelbrot.hxx>

#include "uncertainty/distribution_module.hpp"
#include "uncertainty/openturns/orthonormal.hpp"

namespace aleator::core {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Its const functions fill caches, some of them global: one call at a time.
std::mutex& mutex() {
  static std::mutex m;
  return m;
}

// Runs `f` alone; what OpenTURNS throws becomes ours.
template <class F>
auto guarded(const std::string& words, F&& f) {
  const std::scoped_lock lock(mutex());
  try {
    return f();
  } catch (const std::logic_error&) {
    throw;                                 // already ours
  } catch (const std::exception& error) {  // OpenTURNS', or of libraries it stands on
    std::string reason = error.what();
    if (reason.starts_with("Error: ")) reason.erase(0, 7);
    throw std::invalid_argument(fmt::format("OpenTURNS rejects the distribution ({}): {}", words, reason));
  }
}

// The part of a law between two values, in probabilities. Both tails are kept: either may be too small to be seen from 1.
struct Part {
  double below = 0, above = 0;  // what is cut off
  double kept = 1;
  Part(const OT::Distribution& whole, double lower, double upper) {
    if (std::isfinite(lower)) below = whole.computeCDF(lower);
    if (std::isfinite(upper)) above = whole.computeComplementaryCDF(upper);
    kept = below < 0.5 ? 1 - above - below : whole.computeComplementaryCDF(lower) - above;
    // OpenTURNS ends its laws at a probability of 1e-14: that must stay small.
    if (!(kept > 1e-6))
      throw std::invalid_argument(fmt::format("the distribution has almost no probability between {} and {}: {:.2g}",
                                              std::isfinite(lower) ? fmt::format("'lower' ({})", lower) : "−∞",
                                              std::isfinite(upper) ? fmt::format("'upper' ({})", upper) : "∞", kept));
  }
};

// OpenTURNS' own law of a part; good for its moments, but its quantiles end where the probability in the whole law has 1e-14.
OT::Distribution truncated(const OT::Distribution& whole, double lower, double upper) {
  const bool below = std::isfinite(lower), above = std::isfinite(upper);
  if (below && above) return OT::TruncatedDistribution(whole, lower, upper);
  if (below) return OT::TruncatedDistribution(whole, lower, OT::TruncatedDistribution::LOWER);
  if (above) return OT::TruncatedDistribution(whole, upper, OT::TruncatedDistribution::UPPER);
  return whole;
}

// Laws whose tails fall at least as exp(−c|x|): they have an exponential moment, so their moments determine them and
// polynomials are dense. A law that is not in the list and not bounded is taken for a heavy-tailed one. (NonCentralChiSquare is
// left out: its density in 1.20 integrates to 1.0001.)
bool has_light_tails(const Law& law) {
  constexpr std::string_view always[] = {"Normal",       "TruncatedNormal",
                                         "Exponential",  "Gamma",
                                         "ChiSquare",    "Chi",
                                         "Gumbel",       "Rayleigh",
                                         "Rice",         "Logistic",
                                         "Laplace",      "InverseNormal",
                                         "Meixner",      "MeixnerDistribution",
                                         "SquaredNormal"};
  if (std::find(std::begin(always), std::end(always), law.name) != std::end(always)) return true;
  // exp(−x^α); exp(−|x|^(−1/ξ)) below the upper end, ξ = 0 is Gumbel's; ξ = 0 is exponential.
  if (law.name == "WeibullMin" || law.name == "WeibullMax") return law.parameter("alpha") >= 1;
  if (law.name == "GeneralizedExtremeValue") return law.parameter("xi") <= 0 && law.parameter("xi") >= -1;
  if (law.name == "GeneralizedPareto") return law.parameter("xi") <= 0;
  return false;
}

// The family OpenTURNS knows by formula for a law, by name; empty for other laws.
struct Family {
  std::string_view law, name;
  OT::Distribution (*same)(const OT::Distribution&);  // the law as the class that OpenTURNS recognises
};
OT::Distribution itself(const OT::Distribution& law) { return law; }
constexpr Family families[] = {
    {"Normal", "Hermite", itself},
    {"Uniform", "Legendre", itself},
    {"Beta", "Jacobi", itself},
    {"Gamma", "Laguerre", itself},
    {"Exponential", "Laguerre",
     [](const OT::Distribution& l) -> OT::Distribution { return OT::Gamma(1, l.getParameter()[0], l.getParameter()[1]); }},
    {"ChiSquare", "Laguerre",
     [](const OT::Distribution& l) -> OT::Distribution { return OT::Gamma(l.getParameter()[0] / 2, 0.5, 0); }},
};

// x = center + scale z takes the standard law of the family, OpenTURNS' measure of z, to the law of x.
PolynomialFamily known_family(const Family& family, const OT::Distribution& law, int degree) {
  const OT::StandardDistributionPolynomialFactory factory(family.same(law));
  const OT::Distribution standard = factory.getMeasure();
  PolynomialFamily out{std::string(family.name), 0, law.getStandardDeviation()[0] / standard.getStandardDeviation()[0], {}};
  out.center = law.getMean()[0] - out.scale * standard.getMean()[0];
  for (int n = 0; n < degree; ++n) {
    const OT::Point c = factory.getRecurrenceCoefficients(n);
    out.recurrence.push_back({c[0], c[1], n > 0 ? c[2] : 0.0});
  }
  return out;
}

class OpenTurnsLaw final : public Distribution {
 public:
  OpenTurnsLaw(const OT::Distribution& whole, const Law& law)
      : whole_(whole), law_(law), part_(whole, law.cut_lower, law.cut_upper), continuous_(whole.isContinuous()) {
    const OT::Interval range = whole.getRange();
    if (!range.isEmpty()) {
      if (range.getFiniteLowerBound()[0]) lower_ = range.getLowerBound()[0];
      if (range.getFiniteUpperBound()[0]) upper_ = range.getUpperBound()[0];
    } else if (law.name == "GeneralizedExtremeValue") {  // does not say: 1 + ξ (x − μ)/σ > 0
      const double xi = law.parameter("xi"), end = law.parameter("mu") - law.parameter("sigma") / xi;
      if (xi != 0) (xi < 0 ? upper_ : lower_) = end;
    }
    lower_ = std::max(lower_, law.cut_lower);
    upper_ = std::min(upper_, law.cut_upper);
    // Moments that do not exist are thrown about, or come as numbers that are not finite.
    try {
      const OT::Distribution part = truncated(whole, law.cut_lower, law.cut_upper);
      mean_ = part.getMean()[0];
      standard_deviation_ = infinity;
      standard_deviation_ = part.getStandardDeviation()[0];
    } catch (const OT::Exception&) {
    }
  }

  double quantile(double p) const override {
    if (p <= 0) return lower_;
    if (p >= 1) return upper_;
    p = std::clamp(p, 0x1p-53, 1 - 0x1p-53);  // further out some of its formulas break down
    return between(p, 1 - p);
  }
  double at_normal(double z) const override {
    const auto at = [&](double y) {
      const double tail = std::erfc(std::abs(y) / std::numbers::sqrt2) / 2;
      return y < 0 ? between(tail, 1 - tail) : between(1 - tail, tail);
    };
    if (std::erfc(std::abs(z) / std::numbers::sqrt2) / 2 >= 0x1p-53) return at(z);
    // Further out if its formulas hold as far as that, which some do not.
    constexpr double farthest = 12;  // 2e-33
    const double far = quantile(z < 0 ? 0x1p-53 : 1 - 0x1p-53);
    if (!continuous_) return far;
    try {
      const double x = at(std::copysign(farthest, z));
      if (!std::isfinite(x) || !(z < 0 ? x < far : x > far)) return far;
      return at(std::clamp(z, -farthest, farthest));
    } catch (const std::invalid_argument&) {
      return far;
    }
  }
  double cdf(double x) const override {
    if (x < lower_) return 0;
    if (x > upper_) return 1;
    return guarded(law_.words, [&] {
      if (part_.below < 0.5) return (implementation().computeCDF(x) - part_.below) / part_.kept;
      return 1 - (implementation().computeComplementaryCDF(x) - part_.above) / part_.kept;
    });
  }
  double pdf(double x) const override {
    if (x < lower_ || x > upper_) return 0;
    return guarded(law_.words, [&] { return implementation().computePDF(x) / part_.kept; });
  }
  bool has_density() const override { return continuous_; }
  double mean() const override { return mean_; }
  double standard_deviation() const override { return standard_deviation_; }
  double lower() const override { return lower_; }
  double upper() const override { return upper_; }
  bool smooth_germ() const override {
    const bool bounded = std::isfinite(lower_) && std::isfinite(upper_);
    return continuous_ && (bounded || has_light_tails(law_)) && std::isfinite(standard_deviation_);
  }
  PolynomialFamily polynomials(int degree) const override {
    if (!smooth_germ())
      throw std::invalid_argument(fmt::format("the distribution ({}) has no basis of polynomials: {}", law_.words,
                                              continuous_ ? "its tail is too heavy" : "it is discrete"));
    return guarded(law_.words, [&] {
      if (part_.below == 0 && part_.above == 0)
        for (const Family& family : families)
          if (family.law == law_.name) return known_family(family, whole_, degree);
      return stieltjes(density(), degree);
    });
  }
  GaussQuadrature gauss(int n) const override { return gauss_rule(polynomials(n), n); }
  Law law() const override { return law_; }
  std::string words() const override { return law_.words; }

 private:
  const OT::DistributionImplementation& implementation() const { return *whole_.getImplementation(); }

  // The value with these probabilities below and above it. The smaller tail has more digits. Laws of whole numbers jump, and
  // rounding must not move their steps: always from below.
  double between(double below, double above) const {
    const double from_below = part_.below + below * part_.kept, from_above = part_.above + above * part_.kept;
    const bool tail = continuous_ && from_above < from_below;
    // Not computeQuantile, which ends at a probability of 1e-14.
    const double x =
        guarded(law_.words, [&] { return implementation().computeScalarQuantile(tail ? from_above : from_below, tail); });
    return std::clamp(x, lower_, upper_);
  }

  // Panels end at the ends of the support, where OpenTURNS knows of kinks, and at the median.
  Density density() const {
    std::vector<double> breaks = {implementation().computeScalarQuantile(part_.below + 0.5 * part_.kept, false)};
    for (const double x : whole_.getSingularities())
      if (lower_ < x && x < upper_) breaks.push_back(x);
    breaks.push_back(lower_), breaks.push_back(upper_);
    std::sort(breaks.begin(), breaks.end());
    const auto pdf = [this](double x) { return implementation().computePDF(x) / part_.kept; };
    return {pdf, breaks, mean_, standard_deviation_};
  }

  OT::Distribution whole_;
  Law law_;
  Part part_;
  bool continuous_;
  double lower_ = -infinity, upper_ = infinity;
  double mean_ = std::numeric_limits<double>::quiet_NaN(), standard_deviation_ = std::numeric_limits<double>::quiet_NaN();
};

// OpenTURNS' laws of one number: most have a factory, called after the law.
using Factories = OT::DistributionFactory::DistributionFactoryCollection;
const Factories& factories() {
  static const Factories all = OT::DistributionFactory::GetUniVariateFactories();
  return all;
}
std::string name_of(const OT::DistributionFactory& factory) {
  const std::string name = factory.getImplementation()->getClassName();
  return name.substr(0, name.rfind("Factory"));
}
struct Bare {
  const char* name;
  OT::Distribution (*make)();
};
template <class T>
OT::Distribution made() {
  return T();
}
constexpr Bare without_factory[] = {
    {"GeneralizedExtremeValue", made<OT::GeneralizedExtremeValue>},
    {"Hypergeometric", made<OT::Hypergeometric>},
    {"InverseChiSquare", made<OT::InverseChiSquare>},
    {"InverseGamma", made<OT::InverseGamma>},
    {"NonCentralChiSquare", made<OT::NonCentralChiSquare>},
    {"NonCentralStudent", made<OT::NonCentralStudent>},
    {"SquaredNormal", made<OT::SquaredNormal>},
    {"ZipfMandelbrot", made<OT::ZipfMandelbrot>},
};
// One-dimensional faces of laws of several numbers, and laws whose number of parameters is open: there are no names for
// their parameters that people could write.
constexpr std::string_view left_out[] = {"Dirichlet", "Multinomial", "Histogram", "UserDefined"};

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const auto& factory : factories()) names.push_back(name_of(factory));
  for (const auto out : left_out) std::erase(names, out);
  for (const auto& bare : without_factory) names.push_back(bare.name);
  std::sort(names.begin(), names.end());
  return names;
}

// The law with parameters OpenTURNS thinks up. Made one by one: all of them take 0.3 s.
OT::Distribution prototype(const std::string& name) {
  for (const auto& factory : factories())
    if (name_of(factory) == name) return factory.build();
  for (const auto& bare : without_factory)
    if (bare.name == name) return bare.make();
  throw std::logic_error(fmt::format("OpenTURNS has no one-dimensional distribution '{}'", name));
}

// "mean_0" of a law that could have several dimensions is "mean" here.
std::vector<std::string> parameter_names(const OT::Distribution& law) {
  std::vector<std::string> names;
  for (std::string name : law.getParameterDescription()) {
    if (name.ends_with("_0")) name.resize(name.size() - 2);
    names.push_back(std::move(name));
  }
  return names;
}

OT::Distribution with_parameters(OT::Distribution law, std::span<const Argument> arguments) {
  const std::vector<std::string> names = parameter_names(law);
  OT::Point values = law.getParameter();
  for (const auto& a : arguments) {
    const auto place = std::find(names.begin(), names.end(), a.name);
    if (place == names.end()) throw std::logic_error(fmt::format("OpenTURNS has no parameter '{}'", a.name));
    values[place - names.begin()] = a.value;
  }
  law.setParameter(values);
  return law;
}

// Between two points of the distribution function the density is constant.
OT::Distribution histogram(std::span<const Argument> points) {
  const std::size_t n = points.size() / 2 - 1;
  OT::Point width(n), height(n);
  for (std::size_t i = 0; i < n; ++i) {
    width[i] = points[2 * i + 2].value - points[2 * i].value;
    height[i] = (points[2 * i + 3].value - points[2 * i + 1].value) / width[i];
  }
  return OT::Histogram(points[0].value, width, height);
}

// OpenTURNS gives points one after the other. The last generator is kept, so that pieces in order cost no more than the whole.
class Sequences {
 public:
  std::vector<double> points(const std::string& name, int dimension, long first, long count) {
    if (!generator_ || name != name_ || dimension != dimension_ || first < next_) {
      const auto n = static_cast<OT::UnsignedInteger>(dimension);
      if (name == "sobol")
        generator_ = std::make_unique<OT::SobolSequence>(n);
      else
        generator_ = std::make_unique<OT::HaltonSequence>(n, "NONE");
      name_ = name, dimension_ = dimension, next_ = 0;
    }
    for (; next_ < first; ++next_) generator_->generate();
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(count * dimension));
    for (; next_ < first + count; ++next_) {
      const OT::Point point = generator_->generate();
      out.insert(out.end(), point.begin(), point.end());
    }
    return out;
  }

 private:
  std::unique_ptr<OT::LowDiscrepancySequenceImplementation> generator_;
  std::string name_;
  int dimension_ = 0;
  long next_ = 0;  // index of the point it will give
};

class OpenTurnsModule final : public DistributionModule {
 public:
  OpenTurnsModule() {
    // The terminal is ours. (Its TBB::Disable would take our threads away, too: the limit is one for the whole process.)
    OT::Log::Show(OT::Log::NONE);
  }
  std::vector<std::string> names() const override { return guarded("any", law_names); }
  std::vector<std::string> parameters(const std::string& law) const override {
    return guarded(law, [&] { return parameter_names(prototype(law)); });
  }
  std::unique_ptr<const Distribution> make(const Law& law) const override {
    return guarded(law.words, [&]() -> std::unique_ptr<const Distribution> {
      const OT::Distribution whole =
          law.tabulated() ? histogram(law.parameters) : with_parameters(prototype(law.name), law.parameters);
      return std::make_unique<OpenTurnsLaw>(whole, law);
    });
  }
  double normal_quantile(double p) const override { return OT::DistFunc::qNormal(p); }
  double normal_cdf(double x) const override { return OT::DistFunc::pNormal(x); }
  std::vector<double> low_discrepancy(const std::string& name, int dimension, long first, long count) const override {
    const int most = most_dimensions(name);
    if (dimension < 1 || dimension > most)
      throw std::invalid_argument(fmt::format("the sequence '{}' has 1 to {} dimensions, not {}", name, most, dimension));
    if (first < 0 || count < 0) throw std::invalid_argument("points of a sequence are counted from 0");
    return guarded(name, [&] { return sequences_.points(name, dimension, first, count); });
  }
  int most_dimensions(const std::string& name) const override {
    if (name == "sobol") return static_cast<int>(OT::SobolSequence::MaximumDimension);
    if (name == "halton") return 1000;  // no end but the use of it: the 1000th base is 7919
    throw std::invalid_argument(fmt::format("unknown sequence '{}' (known: sobol, halton)", name));
  }

 private:
  mutable Sequences sequences_;  // under the mutex
};

}  // namespace

}  // namespace aleator::core

extern "C" const aleator::core::DistributionModule* aleator_distribution_module_5() {
  static const auto* module = new aleator::core::OpenTurnsModule;
  return module;
}
