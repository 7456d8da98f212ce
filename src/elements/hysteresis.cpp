#include "elements/hysteresis.hpp"

#include <fmt/format.h>

#include <cmath>

#include "elements/hysteretic_force.hpp"

namespace aleator::core {

using input::Bound;
using input::Field;
using input::InputError;
using input::Item;
using input::Value;

std::vector<Field> hysteresis_fields() {
  return {
      {.key = "stiffness",
       .unit = "N/m or N m/rad",
       .doc = "Stiffness k before yielding.",
       .required = true,
       .bound = Bound::positive},
      {.key = "post_yield_ratio",
       .unit = "-",
       .doc = "Stiffness after yielding, as a part α of `stiffness`: 0 … 1.",
       .fallback = "0",
       .bound = Bound::not_negative},
      {.key = "yield_force",
       .unit = "N or N m",
       .doc =
           "Force at which the straight lines before and after yielding meet. This, `yield_displacement`, or `beta` and `gamma`.",
       .bound = Bound::positive},
      {.key = "yield_displacement",
       .unit = "m or rad",
       .doc = "Displacement at which they meet: `yield_force` divided by `stiffness`.",
       .bound = Bound::positive},
      {.key = "exponent",
       .unit = "-",
       .doc = "n, at least 1: the larger, the sharper the transition from elastic to plastic.",
       .fallback = "1",
       .bound = Bound::positive},
      {.key = "beta",
       .unit = "m⁻ⁿ or rad⁻ⁿ",
       .doc = "Width of the loop, ż = A ẋ − β |ẋ| |z|ⁿ⁻¹ z − γ ẋ |z|ⁿ.",
       .fallback = "what the yield displacement leaves; half of it if `gamma` is not given, either",
       .bound = Bound::not_negative},
      {.key = "gamma",
       .unit = "m⁻ⁿ or rad⁻ⁿ",
       .doc = "Its shape: it unloads along a straight line if γ = β, and more steeply if γ < β.",
       .fallback = "as `beta`"},
      {.key = "A", .unit = "-", .doc = "A of the same equation.", .fallback = "1", .bound = Bound::positive},
      {.key = "initial", .unit = "m or rad", .doc = "z at t = 0.", .fallback = "0"},
  };
}

namespace {

constexpr double agreement = 1e-6;  // of two numbers that mean the same

bool differ(double a, double b) { return !(std::abs(a - b) <= agreement * std::max(std::abs(a), std::abs(b))); }

// The yield displacement, NaN if it is not given; `first`: the stiffness before yielding.
double yield_displacement(const Item& g, const std::string& owner, const Builder& b, double first) {
  const Value *force = g.find("yield_force"), *displacement = g.find("yield_displacement");
  const double by_force = force ? b.number(force->number) / first : NAN;
  const double by_displacement = displacement ? b.number(displacement->number) : NAN;
  if (force && displacement && differ(by_force, by_displacement))
    throw InputError(displacement->at,
                     fmt::format("{}: 'yield_displacement' is {:g}, but 'yield_force' and 'stiffness' make it {:g}; give one of "
                                 "'yield_force' and 'yield_displacement'",
                                 owner, by_displacement, by_force));
  return displacement ? by_displacement : by_force;
}

}  // namespace

BoucWen bouc_wen_of(const Item& g, const std::string& owner, const Builder& b) {
  BoucWen w{};
  const auto refuse = [&](std::string_view key, const std::string& what) {
    const Value* v = g.find(key);
    throw InputError(v ? v->at : g.at, fmt::format("{}: {}", owner, what));
  };
  w.stiffness = b.number(g, "stiffness", 0), w.ratio = b.number(g, "post_yield_ratio", 0);
  w.A = b.number(g, "A", 1), w.n = b.number(g, "exponent", 1);
  if (!(w.ratio <= 1))
    refuse("post_yield_ratio",
           fmt::format("'post_yield_ratio' is the stiffness after yielding divided by the one before, from 0 to 1; found {:g}",
                       w.ratio));
  if (!(w.n >= 1)) refuse("exponent", fmt::format("'exponent' must be at least 1, found {:g}", w.n));
  const Value* exponent = g.find("exponent");
  const bool fixed = !exponent || exponent->number.program < 0;
  w.whole = fixed && w.n == std::floor(w.n) && w.n <= HystereticForce::most_exponent ? int(w.n) : 0;

  // β + γ = A / (A x_y)ⁿ: the line before yielding meets z = (A / (β + γ))^(1/n) at x_y.
  const double x = yield_displacement(g, owner, b, w.stiffness * (w.ratio + (1 - w.ratio) * w.A));
  const double sum = w.A * std::pow(w.A * x, -w.n);  // NaN if no yield displacement is known
  const Value *beta = g.find("beta"), *gamma = g.find("gamma");
  if (std::isnan(sum) && !(beta && gamma))
    refuse(beta ? "beta" : "gamma", beta || gamma
                                        ? fmt::format("'{}' alone does not say when it yields; give '{}' as well, or "
                                                      "'yield_displacement', or 'yield_force'",
                                                      beta ? "beta" : "gamma", beta ? "gamma" : "beta")
                                        : "it does not say when it yields; give 'yield_force', or 'yield_displacement', or "
                                          "'beta' and 'gamma'");
  w.beta = beta ? b.number(beta->number) : gamma ? sum - b.number(gamma->number) : 0.5 * sum;
  w.gamma = gamma ? b.number(gamma->number) : sum - w.beta;
  if (w.beta < 0 && w.beta > -agreement * sum) w.beta = 0, w.gamma = sum;
  if (w.beta < 0)
    refuse("gamma",
           fmt::format("'gamma' is {:g}, but a yield displacement of {:g} makes 'beta' + 'gamma' {:g}; 'beta' must not be "
                       "negative, or z grows without bound",
                       w.gamma, x, sum));
  const double both = w.beta + w.gamma;
  if (!std::isnan(sum) && differ(both, sum))
    refuse("beta", fmt::format("'beta' + 'gamma' is {:g}, but a yield displacement of {:g} makes it {:g}; leave one of them out",
                               both, x, sum));
  const bool linear = w.beta == 0 && w.gamma == 0;
  if (!(both > 0) && !linear)
    refuse("beta", fmt::format("'beta' + 'gamma' is {:g}; it must be positive, or z grows without bound", both));
  if (!std::isfinite(both)) refuse("beta", "'beta' + 'gamma' is not finite; are 'exponent' or the yield displacement extreme?");
  w.bound = linear ? HUGE_VAL : std::pow(w.A / both, 1 / w.n);
  w.initial = b.number(g, "initial", 0);
  if (std::abs(w.initial) > w.bound)
    refuse("initial", fmt::format("'initial' is {:g}, but z cannot exceed {:g}", w.initial, w.bound));
  return w;
}

Builder::Place add_hysteresis(const BoucWen& w, const HysteresisPlace& place, Builder& b) {
  const double unit = std::isfinite(w.bound) ? w.bound : 1, scale = std::pow(unit, w.n) / w.A;
  const HystereticForce::Parameters<double> p = {.stiffness = w.ratio * w.stiffness,
                                                 .rest = place.rest,
                                                 .damping = place.damping,
                                                 .strength = (1 - w.ratio) * w.stiffness * unit,
                                                 .unit = unit,
                                                 .rate = w.A / unit,
                                                 .loss = w.beta * scale,
                                                 .bend = w.gamma * scale,
                                                 .exponent = w.n};
  const int carrier = b.add_state(place.first, place.second, w.initial / unit);
  const Builder::Place added = b.add<HystereticForce>(hysteretic_force_kernel, {place.coordinate, carrier, w.whole}, p);
  const bool is_angle = place.coordinate.kind == Coordinate::angle;
  b.add_hysteresis({place.name, place.direction, added.group, added.element, is_angle, place.of_joint});
  return added;
}

}  // namespace aleator::core
