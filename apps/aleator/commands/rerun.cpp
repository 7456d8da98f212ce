// aleator rerun RESULTS K: one realization of a study once more, with everything there is to say about it.
#include <algorithm>
#include <cmath>

#include "api/realization_files.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"
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
  say("\n{}{}\n", drawn_again ? "its numbers, drawn again" : "its numbers",
      count > all.size() ? fmt::format(", the {} most unusual of {}", all.size(), count) : "");
  const auto existing = [](double x) { return std::isnan(x) ? "" : number(x); };
  TextTable table;
  table.row({"quantity", "value", "nominal", "mean", "off by", "smaller are"});
  for (const Drawing& d : all)
    table.row({labelled(d.name, d.unit), number(d.value), existing(d.nominal), existing(d.mean),
               d.std > 0 ? fmt::format("{:+.2f} std", (d.value - d.mean) / d.std) : "",
               std::isnan(d.below) ? "" : fmt::format("{:.3g} %", 100 * d.below)});
  say("{}", table.text());
}

// Of modes, which are not functions of time.
void print_modes(const results::Run& run) {
  TextTable table;
  table.row({"output", "value"});
  for (size_t c = 0; c < run.channels.size() && c < run.values.size(); ++c)
    table.row({labelled(run.channels[c].name, run.channels[c].unit), number(run.values[c])});
  say("\n{}", table.text());
}

void print_attempt(const SingleAttempt& a, const core::Settings& s) {
  tell("\nindividually, {} with a step of {:.6g} s: {}", s.integrator, a.step,
       a.why.empty()             ? "finished"
       : std::isnan(a.failed_at) ? "it does not begin"
                                 : fmt::format("failed at t = {:.6g} s of {:.6g} s", a.failed_at, s.duration));
  if (!a.why.empty()) tell("  {}", a.why);
  if (!a.began()) return;
  const AssemblyReport& r = a.assembly;
  const bool changed = r.moved > 1e-9 || r.turned > 1e-9;
  tell("  assembly: {} iterations, constraints as drawn open by {:.3g}{}", r.iterations, r.violation,
       changed
           ? fmt::format("; moved '{}' by {:.3g} m, turned '{}' by {:.3g} rad", r.moved_body, r.moved, r.turned_body, r.turned)
           : "");
  const core::Trajectory& t = a.trajectory;
  tell("  {} steps{}", t.steps,
       t.iterations > 0
           ? fmt::format(", {:.2f} iterations of Newton's method in each; at most {}, in the step from t = {:.6g} s",
                         double(t.iterations) / double(std::max(1l, t.steps)), t.most_iterations, t.most_iterations_at)
           : "");
}

void print_outputs(const results::Run& run) {
  if (run.channels.empty() || run.time.empty()) return;
  TextTable table;
  table.row({"output", "smallest", "at t [s]", "largest", "at t [s]", "last"});
  const size_t nc = run.channels.size(), nt = run.time.size();
  for (size_t c = 0; c < nc; ++c) {
    const auto value = [&](size_t t) { return run.values[t * nc + c]; };
    size_t low = 0, high = 0;
    for (size_t t = 1; t < nt; ++t) {
      if (value(t) < value(low)) low = t;
      if (value(t) > value(high)) high = t;
    }
    table.row({labelled(run.channels[c].name, run.channels[c].unit), number(value(low)), number(run.time[low]),
               number(value(high)), number(run.time[high]), number(value(nt - 1))});
  }
  say("\n{}", table.text());
}

int rerun_command(const RerunArguments& o, const std::string& command_line) {
  const results::StudyReader file(o.file);
  const RecordedStudy s(file);
  const core::Model& m = s.model();
  tell("{}: realization {} of {} ({}, seed {})", m.title.empty() ? m.description.file : m.title, o.realization, file.path(),
       s.study().method, s.study().seed);
  for (const std::string& d : s.differences()) say(stderr, "{}: note: {}\n", file.path(), d);
  const RerunRealization r = core::rerun(s, o.realization);
  print_sample(r.drawings, r.recorded.drawn_again);
  if (!r.mechanism) say("\nthese values do not describe a mechanism\n");
  if (r.mechanism && r.lanes > 1)
    say("\nin a lane, as the study computes it ({}): {}\n", name(s.isa()),
        r.in_lane ? "finished" : "it cannot be computed there; what it does individually counts");
  if (m.modal) {
    for (const SingleAttempt& a : r.attempts) tell("\nits modes: {}", a.why.empty() ? "found" : a.why);
    print_modes(r.run);
  } else {
    for (const SingleAttempt& a : r.attempts) print_attempt(a, m.settings);
    print_outputs(r.run);
  }
  if (!r.run.time.empty()) {
    const std::string written = write_realization(s, r.run, o.realization, o.out, command_line);
    say("\nwrote {0}.h5\nwrote {0}.csv{1}\n", written,
        r.run.time.size() < file.time().size() ? fmt::format(", up to t = {:.6g} s", r.run.time.back()) : "");
  }
  if (r.ok) {
    tell("{}", r.comparison);
    return exit_code::done;
  }
  say(stderr, "it failed{}: {}\n{}\n", std::isnan(r.failed_at) ? "" : fmt::format(" at t = {:.6g} s", r.failed_at), r.why,
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
