// The explicit Runge–Kutta method of order 5 of Dormand and Prince (1980).
#include "dynamics/runge_kutta.hpp"

namespace aleator::core {

static const Tableau& dormand_prince() {
  static const Tableau t{{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1},
                         {{},
                          {1.0 / 5},
                          {3.0 / 40, 9.0 / 40},
                          {44.0 / 45, -56.0 / 15, 32.0 / 9},
                          {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                          {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                          {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
                         // to the embedded method of order 4
                         {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}};
  return t;
}

constinit const Integrator dormand_prince_integrator{.order = 5,
                                                     .is_explicit = true,
                                                     .step_tolerance = 1e-6,
                                                     .work = 7,
                                                     .stable = 0.9,
                                                     .make = make_runge_kutta<dormand_prince>,
                                                     .make_lanes = make_lane_runge_kutta<dormand_prince>};

}  // namespace aleator::core
