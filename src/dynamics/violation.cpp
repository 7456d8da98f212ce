#include "dynamics/violation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/named_place.hpp"
#include "dynamics/soft_joints.hpp"

namespace aleator::core {

double size_as_drawn(const Model& m) {
  const Topology& t = m.topology;
  const std::vector<double>& q = m.nominal.positions;
  Vec3<double> low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
  const auto include = [&](const Vec3<double>& p) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  };
  const auto place = [&](int c) { return Vec3<double>{q[7 * size_t(c)], q[7 * size_t(c) + 1], q[7 * size_t(c) + 2]}; };
  for (int c = 0; c < int(t.carriers.size()); ++c)
    if (t.carriers[c].is_place) include(place(c));
  for (size_t k = 0; k < t.marker_carrier.size(); ++k) {
    const int c = t.marker_carrier[k];
    const Vec3<double>& offset = m.nominal.markers[k].offset;
    if (c == t.ground())
      include(offset);
    else if (c >= 0)
      include(place(c) + rotation_matrix(RigidBody::orientation(&q[7 * size_t(c)])) * offset);
  }
  double size = 0;
  for (int i = 0; i < 3; ++i) size = std::max(size, high[i] - low[i]);
  return size > 0 ? size : 1;
}

Violation::Violation(const Model& model) : model_(model), per_limit_(model.topology.rows.size()) {
  const double size = size_as_drawn(model);
  for (size_t r = 0; r < per_limit_.size(); ++r)
    if (model.structure.row_active[r]) per_limit_[r] = 1 / (tolerance * (model.topology.rows[r].is_angle ? 1 : size));
}

bool may_contradict(const Model& m) {
  const auto& joints = m.description.section("joints");
  return std::any_of(joints.begin(), joints.end(), [](const input::Item& j) { return j.find("motion") != nullptr; }) ||
         std::any_of(m.topology.rows.begin(), m.topology.rows.end(), [](const RowRecord& r) { return r.what == "coupling"; });
}

std::string Violation::message(std::span<const double> open, double t) const {
  constexpr size_t most = 4;     // joints that are named
  constexpr double part = 1e-3;  // of the widest; joints that take no part are closed to round-off
  std::vector<size_t> rows(per_limit_.size());
  for (size_t r = 0; r < rows.size(); ++r) rows[r] = r;
  const auto size = [&](size_t r) { return std::abs(open[r]) * per_limit_[r]; };
  std::stable_sort(rows.begin(), rows.end(), [&](size_t a, size_t b) { return size(a) > size(b); });
  std::vector<std::string> names, texts;
  for (const size_t r : rows) {
    const RowRecord& row = model_.topology.rows[r];
    const std::string& name = model_.topology.joints[row.joint].name;
    if (names.size() == most || !(size(r) >= part * size(rows[0]))) break;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    texts.push_back(fmt::format("{}{} by {:.3g} {} ({})", named_joint(model_, row.joint), texts.empty() ? " remains open" : "",
                                std::abs(open[r]), row.is_angle ? "rad" : "m", row.what));
  }
  constexpr double most_ratio = 1e8;
  const MassRange range = masses_at(model_, names);
  const std::string cause = range.ratio() > most_ratio ? too_different(model_, range)
                            : may_contradict(model_)
                                ? "Do drives or couplings contradict each other, or the reach of the mechanism? 'aleator check' "
                                  "tells which constraints depend on each other"
                                : "The step is too long for this motion: try a smaller 'step', or 'integrator: auto', which "
                                  "reduces steps where that is "
                                  "necessary";
  return fmt::format("the constraints cannot all be met at t = {:.9g} s: {}. {}", t, fmt::join(texts, ", "), cause);
}

}  // namespace aleator::core
