// Redundant or contradictory? If a row of G is a combination of others, row_r = Σ c_j row_j, then the same must hold for what the
// constraints ask for:  ġ = G v + drift = 0  needs  drift_r = Σ c_j drift_j,   G v̇ + bias = 0  needs  bias_r = Σ c_j bias_j.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/errors.hpp"
#include "dynamics/start.hpp"
#include "dynamics/violation.hpp"

namespace aleator::core {

namespace {

constexpr int instants = 200;  // at which rates are compared
// Of the largest term: coefficients below 1e-6 are left out of a combination, and functions of time are fitted to 1e-9.
constexpr double agreement = 1e-4;
constexpr double nothing = 1e-9;  // m/s, rad/s, …: terms that are all smaller agree

bool agrees(int row, const std::vector<RowShare>& shares, const double* asked) {
  double sum = asked[row], largest = std::abs(asked[row]);
  for (const RowShare& s : shares) {
    sum -= s.coefficient * asked[s.row];
    largest = std::max(largest, std::abs(s.coefficient * asked[s.row]));
  }
  return std::abs(sum) <= std::max(agreement * largest, nothing);
}

// Constraints in the position of the start, with the rates that functions of time have at t.
void constrain_with_rates_of(Assembly<double>& a, double t, Side side, const State<double>& start) {
  a.set_signals(t, side);
  std::vector<Jet<double>> then(a.signals(), a.signals() + a.realization().signals.size());
  a.set_signals(start.t, Side::right);
  for (size_t k = 0; k < then.size(); ++k) a.signals()[k].d1 = then[k].d1;
  a.kinematics(start.positions.data(), start.velocities.data(), start.turns.data());
  a.constrain();
}

// Coefficients change with the position. So what is said of later times is tried: the mechanism follows its drives, free directions go on as they are,
// and positions are closed at each of some instants. Whether that succeeds until the end.
bool can_follow(Assembly<double>& a, State<double> s, double duration) {
  constexpr int steps = 5 * instants, corrections = 3;
  Index1<double> index1(a, Index1Solver::matrix);  // contradictions are shared by all rows they concern
  const Violation violation(a.model());
  std::vector<double> increments(s.velocities.size());
  for (int i = 1; i <= steps; ++i) {
    if (index1.evaluate(s, Side::right)) return false;
    index1.project_velocities(s);
    const double t = duration * i / steps;
    for (size_t k = 0; k < increments.size(); ++k) increments[k] = (t - s.t) * s.velocities[k];
    a.carriers().move(s.positions.data(), increments.data(), s.positions.data());
    s.t = t;
    for (int k = 0; k < corrections; ++k) {
      if (index1.evaluate(s, Side::left)) return false;
      index1.project_positions(s);
    }
    if (violation.is_too_large(index1.left_open().data())) return false;
    a.kinematics(s.t, Side::left, s.positions.data(), s.velocities.data(), s.turns.data());
    a.update_turns(s.turns.data());
  }
  return true;
}

}  // namespace

void find_contradictions(Assembly<double>& a, const State<double>& s, double duration, Redundancy& r) {
  r.contradicts.assign(r.dependent.size(), std::numeric_limits<double>::quiet_NaN());
  if (r.dependent.empty()) return;
  const auto look = [&](const double* asked, double t) {
    for (size_t k = 0; k < r.dependent.size(); ++k)
      if (std::isnan(r.contradicts[k]) && !agrees(r.dependent[k], r.shares[k], asked)) r.contradicts[k] = t;
  };
  a.kinematics(s.t, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  a.constrain();
  look(a.evaluation().drift, 0);
  look(a.evaluation().bias, 0);
  for (int i = 1; i <= instants; ++i) {
    const double t = duration * i / instants;
    constrain_with_rates_of(a, t, Side::left, s);
    look(a.evaluation().drift, t);
  }
  const auto is_later = [](double t) { return t > 0; };
  if (std::none_of(r.contradicts.begin(), r.contradicts.end(), is_later)) return;
  try {
    if (!can_follow(a, s, duration)) return;
  } catch (const SimulationError&) {  // in a singular position
    return;
  }
  std::replace_if(r.contradicts.begin(), r.contradicts.end(), is_later, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace aleator::core
