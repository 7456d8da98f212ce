// aleator rerun RESULTS K: one realization of a study once more, with everything there is to say about it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numeric>

#include "base/atomic_file.hpp"
#include "ensemble/ensemble.hpp"
#include "nominal.hpp"
#include "recorded_study.hpp"
#include "results/write.hpp"

namespace aleator::core::app {
namespace {

constexpr size_t most_quantities = 24;  // told one by one

struct RerunArguments {
  std::string file, out;
  long realization = -1;
};

std::string labelled(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

// --- the sample ---

// A random number beside its law.
struct Drawing {
  std::string name, unit;
  double value, nominal, mean, std, below;  // below: probability of a smaller one, NaN where the law has no density
  double unusual() const { return std::isfinite((value - mean) / std) ? std::abs(value - mean) / std : 0; }
};

// From the density as the file has it, at some 200 places.
double probability_below(const results::StudyReader& f, const std::string& folder, double value) {
  if (!f.has(folder + "/x")) return std::nan("");
  const std::vector<double> x = f.numbers(folder + "/x"), density = f.numbers(folder + "/density");
  double below = 0, all = 0;
  for (size_t i = 1; i < x.size(); ++i) {
    const double width = x[i] - x[i - 1], part = std::clamp((value - x[i - 1]) / width, 0.0, 1.0);
    below += width * part * (density[i - 1] + 0.5 * part * (density[i] - density[i - 1]));
    all += 0.5 * width * (density[i] + density[i - 1]);
  }
  return below / all;
}

std::vector<Drawing> drawings(const results::StudyReader& f, const std::vector<double>& sample) {
  const std::vector<std::string> columns = f.texts_attribute("/samples/inputs", "columns"),
                                 units = f.texts_attribute("/samples/inputs", "column_units");
  std::vector<Drawing> all;
  for (size_t c = 0; c < columns.size() && c < sample.size(); ++c) {
    const std::string folder = "/laws/columns/" + columns[c];
    const auto number_of = [&](const char* name) {
      return f.has_attribute(folder, name) ? f.number_attribute(folder, name) : std::nan("");
    };
    all.push_back({columns[c], c < units.size() ? units[c] : "", sample[c], number_of("nominal"), number_of("mean"),
                   number_of("std"), probability_below(f, folder, sample[c])});
  }
  return all;
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

// --- the attempts ---

// One simulation alone.
struct Attempt {
  double step = 0, failed_at = std::nan("");
  Trajectory<double> trajectory;
  AssemblyReport assembly;
  std::string why;  // empty: it finished
  bool began() const { return !trajectory.times.empty(); }
};

Attempt attempt(const Model& model, const Parameters& numbers, double step) {
  Attempt a;
  a.step = step;
  SimulateOptions options;
  options.poses = true;
  options.step = step;
  try {
    a.trajectory = simulate_as_far(model, numbers, options, &a.assembly);
    if (a.trajectory.failed) a.why = a.trajectory.why, a.failed_at = a.trajectory.reached;
    const AlignedVector<double>& v = a.trajectory.values;
    const auto odd = std::find_if(v.begin(), v.end(), [](double x) { return !std::isfinite(x); });
    if (a.why.empty() && odd != v.end()) {
      a.why = "an output is not finite";
      a.failed_at = a.trajectory.times[size_t(odd - v.begin()) / size_t(a.trajectory.channels)];
    }
  } catch (const SimulationError& e) {
    a.why = e.what();
    a.failed_at = e.time;
  }
  return a;
}

void print_attempt(const Attempt& a, const Settings& s) {
  fmt::print("\nalone, {} with a step of {:.6g} s: {}\n", s.integrator, a.step,
             a.why.empty()             ? "finished"
             : std::isnan(a.failed_at) ? "it does not begin"
                                       : fmt::format("failed at t = {:.6g} s of {:.6g} s", a.failed_at, s.duration));
  if (!a.why.empty()) fmt::print("  {}\n", a.why);
  if (!a.began()) return;
  const AssemblyReport& r = a.assembly;
  fmt::print("  assembly: {} iterations, constraints as drawn open by {:.3g}", r.iterations, r.violation);
  if (r.moved > 1e-9 || r.turned > 1e-9)
    fmt::print("; moved '{}' by {:.3g} m, turned '{}' by {:.3g} rad", r.moved_body, r.moved, r.turned_body, r.turned);
  const Trajectory<double>& t = a.trajectory;
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

// --- what comes out ---

// To the end, as the study computed it, or as far as it came.
Trajectory<double> as_trajectory(const Model& model, const SimulatedRow& r) {
  Trajectory<double> t;
  t.times = output_times(model.settings.duration, model.settings.output_step);
  t.channels = int(model.channels.size());
  t.values.assign(r.values.begin(), r.values.end());
  t.poses.assign(r.poses.begin(), r.poses.end());
  return t;
}

// The last moments of a motion that grows beyond all bounds cannot be drawn: the picture stays where it was. Outputs are as computed.
void freeze_what_cannot_be_drawn(results::Run& run) {
  const size_t times = run.time.size(), each = times > 0 ? run.poses.size() / times : 0;
  for (size_t t = 1; t < times; ++t) {
    const auto pose = run.poses.begin() + long(t * each);
    if (!std::all_of(pose, pose + long(each), [](double x) { return std::abs(x) < 1e60; }))
      std::copy_n(pose - long(each), each, pose);
  }
}

void write(const RecordedStudy& s, const results::Run& run, const RerunArguments& o, const std::string& command_line) {
  const std::filesystem::path folder =
      o.out.empty() ? std::filesystem::path(s.file().path()).parent_path() : std::filesystem::path(o.out);
  const std::string name = (folder / fmt::format("realization-{}", o.realization)).string();
  if (!o.out.empty()) create_folder(o.out);
  results::Provenance p = provenance_of(s.model(), s.arguments(), command_line);
  p.title = fmt::format("{}{}realization {}", p.title, p.title.empty() ? "" : ", ", o.realization);
  p.settings["realization"] = std::to_string(o.realization);
  p.settings["of"] = s.file().path();
  results::write_nominal(name + ".h5", run, p);
  results::write_csv(name + ".csv", run);
  fmt::print("\nwrote {}.h5 and {}.csv{}\n", name, name,
             run.time.size() < s.file().numbers("/time").size() ? fmt::format(", up to t = {:.6g} s", run.time.back()) : "");
}

// Whether these are the numbers in the file.
std::string comparison(const RecordedStudy& s, const RecordedStudy::Recorded& there, const results::Run& run, long k) {
  if (there.failed) return "in the file it failed";
  if (s.file().samples() <= k) return "the file keeps statistics alone, so there is nothing to compare with";
  double worst = 0;
  std::string where;
  const size_t nc = run.channels.size();
  bool same = true;
  for (size_t c = 0; c < nc; ++c) {
    const std::vector<double> kept = s.file().row("/responses/" + run.channels[c].name, k);
    double size = 0, difference = 0;
    if (kept.size() != run.time.size()) return "the file has other times";
    for (size_t t = 0; t < kept.size(); ++t) {
      const double x = run.values[t * nc + c];
      same = same && std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(kept[t]);
      size = std::max(size, std::abs(kept[t]));
      difference = std::max(difference, std::abs(x - kept[t]));
    }
    if (size > 0 && difference / size > worst) worst = difference / size, where = run.channels[c].name;
  }
  if (same) return "bit for bit the numbers in the file";
  return fmt::format("the numbers differ from those in the file by up to {:.2g} of the largest value ('{}')", worst, where);
}

// Of one that fails again: whether it does as the file says.
std::string comparison_of_failures(const RecordedStudy::Recorded& there, double time, const std::string& why) {
  if (!there.failed) return "in the file it is finished";
  const bool same_time = there.time == time || (std::isnan(there.time) && std::isnan(time));
  return same_time && there.why == why ? "as in the file" : fmt::format("in the file the reason is: {}", there.why);
}

void print_heading(const RecordedStudy& s, const RerunArguments& o, const RecordedStudy::Recorded& there) {
  const Model& m = s.model();
  fmt::print("{}: realization {} of {} ({}, seed {})\n", m.title.empty() ? m.description.file : m.title, o.realization,
             s.file().path(), s.study().method, s.study().seed);
  for (const std::string& d : s.differences()) fmt::print(stderr, "{}: note: {}\n", s.file().path(), d);
  print_sample(drawings(s.file(), there.sample), there.drawn_again);
}

int tell_failure(const RecordedStudy::Recorded& there, double time, const std::string& why) {
  fmt::print(stderr, "it failed{}: {}\n{}\n", std::isnan(time) ? "" : fmt::format(" at t = {:.6g} s", time), why,
             comparison_of_failures(there, time, why));
  return exit_code::simulation_failed;
}

int rerun_command(const RerunArguments& o, const std::string& command_line) {
  const results::StudyReader file(o.file);
  const RecordedStudy s(file);
  const RecordedStudy::Recorded there = s.realization(o.realization);
  print_heading(s, o, there);
  const Plan plan = plan_of({there.sample});
  const Drawn drawn = draw(s.model(), s.random(), plan, s.study().seed, 0);
  if (!drawn.numbers) {
    fmt::print("\nthese numbers make no mechanism\n");
    return tell_failure(there, std::nan(""), drawn.why);
  }
  const bool smaller = s.study().on_failure != "skip";
  const Ensemble ensemble(s.model(), s.random(), plan, s.study().seed, s.isa());
  const SimulatedRow r = ensemble.row(0, true, smaller);
  if (ensemble.lanes() > 1)
    fmt::print("\nin a lane, as the study computes it ({}): {}\n", name(s.isa()),
               r.tried_alone == 0 ? "finished" : "it cannot be computed there; what it does alone counts");
  Attempt last;
  for (const double step : steps_tried(s.model().settings, smaller)) {
    last = attempt(s.model(), *drawn.numbers, step);
    print_attempt(last, s.model().settings);
    if (last.why.empty() || std::isnan(last.failed_at)) break;
  }
  if (r.ok) {
    last.trajectory = as_trajectory(s.model(), r);
  } else if (last.began()) {
    std::vector<double> poses(last.trajectory.poses.begin(), last.trajectory.poses.end());
    move_to_drawn_frames(s.model(), *drawn.numbers, poses);
    last.trajectory.poses.assign(poses.begin(), poses.end());
  }
  results::Run run = as_run(s.model(), last.trajectory);
  freeze_what_cannot_be_drawn(run);
  print_outputs(run);
  if (!run.time.empty()) write(s, run, o, command_line);
  if (!r.ok) return tell_failure(there, r.failed_at, r.why);
  fmt::print("{}\n", comparison(s, there, run, o.realization));
  return exit_code::done;
}

}  // namespace

void add_rerun(CLI::App& app, Action& action) {
  auto o = std::make_shared<RerunArguments>();
  CLI::App* c = app.add_subcommand("rerun", "Simulate one realization of a study again and tell all about it");
  c->add_option("RESULTS", o->file, "results.h5 of a study, or its folder")->required();
  c->add_option("K", o->realization, "Number of the realization, from 0")->required()->check(whole_number(0, most_samples));
  c->add_option("--out", o->out, "Folder for realization-K.h5 and realization-K.csv (default beside RESULTS)")->type_name("DIR");
  c->callback([o, &action] { action.run = [o, &action] { return rerun_command(*o, action.command_line); }; });
}

}  // namespace aleator::core::app
