#include "optimisation/design_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "optimisation/normal.hpp"

namespace aleator::core::optimisation {

using input::InputError;
using results::Estimate;

namespace {

// One failure in two studies: what no failure at all counts as.
Estimate without_failure(double realizations) {
  const double p = 0.5 / (realizations + 1);
  return {p, std::sqrt(p * (1 - p) / realizations)};
}

}  // namespace

DesignProblem::DesignProblem(const DesignStudy& study, const DesignedModel& model) : study_(study), model_(model) {
  std::vector<Statistic> found;
  Names names;
  for (const Chosen& c : study.chosen) names.parameters.push_back(c.name);
  for (const auto& p : model.model().description.parameters) names.suggested.push_back(p.name);
  names.constant = [&model](const std::string& name) { return model.constant(name); };
  names.statistics = &found;
  input::ErrorList errors;
  errors.collect([&] {
    errors.attempt([&] { cost_ = Formula(study.cost.text, study.cost.at, names); });
    for (const Written& w : study.constraints)
      errors.attempt([&] { constraints_.push_back(read_constraint(w.text, w.at, names)); });
  });
  errors.raise(study.file);
  try {
    reader_ = std::make_unique<StatisticsReader>(model.model(), found);
  } catch (const InputError& e) {
    throw e.in_file(study.file);
  }
  problem_.dimensions = int(study.chosen.size());
  problem_.statistics = int(found.size());
  problem_.cost = [this](std::span<const double> place, std::span<const double> z) {
    return cost_(model_.values(place), statistics_of(z));
  };
  for (size_t i = 0; i < constraints_.size(); ++i) {
    const std::vector<double> middle = model.values(std::vector<double>(study.chosen.size(), 0.5));
    const double b = bound(i, middle);
    if (is_probability(i) && !(b > 0 && b < 1))
      throw InputError(constraints_[i].at,
                       fmt::format("'{}': a probability lies between 0 and 1, the bound is {:g}", constraints_[i].text, b))
          .in_file(study.file);
    const int alone = constraints_[i].left.only_statistic();
    problem_.constraints.push_back([this, i, alone](std::span<const double> place, std::span<const double> z) {
      const std::vector<double> values = model_.values(place);
      const double sign = constraints_[i].at_most ? 1 : -1, limit = as_interpolated(i, bound(i, values));
      return (is_probability(i) ? sign * z[size_t(alone)] : sign * constraints_[i].left(values, statistics_of(z))) - limit;
    });
  }
}

std::vector<double> DesignProblem::statistics_of(std::span<const double> z) const {
  std::vector<double> out;
  for (size_t j = 0; j < z.size(); ++j) out.push_back(value_of(statistics()[j], z[j]));
  return out;
}

Observed DesignProblem::observed(const Place& place, std::span<const Estimate> estimates) const {
  Observed out{place, true, {}, {}};
  for (size_t j = 0; j < estimates.size(); ++j) {
    out.z.push_back(interpolated(statistics()[j], estimates[j].value));
    out.error.push_back(error_interpolated(statistics()[j], estimates[j].value, estimates[j].error));
  }
  return out;
}

Estimate DesignProblem::of(const Formula& formula, std::span<const double> values, const StandIn::At& at) const {
  const Predicted p =
      StandIn::of([&](std::span<const double>, std::span<const double> z) { return formula(values, statistics_of(z)); }, {}, at);
  return {p.value, p.error};
}

Estimate DesignProblem::left(size_t i, std::span<const double> values, const StandIn::At& at) const {
  return of(constraints_[i].left, values, at);
}
Estimate DesignProblem::cost(std::span<const double> values, const StandIn::At& at) const { return of(cost_, values, at); }

double DesignProblem::bound(size_t i, std::span<const double> values) const { return constraints_[i].right(values, {}); }

bool DesignProblem::is_probability(size_t i) const {
  const int alone = constraints_[i].left.only_statistic();
  return alone >= 0 && statistics()[size_t(alone)].kind == Statistic::Kind::probability;
}

double DesignProblem::as_interpolated(size_t i, double left) const {
  const double sign = constraints_[i].at_most ? 1 : -1;
  return sign * (is_probability(i) ? normal_quantile(std::clamp(left, 1e-300, 1 - 1e-16)) : left);
}

bool DesignProblem::has_fixed_bound(size_t i) const {
  const size_t d = study_.chosen.size();
  const double b = bound(i, model_.values(std::vector<double>(d, 0.5)));
  return b == bound(i, model_.values(std::vector<double>(d, 0.0))) && b == bound(i, model_.values(std::vector<double>(d, 1.0)));
}

void DesignProblem::check_resolution(double realizations, double errors) const {
  for (size_t i = 0; i < constraints_.size(); ++i) {
    const ConstraintFormula& c = constraints_[i];
    if (!is_probability(i) || !c.at_most) continue;
    const Statistic& s = statistics()[size_t(c.left.only_statistic())];
    const double limit = normal_quantile(bound(i, model_.values(std::vector<double>(study_.chosen.size(), 0.5))));
    const auto shown = [&](double n) {
      const Estimate e = without_failure(n);
      return interpolated(s, e.value) + errors * error_interpolated(s, e.value, e.error) <= limit;
    };
    if (shown(realizations)) continue;
    double needed = realizations;
    while (!shown(needed) && needed < 1e15) needed *= 1.05;
    const double unit = std::pow(10, std::floor(std::log10(needed)) - 1);
    throw InputError(
        c.at, fmt::format("'{}': {:.0f} realizations cannot show so small a probability, even if none fails; use at least "
                          "`study: {{samples: {:.0f}}}`, three times as many for a good answer, or a method for rare events",
                          c.text, realizations, unit * std::ceil(needed / unit)))
        .in_file(study_.file);
  }
}

}  // namespace aleator::core::optimisation
