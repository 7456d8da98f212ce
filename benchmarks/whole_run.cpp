#include "whole_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "measure.hpp"
#include "models.hpp"
#include "results_file.hpp"

namespace aleator::core::bench {
namespace {

struct Finished {
  double wall, cpu, megabytes;
};

// Runs a program to its end; what it prints goes into a file.
Finished run(const std::vector<std::string>& arguments, const std::string& output) {
  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const Seconds began = now();
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(file, 1), dup2(file, 2);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) < 0 || status != 0)
    throw std::runtime_error(fmt::format("'{}' did not succeed", fmt::join(arguments, " ")));
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return {(now() - began).wall, seconds(used.ru_utime) + seconds(used.ru_stime), double(used.ru_maxrss) / 1024};
}

// Seconds of each phase, as --profile tells them.
struct Phases {
  double drawing = 0, simulation = 0, statistics = 0, final = 0;
  double all() const { return drawing + simulation + statistics + final; }
};
Phases phases_in(const std::string& file) {
  Phases p;
  std::ifstream in(file);
  bool in_profile = false;
  for (std::string line; std::getline(in, line);) {
    in_profile = in_profile || line.starts_with("profile:");
    const std::size_t unit = line.find(" s ");
    if (!in_profile || !line.starts_with("  ") || unit == std::string::npos || !line.ends_with("%")) continue;
    const double seconds = std::stod(line.substr(line.rfind(' ', unit - 1)));
    if (line.starts_with("  random numbers"))
      p.drawing += seconds;
    else if (line.starts_with("  statistics and journal"))
      p.statistics += seconds;
    else if (line.starts_with("  final statistics"))
      p.final += seconds;
    else
      p.simulation += seconds;
  }
  if (!(p.all() > 0)) throw std::runtime_error(file + ": there is no profile");
  return p;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

}  // namespace

void measure_whole_runs(long most, const std::string& folder) {
  const std::filesystem::path scratch = std::filesystem::path(ALEATOR_BUILD_DIR) / "bench-study";
  std::filesystem::create_directories(scratch);
  const std::string model = replaced(model_text("five-body"), "step: 1e-4, output_step: 1e-4, integrator: runge-kutta",
                                     "output_step: 1e-4, accuracy: 1e-3");
  ResultsFile file({"keep", "samples", "seconds", "cpu_seconds", "ms_per_sample", "peak_megabytes", "percent_drawing",
                    "percent_simulation", "percent_statistics", "percent_final"});
  fmt::print("\naleator run five-body.yaml, accuracy: 1e-3, all cores\n");
  for (const std::string keep : {"statistics", "all"}) {
    std::ofstream(scratch / "five-body.yaml") << replaced(model, "study: {", "study: {keep: " + keep + ", ");
    // With all realizations kept, a million of them would be 5 GB.
    for (long samples = 100; samples <= (keep == "all" ? std::min(most, 100'000L) : most); samples *= 10) {
      const std::string printed = scratch / "printed.txt";
      std::vector<std::string> command = {ALEATOR_PROGRAM,
                                          "run",
                                          scratch / "five-body.yaml",
                                          "--samples",
                                          std::to_string(samples),
                                          "--no-report",
                                          "--overwrite",
                                          "--out",
                                          scratch / "out"};
      const Finished f = run(command, printed);
      command.push_back("--profile");  // which costs some time itself
      run(command, printed);
      const Phases p = phases_in(printed);
      const auto percent = [&](double part) { return number(100 * part / p.all()); };
      fmt::print("  {:10} {:8} samples {:10.4g} s, {:.4g} ms each, {:.4g} MB\n", keep, samples, f.wall,
                 1e3 * f.wall / double(samples), f.megabytes);
      std::fflush(stdout);
      file.add({keep, std::to_string(samples), number(f.wall), number(f.cpu), number(1e3 * f.wall / double(samples)),
                number(f.megabytes), percent(p.drawing), percent(p.simulation), percent(p.statistics), percent(p.final)});
    }
  }
  std::filesystem::remove_all(scratch);
  file.write(folder + "/growth-samples.csv");
}

}  // namespace aleator::core::bench
