// Realizations per second of a study, sampling included, on one and on two threads; and what a sample alone costs.
#include <benchmark/benchmark.h>

#include "ensemble/ensemble.hpp"

namespace aleator::core {
namespace {

const Model& five_body() {
  static const Model m = load_model(ALEATOR_SOURCE_DIR "/examples/five-body.yaml");
  return m;
}

void ensemble(benchmark::State& state) {
  const RandomModel random(five_body());
  const Plan plan{100, 0};
  const Ensemble all(five_body(), random, plan, 1);
  for (auto _ : state)
    all.run({.threads = int(state.range(0))}, [](SimulatedRow&& r) { benchmark::DoNotOptimize(r.values.data()); });
  state.counters["realizations/s"] =
      benchmark::Counter(double(plan.samples) * double(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(ensemble)->Name("ensemble/five-body/threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

void sample(benchmark::State& state) {
  const RandomModel random(five_body());
  std::uint64_t k = 0;
  for (auto _ : state) benchmark::DoNotOptimize(random.sample(1, k++).data());
}
BENCHMARK(sample)->Name("sample/five-body");

void numbers_of_a_realization(benchmark::State& state) {
  const RandomModel random(five_body());
  std::uint64_t k = 0;
  for (auto _ : state) benchmark::DoNotOptimize(realize(five_body(), random.overrides(random.sample(1, k++))).bodies.data());
}
BENCHMARK(numbers_of_a_realization)->Name("realize/five-body")->Unit(benchmark::kMicrosecond);

void laws(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(RandomModel(five_body()).columns().data());
}
BENCHMARK(laws)->Name("laws/five-body")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace aleator::core
