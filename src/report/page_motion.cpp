// What is drawn in 3-D: shapes, joints, poses of the nominal motion and of some realizations.
#include <fmt/format.h>

#include <algorithm>

#include "report/page_parts.hpp"
#include "results/read_reliability.hpp"

namespace aleator::core::report {
namespace {

void put_geometry(PageContext& c, const std::vector<results::DrawnBody>& bodies) {
  c.json.key("geometry").array();
  long frame = 0;
  for (const results::DrawnBody& body : bodies) {
    c.json.object().key("name").string(body.name).key("firstFrame").number(double(frame)).key("nodes").number(body.nodes);
    if (!body.colour.empty()) c.json.key("colour").string(body.colour);
    c.json.key("shapes").array();
    for (const results::Shape& shape : body.shapes) {
      c.json.object().key("kind").string(shape.kind).key("size");
      if (shape.kind == "mesh")
        c.block.drawn(c.json, shape.size);
      else
        c.block.exact(c.json, shape.size);
      c.json.key("position").numbers(shape.position).key("quaternion").numbers(shape.quaternion).end();
    }
    c.json.end().end();
    frame += body.nodes;
  }
  c.json.end();
}

// Every n-th time of [times][frame][pose].
std::vector<double> thinned(const std::vector<double>& all, std::size_t times, std::size_t size, std::size_t stride) {
  std::vector<double> out;
  for (std::size_t t = 0; t < times; t += stride)
    out.insert(out.end(), all.begin() + long(t * size), all.begin() + long((t + 1) * size));
  return out;
}

// How much of the motion comes along: every `stride`-th time, and so many realizations and failures.
struct Share {
  std::size_t stride, ghosts, failures;
};

// Fewer times first, down to what still moves smoothly; then fewer realizations, then fewer failures. `bytes`: of all poses at one time.
Share fit_motion(const PageContext& c, std::size_t bytes, std::size_t realizations, std::size_t failures) {
  constexpr std::size_t most = 600, least = 150;
  const std::size_t times = c.time.size();
  const std::size_t wanted =
      std::clamp(c.limits.motion / std::max<std::size_t>(1, bytes * (1 + realizations + failures)), least, most);
  const std::size_t stride = (times + wanted - 1) / wanted, poses = (times - 1) / stride + 1;
  const std::size_t motions = std::max<std::size_t>(1, c.limits.motion / std::max<std::size_t>(1, bytes * poses));
  const std::size_t kept = std::min(failures, motions - 1);
  return {stride, std::min(realizations, motions - 1 - kept), kept};
}

// [kept][times][frames][7]: what a method for rare events kept of failures, the most probable first.
std::vector<double> failing_poses(const PageContext& c) {
  return results::has_reliability(c.file) ? results::read_reliability(c.file).failures.poses : std::vector<double>();
}

// `frames`: how many there are. Forces come along at every `stride`-th time, as far as there is room for all of them.
void put_connections(PageContext& c, std::size_t frames, std::size_t stride) {
  const std::vector<results::Connection> all = c.file.connections(frames);
  const std::size_t bytes = 3 * sizeof(float) * all.size() * (c.time.size() / stride + 1);
  const bool forces = bytes <= c.limits.motion / 3;
  c.json.key("connections").array();
  for (const results::Connection& x : all) {
    c.json.object().key("name").string(x.name).key("kind").string(x.kind).key("role").string(x.role);
    c.json.key("frames").numbers(std::vector<double>(x.frames.begin(), x.frames.end()));
    c.json.key("points").numbers(x.points);
    c.json.key("axis").numbers(x.axis).key("force");
    if (forces && !x.force.empty())
      c.block.drawn(c.json, thinned(x.force, c.time.size(), 3, stride));
    else
      c.json.null();
    c.json.end();
  }
  c.json.end();
  if (!forces) c.notes.push_back("The animation shows no forces: there are too many joints and forces for a report.");
}

void put_points(PageContext& c, std::size_t frames) {
  c.json.key("points").array();
  for (const results::ObservedPoint& p : c.file.points(frames))
    c.json.object().key("output").string(p.output).key("frame").number(p.frame).key("point").numbers(p.point).end();
  c.json.end();
  c.json.key("gravity");
  if (const std::vector<double> g = c.file.gravity(); !g.empty())
    c.json.numbers(g);
  else
    c.json.null();
}

}  // namespace

// In place of a motion: periods of modes about the state that is drawn, which is the nominal one.
static void put_modes(PageContext& c, const PageModes& modes, const results::Run& run) {
  c.put_texts("modes", modes.names);
  std::vector<double> phase, still;
  for (std::size_t k = 0; k < modes.phases; ++k) {
    phase.push_back(double(k) / double(modes.phases - 1));
    still.insert(still.end(), run.poses.begin(), run.poses.end());
  }
  c.json.key("time");
  c.block.exact(c.json, phase);
  c.json.key("nominal");
  c.block.drawn(c.json, still);
  c.json.key("rows");
  c.block.whole(c.json, std::vector<std::uint32_t>());
  c.json.key("realizations").null();
  c.json.key("failures");
  c.block.drawn(c.json, modes.poses);
}

void put_motion(PageContext& c) {
  const bool there = c.file.has_motion() && !c.time.empty();
  const results::Run run = there ? c.file.motion() : results::Run();
  const std::size_t frames = results::frame_names(run.bodies).size();
  const std::size_t size = there ? run.poses.size() / c.time.size() : 0, bytes = sizeof(float) * size;
  std::vector<long> rows = there ? c.file.kept_motions() : std::vector<long>();
  const std::vector<double> failing = there ? failing_poses(c) : std::vector<double>();
  const std::size_t failures = size > 0 ? failing.size() / (size * c.time.size()) : 0;
  const auto [stride, ghosts, kept] = there ? fit_motion(c, bytes, rows.size(), failures) : Share{1, 0, 0};
  put_geometry(c, run.bodies);
  put_connections(c, frames, stride);
  put_points(c, frames);
  c.json.key("motion");
  if (!there) {
    c.json.null();
    return;
  }
  if (ghosts < rows.size() && c.source.modes.names.empty())
    c.notes.push_back(fmt::format("The animation has {} of the {} realizations whose motion was recorded.", ghosts, rows.size()));
  rows.resize(ghosts);

  c.json.object();
  c.put_texts("frames", results::frame_names(run.bodies));
  const PageModes& modes = c.source.modes;
  if (!modes.names.empty() && modes.poses.size() == modes.names.size() * modes.phases * run.poses.size()) {
    put_modes(c, modes, run);
    c.json.end();
    return;
  }
  std::vector<double> times;
  for (std::size_t t = 0; t < c.time.size(); t += stride) times.push_back(c.time[t]);
  c.json.key("time");
  c.block.exact(c.json, times);
  c.json.key("nominal");
  c.block.drawn(c.json, thinned(run.poses, c.time.size(), size, stride));
  c.json.key("rows");
  c.block.whole(c.json, std::vector<std::uint32_t>(rows.begin(), rows.end()));
  c.json.key("realizations");
  if (ghosts == 0) {
    c.json.null();
  } else {
    std::vector<double> all;
    for (const long row : rows) {
      const std::vector<double> one = thinned(c.file.poses(row), c.time.size(), size, stride);
      all.insert(all.end(), one.begin(), one.end());
    }
    c.block.drawn(c.json, all);
  }
  c.json.key("failures");
  if (kept == 0) {
    c.json.null();
  } else {
    std::vector<double> all;
    const std::size_t one = size * c.time.size();
    for (std::size_t k = 0; k < kept; ++k) {
      const auto begin = failing.begin() + long(k * one);
      const std::vector<double> poses = thinned({begin, begin + long(one)}, c.time.size(), size, stride);
      all.insert(all.end(), poses.begin(), poses.end());
    }
    c.block.drawn(c.json, all);
  }
  c.json.end();
}

}  // namespace aleator::core::report
