#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "input/limits.hpp"
#include "numerics/program.hpp"
#include "propagation/settings.hpp"
#include "results/read.hpp"
#include "study/session.hpp"

namespace aleator::app {

void add_allow_files(Command& command, std::vector<std::string>& folders) {
  command.option("--allow-files", folders, "Let the model refer to files in this folder too, not only in its own")
      .type("DIR")
      .folder()
      .each();
}

void add_trust(Command& command) {
  command.flag("--trust", core::results::StudyReader::trust_files,
               "Also read results without a checksum, which another program has written");
}

void add_threads(Command& command, int& threads) {
  command.option("-j,--threads", threads, "Number of threads (default all)").whole(1, 1024).type("N");
}

void add_json(Command& command, bool& json) {
  command.flag("--json", json, "Print one JSON object instead of text (docs/json.md)");
}

void ModelArguments::add_to(Command& command, const std::string& help) {
  command.option("MODEL", file, help).required();
  command
      .option("--set", settings,
              "Replace a number: a parameter, BODY.mass, BODY.center_of_mass.x, BODY.inertia.xx, BEAM.E, a variable of a "
              "random field (BEAM.E.xi1), or a parameter of a distribution (BODY.mass.cov, PARAMETER.std)")
      .type("NAME=VALUE")
      .each();
  add_allow_files(command, allowed);
}

Settings read_settings(const std::vector<std::string>& settings, const std::string& option, const std::string& name) {
  Settings out;
  for (const std::string& s : settings) {
    const size_t equals = s.find('=');
    const std::string value = equals == std::string::npos ? "" : s.substr(equals + 1);
    char* end = nullptr;
    const double x = std::strtod(value.c_str(), &end);
    if (equals == 0 || value.empty() || *end != 0 || !std::isfinite(x))
      throw UsageError(option, fmt::format("expects {}=VALUE with a finite number, found '{}'", name, s));
    out[s.substr(0, equals)] = x;
  }
  return out;
}

double share_of(const std::string& option, const std::string& text, double most) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  std::string rest = end;
  std::erase(rest, ' ');
  const double share = rest == "%" ? x / 100 : x;
  if (end != text.c_str() && (rest.empty() || rest == "%") && share >= 0 && share <= most) return share;
  throw UsageError(option, most == 1 ? fmt::format("must lie between 0 and 1 (0.01, or 1%), found '{}'", text)
                                     : fmt::format("expects a number as 0.01 or 1%, found '{}'", text));
}

Model ModelArguments::load() const { return load_model(file, read_settings(settings), {allowed}); }

void add_failures(Command& command, std::string& on_failure, std::string& failed_at_most) {
  command.option("--on-failure", on_failure, "When a realization fails: stop, retry with a smaller step, or skip it")
      .one_of({"stop", "retry", "skip"})
      .type("WHAT");
  command.option("--failed-at-most", failed_at_most, "Stop if a larger fraction of the realizations has failed (0.05, or 5%)")
      .type("X");
}

void add_isa(Command& command, std::string& isa, const std::string& help, bool here) {
  command.option("--isa", isa, help)
      .one_of({"portable", "x86-64-v2", "avx2", "avx512"})
      .check([here](const std::string& name) {
        return !here || core::available(core::isa_of(name)) ? "" : fmt::format("this processor does not have {}", name);
      })
      .type("NAME");
}

void add_about(Command& command, std::string& about, std::string& frame) {
  command.option("--about", about, "Linearise at rest at the start or the equilibrium, about steady spins, or in a turning frame")
      .one_of({"start", "equilibrium", "steady", "rotation"})
      .type("WHERE");
  command.option("--frame", frame, "For --about rotation: the body with which everything turns").type("BODY");
}

void StudyArguments::add_to(Command& command) {
  model.add_to(command);
  command.option("-o,--out", out, "Folder for the results (default out/NAME)").type("DIR");
  command.option("-n,--samples", samples, "Number of realizations").whole(1, most_samples).type("N");
  command.option("--seed", seed, "Seed of the random numbers").whole(0, most_seed).type("S");
  command.option("--method", method, "Propagation method").one_of(study_methods()).type("M");
  command.option("--what", what, "Study the motion, or natural frequencies, damping ratios and shapes")
      .one_of({"motion", "modes"})
      .type("W");
  command.option("--number", modes, "Of modes: how many, the lowest").whole(1, core::input::limits::modes).type("N");
  add_about(command, about, frame);
  command.option("--accuracy", accuracy, "Add realizations until standard errors are below this (1%, or x=1%,y=5%)").type("X");
  command.option("--budget", budget, "With --accuracy and auto: time and size at most (default 2min,2GB), or none").type("T,M");
  command.flag("--sensitivity", sensitivity, "Also compute Sobol indices by sampling");
  add_failures(command, on_failure, failed_at_most);
}

std::string StudyArguments::folder() const {
  return out.empty() ? "out/" + stem(model.file) + (what == "modes" ? "-modes" : "") : out;
}

Study StudyArguments::study(const Model& m) const {
  Study s = study_of(m);
  if (!what.empty()) s.what = what;
  if (s.what != "modes" && (modes > 0 || !about.empty() || !frame.empty()))
    throw UsageError(modes > 0 ? "--number" : !about.empty() ? "--about" : "--frame", "is for studies of modes (--what modes)");
  if (modes > 0) s.modes.number = modes;
  if (!frame.empty()) s.modes.frame = frame, s.modes.about = "rotation";
  if (!about.empty()) s.modes.about = about;
  if (!method.empty()) choose_method(s, method);
  if (!accuracy.empty()) {
    usage_of("--accuracy", [&] { return core::set_accuracy(accuracy, s), true; });
    s.samples = 100000;
  }
  if (!budget.empty()) usage_of("--budget", [&] { return core::set_budget(budget, s), true; });
  if (samples > 0) s.samples = samples;
  if (seed >= 0) s.seed = std::uint64_t(seed);
  if (sensitivity) s.sensitivity = true;
  if (!on_failure.empty()) s.on_failure = on_failure;
  if (!failed_at_most.empty()) s.failed_at_most = share_of("--failed-at-most", failed_at_most);
  return s;
}

std::string stem(const std::string& file) { return std::filesystem::path(file).stem().string(); }

}  // namespace aleator::app
