// aleator rerun RESULTS K: one realization of a study once more, with everything there is to say about it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/atomic_file.hpp"
#include "cli/arguments.hpp"
#include "cli/progress_line.hpp"
#include "results/write.hpp"
#include "study/nominal.hpp"
#include "study/rerun.hpp"

namespace aleator::app {
namespace {

using namespace core;

constexpr size_t most_quantities = 24;  // told one by one

struct RerunArguments {
  std::string file, out;
  long realization = -1;
};

std::string labelled(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

void print_sample(std::vector<Drawing> all, bool drawn_again) {
  const size_t count = all.size();
  if (count > most_quantities) {
    std::stable_sort(all.begin(), all.end(), [](const Drawing& a, const Drawing& b) { return a.unusual() > b.unusual(); });
    all.resize(most_quantities);
  }
  fmt::print("\n{}{}\n", drawn_again ? "its numbers, drawn again" : "its numbers",
             count > all.size() ? fmt::format(", the {} most unusual of {}", all.size(), count) : "");
  size_t width = 8;
  for (const Drawing& d : all) width = std::max(width, d.name.size() + d.unit.size() + 3);
  fmt::print("{:{}}  {:>12}  {:>12}  {:>12}  {:>10}  {:>14}\n", "quantity", width, "value", "nominal", "mean", "off by",
             "smaller are");
  for (const Drawing& d : all)
    fmt::print("{:{}}  {:>12.6g}  {:>12}  {:>12}  {:>10}  {:>14}\n", labelled(d.name, d.unit), width, d.value,
               std::isnan(d.nominal) ? "" : fmt::format("{:.6g}", d.nominal),
               std::isnan(d.mean) ? "" : fmt::format("{:.6g}", d.mean),
               d.std > 0 ? fmt::format("{:+.2f} std", (d.value - d.mean) / d.std) : "",
               std::isnan(d.below) ? "" : fmt::format("{:.3g} %", 100 * d.below));
}

void print_attempt(const SingleAttempt& a, const core::Settings& s) {
  fmt::print("\nindividually, {} with a step of {:.6g} s: {}\n", s.integrator, a.step,
             a.why.empty()             ? "finished"
             : std::isnan(a.failed_at) ? "it does not begin"
                                       : fmt::format("failed at t = {:.6g} s of {:.6g} s", a.failed_at, s.duration));
  if (!a.why.empty()) fmt::print("  {}\n", a.why);
  if (!a.began()) return;
  const AssemblyReport& r = a.assembly;
  fmt::print("  assembly: {} iterations, constraints as drawn open by {:.3g}", r.iterations, r.violation);
  if (r.moved > 1e-9 || r.turned > 1e-9)
    fmt::print("; moved '{}' by {:.3g} m, turned '{}' by {:.3g} rad", r.moved_body, r.moved, r.turned_body, r.turned);
  const core::Trajectory& t = a.trajectory;
  fmt::print("\n  {} steps", t.steps);
  if (t.iterations > 0)
    fmt::print(", {:.2f} iterations of Newton's method in each; at most {}, in the step from t = {:.6g} s",
               double(t.iterations) / double(std::max(1l, t.steps)), t.most_iterations, t.most_iterations_at);
  fmt::print("\n");
}

void print_outputs(const results::Run& run) {
  if (run.channels.empty() || run.time.empty()) return;
  size_t width = 6;
  for (const results::Channel& c : run.channels) width = std::max(width, c.name.size() + c.unit.size() + 3);
  fmt::print("\n{:{}}  {:>12}  {:>10}  {:>12}  {:>10}  {:>12}\n", "output", width, "smallest", "at t [s]", "largest", "at t [s]",
             "last");
  const size_t nc = run.channels.size(), nt = run.time.size();
  for (size_t c = 0; c < nc; ++c) {
    const auto value = [&](size_t t) { return run.values[t * nc + c]; };
    size_t low = 0, high = 0;
    for (size_t t = 1; t < nt; ++t) {
      if (value(t) < value(low)) low = t;
      if (value(t) > value(high)) high = t;
    }
    fmt::print("{:{}}  {:>12.6g}  {:>10.4g}  {:>12.6g}  {:>10.4g}  {:>12.6g}\n",
               labelled(run.channels[c].name, run.channels[c].unit), width, value(low), run.time[low], value(high),
               run.time[high], value(nt - 1));
  }
}

void write(const RecordedStudy& s, const results::Run& run, const RerunArguments& o, const std::string& command_line) {
  const std::filesystem::path folder =
      o.out.empty() ? std::filesystem::path(s.file().path()).parent_path() : std::filesystem::path(o.out);
  const std::string name = (folder / fmt::format("realization-{}", o.realization)).string();
  if (!o.out.empty()) create_folder(o.out);
  results::Provenance p = provenance_of(s.model(), s.loaded().settings, command_line, {});
  p.title = fmt::format("{}{}realization {}", p.title, p.title.empty() ? "" : ", ", o.realization);
  p.settings["realization"] = std::to_string(o.realization);
  p.settings["of"] = s.file().path();
  results::write_nominal(name + ".h5", run, p);
  results::write_csv(name + ".csv", run);
  fmt::print("\nwrote {}.h5 and {}.csv{}\n", name, name,
             run.time.size() < s.file().time().size() ? fmt::format(", up to t = {:.6g} s", run.time.back()) : "");
}

int rerun_command(const RerunArguments& o, const std::string& command_line) {
  const results::StudyReader file(o.file);
  const RecordedStudy s(file);
  const core::Model& m = s.model();
  fmt::print("{}: realization {} of {} ({}, seed {})\n", m.title.empty() ? m.description.file : m.title, o.realization,
             file.path(), s.study().method, s.study().seed);
  for (const std::string& d : s.differences()) fmt::print(stderr, "{}: note: {}\n", file.path(), d);
  const RerunRealization r = core::rerun(s, o.realization);
  print_sample(r.drawings, r.recorded.drawn_again);
  if (!r.mechanism) fmt::print("\nthese values do not describe a mechanism\n");
  if (r.mechanism && r.lanes > 1)
    fmt::print("\nin a lane, as the study computes it ({}): {}\n", name(s.isa()),
               r.in_lane ? "finished" : "it cannot be computed there; what it does individually counts");
  for (const SingleAttempt& a : r.attempts) print_attempt(a, m.settings);
  print_outputs(r.run);
  if (!r.run.time.empty()) write(s, r.run, o, command_line);
  if (r.ok) {
    fmt::print("{}\n", r.comparison);
    return exit_code::done;
  }
  fmt::print(stderr, "it failed{}: {}\n{}\n", std::isnan(r.failed_at) ? "" : fmt::format(" at t = {:.6g} s", r.failed_at), r.why,
             r.comparison);
  return exit_code::simulation_failed;
}

}  // namespace

void add_rerun(Command& c) {
  auto o = std::make_shared<RerunArguments>();
  c.option("RESULTS", o->file, "results.h5 of a study, or its folder").required();
  c.option("K", o->realization, "Number of the realization, from 0").required().whole(0, most_samples);
  c.option("-o,--out", o->out, "Folder for realization-K.h5 and realization-K.csv (default beside RESULTS)").type("DIR");
  add_trust(c);
  c.run([o, &c] { return rerun_command(*o, c.line()); });
}

}  // namespace aleator::app
