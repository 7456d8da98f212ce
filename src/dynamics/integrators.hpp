// What an integrator is and can do. Each is defined in a file of its own as
//   constinit const Integrator radau_integrator{.order = 5, …};
// and listed by one line of model/integrator_names.hpp. Nobody else compares names: they ask for what it can do.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "dynamics/stepper.hpp"
#include "model/integrator_names.hpp"

namespace aleator::core {

class LaneCompiler;
class LaneMethod;
struct LaneStart;

struct Integrator {
  std::string_view name;  // the language's word for it, by integrators()

  int order = 0;  // of outputs, accelerations among them; the highest, where it varies
  bool is_explicit = false;
  bool chooses_steps = false;  // its own, for its tolerance; `step` means nothing to it
  bool uses_rho = false;
  double tolerance = 0;       // when the settings give none; 0: it has none
  double step_tolerance = 0;  // relative error allowed in a step that is adapted to it, when the settings give none

  // What `integrator: auto` goes by; it considers those with `work`.
  double work = 0;    // of a step, in evaluations
  double stable = 0;  // explicit ones: |h λ| up to which vibrations (λ imaginary) are stable, with some reserve

  bool (*is_available)() = [] { return true; };  // in this build
  std::unique_ptr<Stepper> (*make)(Assembly<double>&, const Settings&) = nullptr;
  // For the lanes of a core. Null: it has none, and realizations are computed one by one.
  std::unique_ptr<LaneMethod> (*make_lanes)(LaneCompiler&, const LaneStart&, const Settings&) = nullptr;
};

#define ALEATOR_DECLARE(id, word) extern const Integrator id##_integrator;
ALEATOR_INTEGRATORS(ALEATOR_DECLARE)
#undef ALEATOR_DECLARE

// All of them, in the order of the language; those that are not available included.
const std::vector<Integrator>& integrators();

// The one that the settings name. Throws std::invalid_argument when there is none of that name; `auto` is none, it stands for one that
// has yet to be chosen (choose.hpp).
const Integrator& integrator(const Settings& settings);

// Whether output times are ends of steps: of those that are adapted to their error. (Steps of a named size are equal.)
bool follows_output_times(const Settings& settings);

// The tolerance in force: that of the settings, or the integrator's own.
double tolerance_of(const Settings& settings);

std::unique_ptr<Stepper> make_stepper(Assembly<double>& assembly, const Settings& settings);

}  // namespace aleator::core
