#include "study/rerun.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "base/errors.hpp"
#include "dynamics/recorder.hpp"
#include "study/nominal.hpp"

namespace aleator::core {
namespace {

// From the density as the file has it, at some 200 places.
double probability_below(const results::ColumnLaw& law, double value) {
  if (law.x.empty()) return std::nan("");
  double below = 0, all = 0;
  for (size_t i = 1; i < law.x.size(); ++i) {
    const double width = law.x[i] - law.x[i - 1], part = std::clamp((value - law.x[i - 1]) / width, 0.0, 1.0);
    below += width * part * (law.density[i - 1] + 0.5 * part * (law.density[i] - law.density[i - 1]));
    all += 0.5 * width * (law.density[i] + law.density[i - 1]);
  }
  return below / all;
}

std::vector<Drawing> drawings(const results::StudyReader& f, const std::vector<double>& sample) {
  const std::vector<results::InputColumn> columns = f.columns();
  std::vector<Drawing> all;
  for (size_t c = 0; c < columns.size() && c < sample.size(); ++c) {
    const std::optional<results::ColumnLaw> law = f.column_law(columns[c].name);
    const double unknown = std::nan("");
    all.push_back({columns[c].name, columns[c].unit, sample[c], law ? law->nominal : unknown, law ? law->mean : unknown,
                   law ? law->std : unknown, law ? probability_below(*law, sample[c]) : unknown});
  }
  return all;
}

SingleAttempt attempt(const Model& model, const Parameters& numbers, double step) {
  SingleAttempt a;
  a.step = step;
  SimulateOptions options;
  options.poses = true;
  options.step = step;
  options.compile = false;  // it tells more: where a motion fails, and why
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

// To the end, as the study computed it, or as far as it came.
Trajectory as_trajectory(const Model& model, const SimulatedRow& r) {
  Trajectory t;
  t.times = output_times(model.settings.duration, model.settings.output_step);
  if (model.modal) t.times = {0};
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

// Whether these are the numbers in the file.
std::string comparison(const RecordedStudy& s, const RecordedStudy::Recorded& there, const results::Run& run, long k,
                       bool& same) {
  if (there.failed) return "in the file it failed";
  if (s.file().samples() <= k) return "the file contains only statistics: there is nothing to compare with";
  same = true;
  double worst = 0;
  std::string where;
  const size_t nc = run.channels.size();
  for (size_t c = 0; c < nc; ++c) {
    const std::vector<double> kept = s.file().response(run.channels[c].name, k);
    double size = 0, difference = 0;
    if (kept.size() != run.time.size()) {
      same = false;
      return "the file has other times";
    }
    for (size_t t = 0; t < kept.size(); ++t) {
      const double x = run.values[t * nc + c];
      same = same && std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(kept[t]);
      size = std::max(size, std::abs(kept[t]));
      difference = std::max(difference, std::abs(x - kept[t]));
    }
    if (size > 0 && difference / size > worst) worst = difference / size, where = run.channels[c].name;
  }
  if (same) return "bitwise identical to the values in the file";
  return fmt::format("the numbers differ from those in the file by up to {:.2g} of the largest value ('{}')", worst, where);
}

// Of one that fails again: whether it does as the file says.
std::string comparison_of_failures(const RecordedStudy::Recorded& there, double time, const std::string& why, bool& same) {
  if (!there.failed) return "in the file it is finished";
  const bool same_time = there.time == time || (std::isnan(there.time) && std::isnan(time));
  same = same_time && there.why == why;
  return same ? "as in the file" : fmt::format("in the file the reason is: {}", there.why);
}

void fail(RerunRealization& out, double time, const std::string& why) {
  out.why = why;
  out.failed_at = time;
  out.comparison = comparison_of_failures(out.recorded, time, why, out.same);
}

}  // namespace

RerunRealization rerun(const RecordedStudy& s, long realization) {
  RerunRealization out;
  out.recorded = s.realization(realization);
  out.drawings = drawings(s.file(), out.recorded.sample);
  const Plan plan = plan_of({out.recorded.sample});
  const Drawn drawn = draw(s.model(), s.random(), plan, s.study().seed, 0);
  if (!drawn.numbers) {
    out.mechanism = false;
    fail(out, std::nan(""), drawn.why);
    return out;
  }
  const bool smaller = s.study().on_failure != "skip";
  const Ensemble ensemble(s.model(), s.random(), plan, s.study().seed, s.isa());
  const SimulatedRow r = ensemble.row(0, true, smaller);
  out.lanes = ensemble.lanes();
  out.in_lane = r.tried_alone == 0;
  for (const double step : steps_tried(s.model().settings, smaller)) {
    out.attempts.push_back(attempt(s.model(), *drawn.numbers, step));
    const SingleAttempt& last = out.attempts.back();
    if (last.why.empty() || std::isnan(last.failed_at)) break;
  }
  Trajectory shown = out.attempts.back().trajectory;
  if (r.ok) {
    shown = as_trajectory(s.model(), r);
  } else if (out.attempts.back().began()) {
    std::vector<double> poses(shown.poses.begin(), shown.poses.end());
    move_to_drawn_frames(s.model(), *drawn.numbers, poses);
    shown.poses.assign(poses.begin(), poses.end());
  }
  out.run = as_run(s.model(), shown);
  freeze_what_cannot_be_drawn(out.run);
  out.ok = r.ok;
  if (r.ok)
    out.comparison = comparison(s, out.recorded, out.run, realization, out.same);
  else
    fail(out, r.failed_at, r.why);
  return out;
}

}  // namespace aleator::core
