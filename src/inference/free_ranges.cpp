// Ranges of free parameters: what they are when nothing is said, and where the laws end.
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/constants.hpp"
#include "inference/identification_file.hpp"

namespace aleator::core::inference {

using input::InputError;

namespace {

// Parameters with a certain ending: the default range, which may be unknown, and the open interval in which they have a meaning.
struct Meaning {
  std::string_view ending;
  double from, to;
  double above, below;
  std::string_view why_above, why_below;
};

// The bounds are those that the laws themselves check.
Meaning meaning_of(const std::string& name, bool planar) {
  constexpr std::string_view random = "without scatter nothing is random";
  constexpr std::string_view known = "with less scatter the inertia is deterministic";
  const Meaning meanings[] = {{".mass.cov", 0.01, 0.7, 0, std::numbers::sqrt2 / 2, random,
                               "with more scatter than 1/sqrt(2) E{1/M^2} is infinite and the response has no variance"},
                              {".cov", 0.005, 1, 0, infinity, random, ""},
                              {".std", not_given, not_given, 0, infinity, random, ""},
                              {".center_of_mass.scale", 0.05, 2, 0, infinity, random, ""},
                              {".inertia.lambda_l", -20, planar ? -1.1 : 0.4, -1e8, planar ? -1 : 0.5, known,
                               planar ? "above it, in a planar model, the response has no second moments"
                                      : "above it the response has no second moments"},
                              {".inertia.lambda_u", -20, 0.9, -1e8, 1, known, "above it the distribution does not exist"},
                              {".correlation_length", not_given, not_given, 0, infinity, "a length is positive", ""}};
  for (const Meaning& m : meanings)
    if (name.ends_with(m.ending)) return m;
  return {"", not_given, not_given, -infinity, infinity, "", ""};
}

// A third of what is written … three times that; a correlation length, whose order nobody knows, must be given.
void take_from_model(Meaning& meaning, const std::string& name, const std::function<double(const std::string&)>& written) {
  if (!std::isnan(meaning.from) || meaning.ending == ".correlation_length") return;
  const double value = written ? written(name) : not_given;
  if (!(value > 0) || !std::isfinite(value)) return;
  meaning.from = value / 3;
  meaning.to = 3 * value;
}

void check_existence(const FreeName& f, const Meaning& m) {
  if (!(f.from > m.above))
    throw InputError(f.from_at,
                     fmt::format("free '{}': 'from' must be above {:.4g}, found {}: {}", f.name, m.above, f.from, m.why_above));
  if (!(f.to < m.below))
    throw InputError(f.to_at,
                     fmt::format("free '{}': 'to' must be below {:.4g}, found {}: {}", f.name, m.below, f.to, m.why_below));
}

void complete(FreeName& f, Meaning m, const std::function<double(const std::string&)>& written) {
  const bool own_from = !std::isnan(f.from), own_to = !std::isnan(f.to);
  if (!own_from || !own_to) take_from_model(m, f.name, written);
  if (!own_from) f.from = m.from;
  if (!own_to) f.to = m.to;
  if (std::isnan(f.from) || std::isnan(f.to))
    throw InputError(f.at, fmt::format("free '{}' needs a range; it has no default: {{from: .., to: ..}}", f.name));
  check_existence(f, m);
  if (!(f.from < f.to))
    throw InputError(own_to ? f.to_at : f.from_at,
                     fmt::format("free '{}': 'from' must be below 'to', found from {}{} to {}{}", f.name, f.from,
                                 own_from ? "" : " (default)", f.to, own_to ? "" : " (default)"));
  if (f.prior.kind == Prior::Kind::lognormal && f.from < 0)
    throw InputError(f.from_at, fmt::format("free '{}': a lognormal prior is for positive numbers, but the range begins at {}",
                                            f.name, f.from));
}

}  // namespace

void complete_ranges(IdentificationStudy& study, bool planar, const std::function<double(const std::string&)>& written) {
  try {
    for (FreeName& f : study.free) {
      const Meaning meaning = meaning_of(f.name, planar);
      if (study.method == IdentificationStudy::Method::least_squares && !meaning.ending.empty())
        throw InputError(f.at, fmt::format("free '{}' is a parameter of a distribution, which least-squares cannot identify: use "
                                           "maximum-likelihood or bayesian, or free a parameter of the model (rb5.mass)",
                                           f.name));
      complete(f, meaning, written);
    }
  } catch (const InputError& error) {
    throw error.in_file(study.file);
  }
}

}  // namespace aleator::core::inference
