#include "study/law_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"

namespace aleator::core {

static std::string correlation_words(const Correlation& c) {
  switch (c.kind) {
    case Correlation::Kind::squared_exponential:
      return fmt::format("squared exponential over {} m", number(c.length));
    case Correlation::Kind::exponential:
      return fmt::format("exponential over {} m", number(c.length));
    case Correlation::Kind::matern32:
      return fmt::format("Matern 3/2 over {} m", number(c.length));
    case Correlation::Kind::matern52:
      return fmt::format("Matern 5/2 over {} m", number(c.length));
    case Correlation::Kind::table:
      break;
  }
  return fmt::format("a table of {} points", c.distances.size());
}

results::FieldSummary summary_of(const BeamField& f) {
  results::FieldSummary s;
  s.name = f.name;
  s.method = f.method == RandomField::Method::eole ? "EOLE" : "Karhunen–Loève";
  s.correlation = correlation_words(f.correlation);
  s.terms = f.field->terms();
  if (f.law.kind == FieldLaw::Kind::distribution)
    s.law = f.law.distribution->words();
  else
    s.law = fmt::format(
        "{}, {}", f.law.kind == FieldLaw::Kind::lognormal ? "lognormal" : "Gaussian",
        f.law.relative ? fmt::format("{} % scatter", number(100 * f.law.spread)) : fmt::format("std {}", number(f.law.spread)));
  s.error_curve = f.field->error_curve(std::max(8, s.terms + 2));
  const std::vector<Vec3<double>>& points = f.beams[0].points;
  for (size_t i = 0; i < points.size(); ++i) {
    s.place.push_back(i == 0 ? 0 : s.place.back() + norm(points[i] - points[i - 1]));
    s.error.push_back(f.field->variance_error(points[i]));
  }
  return s;
}

std::string law_words(const Quantity& q) {
  if (!q.same_as.empty()) return "same as " + q.same_as;
  if (q.scalar) return q.scalar->words();
  if (q.center_of_mass) {
    const char* const names[] = {"box", "ball", "ellipsoid", "cylinder", "polyhedron"};
    return fmt::format("maximum entropy on a{} {}", q.center_of_mass->domain().kind == Domain::Kind::ellipsoid ? "n" : "",
                       names[int(q.center_of_mass->domain().kind)]);
  }
  return fmt::format("Kummer-Beta, lambda_l {:g}, lambda_u {:g}", q.inertia->settings().lambda_l, q.inertia->settings().lambda_u);
}

}  // namespace aleator::core
