// Time of one step and of one realization, one thread: five-body, Andrews' mechanism, chains of 10, 100 and 1,000 rods, and the
// slider-crank with 3, 30 and 300 elements. Cost per step must grow with the length of a chain or
// the number of elements, and not faster.
#include "micro/steps.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "dynamics/simulate.hpp"
#include "model/language.hpp"
#include "models.hpp"

namespace aleator::core::bench {
namespace {

// The slider-crank with another number of elements.
Model slider_crank(int elements) {
  std::string text = model_text("slider-crank");
  const std::string three = "elements: 3";
  text.replace(text.find(three), three.size(), fmt::format("elements: {}", elements));
  return make_model(input::read_text(text, "slider-crank.yaml", language()));
}

template <class T>
void steps(benchmark::State& state, Model model, const std::string& integrator) {
  model.settings.integrator = integrator;
  const Realization<T> r = make_realization<T>(model, std::span(&model.nominal, 1));
  Assembly<T> a(model, r);
  const State<T> start = drawn_state(model, r);
  const auto stepper = make_stepper(a, model.settings);
  const double h = model.settings.step;
  State<T> s = start;
  stepper->begin(s, h);
  int taken = 0;
  for (auto _ : state) {
    if (++taken * h > 0.9 * model.settings.duration) {  // start over, so that the motion stays the same
      state.PauseTiming();
      s = start;
      stepper->begin(s, h);
      taken = 1;
      state.ResumeTiming();
    }
    if (any(stepper->step(s, s.t + h))) state.SkipWithError("the step failed");
  }
  // A part: a rigid body, or six coordinates of a node.
  const double parts = double(a.carriers().count) * ScalarTraits<T>::lanes;
  state.counters["parts"] = parts;
  state.counters["ns/step/part"] =
      benchmark::Counter(1e-9 * parts * double(state.iterations()), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// From the numbers of a realization to its recorded outputs.
void realization(benchmark::State& state, Model model, const std::string& integrator, double step) {
  model.settings.integrator = integrator;
  model.settings.step = step;
  for (auto _ : state) benchmark::DoNotOptimize(simulate_model(model, model.nominal).values.data());
}

}  // namespace

void register_steps() {
  for (const std::string integrator : {"generalized-alpha", "runge-kutta"}) {
    for (const std::string name : {"five-body", "andrews"})
      benchmark::RegisterBenchmark(fmt::format("step/{}/{}", name, integrator).c_str(),
                                   [=](benchmark::State& s) { steps<double>(s, model_named(name), integrator); });
    for (const int n : {10, 100, 1000})
      benchmark::RegisterBenchmark(fmt::format("step/chain-{}/{}", n, integrator).c_str(), [=](benchmark::State& s) {
        steps<double>(s, model_named(fmt::format("chain-{}", n)), integrator);
      });
  }
  for (const int n : {3, 30, 300}) {
    benchmark::RegisterBenchmark(fmt::format("step/slider-crank/{} elements", n).c_str(),
                                 [=](benchmark::State& s) { steps<double>(s, slider_crank(n), "generalized-alpha"); });
  }
  benchmark::RegisterBenchmark("realization/slider-crank/h=1e-4", [](benchmark::State& s) {
    realization(s, model_named("slider-crank"), "generalized-alpha", 1e-4);
  })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("realization/five-body/generalized-alpha/h=2e-5", [](benchmark::State& s) {
    realization(s, model_named("five-body"), "generalized-alpha", 2e-5);
  })->Unit(benchmark::kMillisecond);
  // 2.5e-4 is the largest step that keeps both outputs within 1e-3 of the reference
  benchmark::RegisterBenchmark("realization/five-body/runge-kutta/h=2.5e-4", [](benchmark::State& s) {
    realization(s, model_named("five-body"), "runge-kutta", 2.5e-4);
  })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("realization/andrews/runge-kutta/h=1e-5", [](benchmark::State& s) {
    realization(s, model_named("andrews"), "runge-kutta", 1e-5);
  })->Unit(benchmark::kMillisecond);
}

}  // namespace aleator::core::bench
