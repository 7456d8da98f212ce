#include "optimisation/verdict.hpp"

#include <fmt/format.h>

#include <cmath>

namespace aleator::core::optimisation {

using results::FoundDesign;

namespace {

std::string chosen(const FoundDesign& d) {
  std::string out;
  for (size_t k = 0; k < d.parameters.size(); ++k)
    out += fmt::format("{}{} = {:.4g}",
                       k == 0                         ? ""
                       : k + 1 == d.parameters.size() ? " and "
                                                      : ", ",
                       d.parameters[k].name, d.parameters[k].value);
  return out;
}

// "`mean(peak) <= 0.3` at none of the 14 designs: 0.41 at best"
std::string missed(const FoundDesign& d) {
  std::string out;
  for (const FoundDesign::Constraint& c : d.constraints)
    if (c.nowhere)
      out += fmt::format(" `{}` holds at none of the {} designs looked at; at best the left side is {:.3g}.", c.text,
                         d.evaluations.size(), c.nearest);
  if (!out.empty()) return out;
  for (const FoundDesign::Constraint& c : d.constraints)
    if (!c.holds)
      out +=
          fmt::format(" Nearest to it, `{}` is missed: the left side is {:.3g} ± {:.1g}.", c.text, c.found.value, c.found.error);
  return out;
}

std::string verdict(const FoundDesign& d) {
  if (!d.met)
    return fmt::format("No design in these ranges meets all constraints with {:g} % confidence.{}", 100 * d.confidence,
                       missed(d));
  const std::string answer =
      fmt::format("{} {} the least cost, {:.4g}", chosen(d), d.parameters.size() == 1 ? "has" : "have", d.cost.value);
  if (d.constraints.empty())
    return fmt::format("{}; a fresh study of {} realizations gives {:.4g}.", answer, d.verified_samples, d.verified_cost.value);
  if (d.verified)
    return fmt::format("{}, of the designs that meet all constraints; a fresh study of {} realizations agrees.", answer,
                       d.verified_samples);
  std::string out = fmt::format(
      "{}, of the designs that meet all constraints in the search, but a fresh study of {} realizations contradicts:", answer,
      d.verified_samples);
  for (const FoundDesign::Constraint& c : d.constraints)
    if (!c.confirmed) out += fmt::format(" `{}` gives {:.3g} ± {:.1g}.", c.text, c.verified.value, c.verified.error);
  return out;
}

}  // namespace

void add_words(FoundDesign& d) {
  d.verdict = verdict(d);
  if (d.verifications > 1)
    d.notes.push_back(fmt::format("{} contradicted before; the search went on with what they said.",
                                  d.verifications == 2 ? "A verification" : "Two verifications"));
  if (!d.met) {
    d.notes.push_back(
        "Widen the ranges, relax the constraint, or take more realizations: its margin grows with the sampling error.");
  } else {
    for (const FoundDesign::Constraint& c : d.constraints)
      if (c.everywhere)
        d.notes.push_back(fmt::format("`{}` holds at all designs looked at: it does not limit the choice.", c.text));
    for (const FoundDesign::Parameter& p : d.parameters)
      if (p.end != 0)
        d.notes.push_back(
            fmt::format("{} is at the {} end of its range: a wider one may be cheaper.", p.name, p.end < 0 ? "lower" : "upper"));
    if (!d.verified) d.notes.push_back("More realizations in `study:` narrow the errors on which the search relies.");
  }
  if (!d.converged)
    d.notes.push_back(
        fmt::format("The search ended after {} designs before it converged: more `evaluations` may find a better one.",
                    d.evaluations.size()));
}

}  // namespace aleator::core::optimisation
