#include "growth.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "dynamics/lane_engine.hpp"
#include "dynamics/simulate.hpp"
#include "measure.hpp"
#include "models.hpp"
#include "results_file.hpp"

namespace aleator::core::bench {

namespace {

// Takes steps of one simulation.
class Steps {
 public:
  Steps(const std::string& name, const std::string& integrator) : model_(model_named(name)) {
    model_.settings.integrator = integrator;
    realization_ = make_realization<double>(model_, std::span(&model_.nominal, 1));
    assembly_ = std::make_unique<Assembly<double>>(model_, realization_);
    stepper_ = make_stepper(*assembly_, model_.settings);
  }
  // From the start, so that all sizes see the same part of the motion.
  void take(int steps) {
    begin();
    for (int k = 0; k < steps; ++k)
      if (stepper_->step(state_, state_.t + model_.settings.step))
        throw std::runtime_error("a step of " + model_.title + " failed");
  }

 private:
  void begin() {
    state_ = drawn_state(model_, realization_);
    stepper_->begin(state_, model_.settings.step);
  }

  Model model_;
  Realization<double> realization_;
  std::unique_ptr<Assembly<double>> assembly_;
  std::unique_ptr<Stepper> stepper_;
  State<double> state_;
};

// Takes steps of as many simulations as an instruction set has lanes: of one, as `simulate` does it, or of the most.
class LaneSteps {
 public:
  LaneSteps(const std::string& name, const std::string& integrator, int steps, Isa isa) : model_(model_named(name)) {
    model_.settings.integrator = integrator;
    model_.settings.duration = steps * model_.settings.step;
    model_.settings.output_step = model_.settings.duration;
    realization_ = make_realization<double>(model_, std::span(&model_.nominal, 1));
    engine_ = std::make_unique<LaneEngine>(model_, std::span<const Parameters>(), model_.settings, isa);
    run_ = std::make_unique<LaneRun>(*engine_);
  }
  void take() {
    const LaneRun::Start start{&realization_};
    (*run_)(std::span(&start, 1), false);
    if (run_->failed(0)) throw std::runtime_error("lanes of " + model_.title + " failed");
  }
  int lanes() const { return engine_->lanes(); }

 private:
  Model model_;
  Realization<double> realization_;
  std::unique_ptr<LaneEngine> engine_;
  std::unique_ptr<LaneRun> run_;
};

}  // namespace

void measure_growth_with_parts(const std::string& folder) {
  struct Series {
    std::string model, integrator;
  };
  ResultsFile file({"model", "integrator", "parts", "us_per_step", "ns_per_step_and_part", "one_us_per_step",
                    "lane_us_per_step_and_realization"});
  fmt::print("\ntime of a step\n");
  for (const Series& s : {Series{"chain", "runge-kutta"}, {"chain", "generalized-alpha"}, {"beam", "generalized-alpha"}})
    for (const int parts : {10, 30, 100, 300, 1000}) {
      Steps steps(fmt::format("{}-{}", s.model, parts), s.integrator);
      constexpr int count = 200;
      steps.take(count / 10);
      const double us = 1e6 / count * measure_in_turn({[&] { steps.take(count); }}, 5)[0].median.cpu;
      const int lane_steps = parts <= 300 ? count : count / 10;
      const auto compiled = [&](Isa isa) {
        LaneSteps lanes(fmt::format("{}-{}", s.model, parts), s.integrator, lane_steps, isa);
        lanes.take();
        return number(1e6 / lane_steps / lanes.lanes() * measure_in_turn({[&] { lanes.take(); }}, 5)[0].median.cpu);
      };
      const std::string one = compiled(isa_for_one()), in_lanes = compiled(best_isa());
      fmt::print("  {:6} {:18} {:5} parts {:10.4g} us, {:.4g} ns per part; compiled {} us, in lanes {} us\n", s.model,
                 s.integrator, parts, us, 1e3 * us / parts, one, in_lanes);
      std::fflush(stdout);
      file.add({s.model, s.integrator, std::to_string(parts), number(us), number(1e3 * us / parts), one, in_lanes});
    }
  file.write(folder + "/growth-parts.csv");
}

}  // namespace aleator::core::bench
