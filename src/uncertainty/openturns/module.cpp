// The module with OpenTURNS (LGPL): the only place that includes or links it. Written for 1.20.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>

#include <openturns/DistFunc.hxx>
#include <openturns/DistributionFactory.hxx>
#include <openturns/Exception.hxx>
#include <openturns/GeneralizedExtremeValue.hxx>
#include <openturns/Hypergeometric.hxx>
#include <openturns/InverseChiSquare.hxx>
#include <openturns/InverseGamma.hxx>
#include <openturns/Log.hxx>
#include <openturns/NonCentralChiSquare.hxx>
#include <openturns/NonCentralStudent.hxx>
#include <openturns/SquaredNormal.hxx>
#include <openturns/TBB.hxx>
#include <openturns/TruncatedDistribution.hxx>
#include <openturns/ZipfMandelbrot.hxx>

#include "uncertainty/distribution_module.hpp"

namespace aleator {

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
  } catch (const OT::Exception& error) {
    std::string reason = error.what();
    if (reason.starts_with("Error: ")) reason.erase(0, 7);
    throw std::invalid_argument(fmt::format("OpenTURNS refuses the law ({}): {}", words, reason));
  }
}

class OpenTurnsLaw final : public Distribution {
 public:
  OpenTurnsLaw(const OT::Distribution& law, std::string words) : law_(law), words_(std::move(words)) {
    const OT::Interval range = law.getRange();
    if (!range.isEmpty()) {  // some laws (GeneralizedExtremeValue) do not say
      if (range.getFiniteLowerBound()[0]) lower_ = range.getLowerBound()[0];
      if (range.getFiniteUpperBound()[0]) upper_ = range.getUpperBound()[0];
    }
    continuous_ = law.isContinuous();
    // Moments that do not exist are thrown about, or come as numbers that are not finite.
    try {
      mean_ = law.getMean()[0];
      standard_deviation_ = infinity;
      standard_deviation_ = law.getStandardDeviation()[0];
    } catch (const OT::Exception&) {
    }
  }

  double quantile(double p) const override {
    if (p <= 0) return lower_;
    if (p >= 1) return upper_;
    // Not computeQuantile, which ends at a probability of 1e-14 and jumps there. Above one half the distance from 1 is exact
    // where p is not; laws of whole numbers are one-sided, and rounding must not move their steps.
    const bool tail = continuous_ && p > 0.5;
    const double x = guarded(words_, [&] { return implementation().computeScalarQuantile(tail ? 1 - p : p, tail); });
    return std::clamp(x, lower_, upper_);
  }
  double cdf(double x) const override {
    return guarded(words_, [&] { return implementation().computeCDF(x); });
  }
  double pdf(double x) const override {
    return guarded(words_, [&] { return implementation().computePDF(x); });
  }
  double mean() const override { return mean_; }
  double standard_deviation() const override { return standard_deviation_; }
  double lower() const override { return lower_; }
  double upper() const override { return upper_; }
  std::string words() const override { return words_; }

 private:
  const OT::DistributionImplementation& implementation() const { return *law_.getImplementation(); }

  OT::Distribution law_;
  std::string words_;
  bool continuous_ = true;
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
  throw std::logic_error(fmt::format("OpenTURNS has no law '{}' of one number", name));
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
    if (place == names.end()) throw std::logic_error(fmt::format("OpenTURNS knows no parameter '{}'", a.name));
    values[place - names.begin()] = a.value;
  }
  law.setParameter(values);
  return law;
}

OT::Distribution cut(const OT::Distribution& law, double lower, double upper) {
  const bool below = std::isfinite(lower), above = std::isfinite(upper);
  if (!below && !above) return law;
  // Quantiles of the rest lose as many digits as this probability has zeros.
  const double kept = (above ? law.computeCDF(upper) : 1) - (below ? law.computeCDF(lower) : 0);
  if (!(kept > 1e-6))
    throw std::invalid_argument(fmt::format("hardly any of the law is left between {} and {}: its probability is {:.2g}",
                                            below ? fmt::format("'lower' ({})", lower) : "−∞",
                                            above ? fmt::format("'upper' ({})", upper) : "∞", kept));
  if (below && above) return OT::TruncatedDistribution(law, lower, upper);
  return OT::TruncatedDistribution(law, below ? lower : upper,
                                   below ? OT::TruncatedDistribution::LOWER : OT::TruncatedDistribution::UPPER);
}

class OpenTurnsModule final : public DistributionModule {
 public:
  OpenTurnsModule() {
    // The threads and the terminal are ours.
    OT::TBB::Disable();
    OT::Log::Show(OT::Log::NONE);
  }
  std::vector<std::string> names() const override { return guarded("any", law_names); }
  std::vector<std::string> parameters(const std::string& law) const override {
    return guarded(law, [&] { return parameter_names(prototype(law)); });
  }
  std::unique_ptr<const Distribution> make(const Law& law) const override {
    return guarded(law.words, [&]() -> std::unique_ptr<const Distribution> {
      const OT::Distribution whole = with_parameters(prototype(law.name), law.parameters);
      return std::make_unique<OpenTurnsLaw>(cut(whole, law.cut_lower, law.cut_upper), law.words);
    });
  }
  double normal_quantile(double p) const override { return OT::DistFunc::qNormal(p); }
};

}  // namespace

}  // namespace aleator

extern "C" const aleator::DistributionModule* aleator_distribution_module_1() {
  static const auto* module = new aleator::OpenTurnsModule;
  return module;
}
