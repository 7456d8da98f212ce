// ./bench: comparisons at stated accuracy and growth of cost, into benchmarks/results/; or, with arguments of Google Benchmark, the
// small ones of benchmarks/micro/.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "cases.hpp"
#include "growth.hpp"
#include "micro/steps.hpp"
#include "models.hpp"
#include "throughput.hpp"
#include "whole_run.hpp"

namespace aleator::core::bench {
namespace {

int small_ones(int argc, char** argv) {
  register_steps();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

int comparisons(int argc, char** argv) {
  CLI::App app("Measures Aleator beside its peers; with arguments of Google Benchmark (--benchmark_filter=…) its parts");
  ThroughputOptions options;
  std::vector<std::string> only;
  std::string tuned, contender, printed, folder = ALEATOR_SOURCE_DIR "/benchmarks/results";
  long samples = 1'000'000;
  app.add_option("--only", only, "What to do")->check(CLI::IsMember({"throughput", "parts", "samples"}));
  app.add_option("--case", options.cases, "Cases of the comparison")->check(CLI::IsMember(case_names()));
  app.add_option("--turns", options.turns, "Repetitions, whose median counts");
  app.add_option("--samples", samples, "Largest study of the growth with samples");
  app.add_option("--results", folder, "Folder of the CSV files");
  app.add_option("--tune", tuned, "Errors and times over a range of steps for this case, instead")
      ->check(CLI::IsMember(case_names()));
  app.add_option("--contender", contender, "With --tune: only those whose name has this in it");
  app.add_option("--print-model", printed, "Print a model (five-body, chain-100, beam-30, …), instead");
  CLI11_PARSE(app, argc, argv);
  if (options.cases.empty()) options.cases = case_names();
  const auto wanted = [&](const std::string& what) {
    return only.empty() || std::find(only.begin(), only.end(), what) != only.end();
  };
  if (!printed.empty()) {
    fmt::print("{}", model_text(printed));
  } else if (!tuned.empty()) {
    tune(tuned, contender);
  } else {
    // First: the most memory that a program took counts what this one took when it started it.
    if (wanted("samples")) measure_whole_runs(samples, folder);
    if (wanted("throughput")) measure_throughput(options, folder);
    if (wanted("parts")) measure_growth_with_parts(folder);
  }
  return 0;
}

}  // namespace
}  // namespace aleator::core::bench

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i)
      if (std::string_view(argv[i]).starts_with("--benchmark_")) return aleator::core::bench::small_ones(argc, argv);
    return aleator::core::bench::comparisons(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench: {}\n", e.what());
    return 1;
  }
}
