#include "api/campbell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "api/vibrations.hpp"
#include "base/cancellation.hpp"
#include "dynamics/repeated_modes.hpp"
#include "model/drawn_frames.hpp"
#include "study/loaded_model.hpp"
#include "study/nominal.hpp"

namespace aleator::core {
namespace {

using results::Campbell;

constexpr double same_shape = 0.9;        // MAC from which on a mode is taken to be the same without a look in between
constexpr int deepest = 7;                // halvings of a distance between values
constexpr int phases = 25;                // of a period that is drawn
constexpr size_t most_drawn = 4'000'000;  // numbers of all periods: larger models are drawn at rest
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// All modes at a value of the parameter.
struct Found {
  double value = 0;
  std::vector<Mode> modes;
  Eigen::VectorXd weights;
  State<double> state;
  ModesReport report;
};

// The modes of the diagram at a value: their shapes, and which of those found there they are (−1: none, and the shape is that of before).
struct Followed {
  double value = 0;
  std::vector<Eigen::VectorXcd> shapes;
  std::vector<std::complex<double>> eigenvalues;  // 0 where there is none
  std::vector<int> own;
  std::vector<double> mac;
};

class Follower {
 public:
  Follower(const Model& m, const LoadedModel& loaded, const CampbellRequest& q)
      : m_(m), settings_(loaded.model_settings()), q_(q) {}

  Found at(double value) const {
    throw_if_cancelled();
    ++computed_;
    const Parameters numbers = numbers_at(value);
    const Realization<double> r = make_realization<double>(m_, std::span(&numbers, 1));
    Assembly<double> a(m_, r);
    ModalRequest request = q_.modes;
    request.number = 2 * request.number + 4;
    ModesFound found = find_modes(a, request);
    return {value, std::move(found.modes), modal_weights(a), std::move(found.state), found.report};
  }

  int computed() const { return computed_; }

  Followed follow(const Followed& from, const Found& to, int depth = 0) const {
    // Where modes have the same eigenvalue at one end, their shapes there are those that go on as the ones at the other end.
    std::vector<Mode> modes = to.modes;
    turn_towards(modes, from.shapes, to.weights);
    std::vector<Eigen::VectorXcd> shapes = from.shapes, targets;
    for (const Mode& m : modes)
      if (!m.rigid) targets.push_back(m.shape);
    for (const std::vector<int>& group : repeated(from.eigenvalues)) turn_towards(shapes, group, targets, to.weights);
    Followed next{to.value, shapes, from.eigenvalues, pair_modes(shapes, modes, to.weights), {}};
    double worst = 1;
    for (size_t k = 0; k < next.own.size(); ++k) {
      next.mac.push_back(nothing), next.eigenvalues[k] = 0;
      if (next.own[k] < 0) continue;
      const Mode& mode = modes[size_t(next.own[k])];
      next.shapes[k] = mode.shape, next.eigenvalues[k] = mode.eigenvalue;
      next.mac[k] = modal_assurance(shapes[k], mode.shape, to.weights);
      worst = std::min(worst, next.mac[k]);
    }
    if (worst >= same_shape || depth >= deepest) return next;
    const Followed middle = follow(from, at(0.5 * (from.value + to.value)), depth + 1);
    return follow(middle, to, depth + 1);
  }

  // The state that is drawn, and a period of each mode there.
  void draw(const Found& found, const Followed& modes, CampbellDiagram& d) const {
    const Parameters numbers = numbers_at(found.value);
    const Realization<double> r = make_realization<double>(m_, std::span(&numbers, 1));
    const Assembly<double> a(m_, r);
    Trajectory t;
    t.times = {0};
    t.poses.assign(found.state.positions.begin(), found.state.positions.end());
    draw_frames(m_, t);
    Model bare = m_;  // its outputs are functions of time
    bare.channels.clear(), bare.topology.outputs.clear();
    d.drawn = as_run(bare, t);
    if (modes.own.size() * phases * t.poses.size() > most_drawn) return;
    d.found.shapes_at = found.value, d.found.phases = phases;
    for (size_t k = 0; k < modes.own.size(); ++k) {
      std::vector<double> poses(phases * t.poses.size(), nothing);
      if (const int own = modes.own[k]; own >= 0) {
        Mode mode = found.modes[size_t(own)];
        mode.shape = modes.shapes[k];
        poses = frame_poses(m_.topology, period_of(a, found.state, mode, phases));
      }
      d.found.shapes.insert(d.found.shapes.end(), poses.begin(), poses.end());
    }
  }

 private:
  Parameters numbers_at(double value) const {
    std::vector<Override> overrides = settings_;
    std::erase_if(overrides, [&](const Override& o) { return o.name == q_.parameter; });
    overrides.push_back({q_.parameter, value});
    return realize(m_, overrides);
  }

  const Model& m_;
  std::vector<Override> settings_;
  const CampbellRequest& q_;
  mutable int computed_ = 0;
};

// Vibrations that nothing is followed to begin here, while there are fewer than asked for: values before have none.
void begin_modes(const Model& m, const Found& found, int number, Followed& modes, Campbell& d) {
  const std::vector<double> before(d.values.size(), nothing);
  for (int k = 0; k < int(found.modes.size()) && int(modes.own.size()) < number; ++k) {
    const Mode& mode = found.modes[size_t(k)];
    if (mode.rigid || !mode.oscillating || std::find(modes.own.begin(), modes.own.end(), k) != modes.own.end()) continue;
    modes.own.push_back(k), modes.mac.push_back(1);
    modes.shapes.push_back(mode.shape), modes.eigenvalues.push_back(mode.eigenvalue);
    const Vibration v = described(mode, m.topology);
    d.modes.push_back({v.body + " " + v.direction, before, before, before});
  }
}

void append(const Found& found, const Followed& modes, Campbell& d) {
  d.values.push_back(found.value);
  for (size_t k = 0; k < modes.own.size(); ++k) {
    const Mode* mode = modes.own[k] < 0 ? nullptr : &found.modes[size_t(modes.own[k])];
    d.modes[k].frequency.push_back(mode ? mode->frequency : nothing);
    d.modes[k].damping.push_back(mode ? mode->damping_ratio + 0.0 : nothing);
    d.modes[k].mac.push_back(modes.mac[k]);
  }
}

// --- critical speeds ---

// Where g(x) = f(x) − |order x| c of mode k changes its sign between two values, by regula falsi (Illinois: the end that stays counts half).
// None where g jumps: there the mode went on as another one.
std::optional<Campbell::Crossing> crossing(const Follower& follower, Followed low, const Followed& high, double at_low,
                                           double at_high, int k, const std::function<double(double x, double frequency)>& g) {
  const double jump = 1e-3 * std::max(std::abs(at_low), std::abs(at_high));
  const double close = 1e-9 * (high.value - low.value);
  double end = high.value;
  int stays = 0;  // which end did not move in the last step
  for (int step = 0; step < 60; ++step) {
    const double x = std::clamp((low.value * at_high - end * at_low) / (at_high - at_low), low.value, end);
    const Found found = follower.at(x);
    Followed next = follower.follow(low, found);
    if (next.own[size_t(k)] < 0) return {};
    const Mode& mode = found.modes[size_t(next.own[size_t(k)])];
    if (!mode.oscillating) return {};
    const double value = g(x, mode.frequency);
    const bool left = (value < 0) == (at_low < 0);
    const double moved = left ? x - low.value : end - x;
    if (value == 0 || moved <= close || end - low.value <= close) {
      if (std::abs(value) > jump) return {};
      return Campbell::Crossing{k, 0, x, mode.frequency, mode.damping_ratio + 0.0};
    }
    if (left) {
      low = std::move(next), at_low = value;
      if (stays == 1) at_high *= 0.5;
      stays = 1;
    } else {
      end = x, at_high = value;
      if (stays == -1) at_low *= 0.5;
      stays = -1;
    }
  }
  return {};
}

// Those between two values that follow each other.
std::vector<Campbell::Crossing> crossings_between(const Follower& follower, const Followed& low, const Followed& high,
                                                  const Campbell& before, const Found& found, const CampbellRequest& q) {
  std::vector<Campbell::Crossing> out;
  for (const double order : q.orders) {
    const auto g = [&](double x, double frequency) { return frequency - std::abs(order * x) * before.order_hertz; };
    for (size_t k = 0; k < low.own.size(); ++k) {
      if (low.own[k] < 0 || high.own[k] < 0) continue;
      if (!(before.modes[k].damping.back() < 1) || !found.modes[size_t(high.own[k])].oscillating)
        continue;  // it does not vibrate
      const double a = g(low.value, before.modes[k].frequency.back()),
                   b = g(high.value, found.modes[size_t(high.own[k])].frequency);
      if (!((a < 0) != (b < 0))) continue;
      if (std::optional<Campbell::Crossing> c = crossing(follower, low, high, a, b, int(k), g)) {
        c->order = order;
        out.push_back(*c);
      }
    }
  }
  return out;
}

// --- notes ---

// Most likely a speed of what the modes are about the rest of.
void note_constancy(Campbell& d, bool at_rest) {
  for (const Campbell::Mode& m : d.modes) {
    const auto [low, high] = std::minmax_element(m.frequency.begin(), m.frequency.end());
    if (std::any_of(m.frequency.begin(), m.frequency.end(), [](double f) { return std::isnan(f); })) return;
    if (*high - *low > 1e-6 * *high) return;  // more than round-off, of slow vibrations of stiff beams
  }
  d.notes.push_back(fmt::format(
      "no frequency changes with {}{}", d.parameter,
      at_rest ? "; these are vibrations about rest, --about steady and --about rotation linearise about a motion" : ""));
}

void note_instability(Campbell& d) {
  for (size_t k = 0; k < d.modes.size(); ++k) {
    const std::vector<double>& damping = d.modes[k].damping;
    const auto grows = [](double ratio) { return ratio < -1e-9; };  // that of a mode that is called unstable
    const auto first = std::find_if(damping.begin(), damping.end(), grows);
    if (first == damping.end()) continue;
    const auto last = std::find_if(damping.rbegin(), damping.rend(), grows);
    const double from = d.values[size_t(first - damping.begin())], to = d.values[size_t(damping.rend() - last) - 1];
    d.notes.push_back(fmt::format("mode {} is unstable (its damping ratio is negative) {}", k + 1,
                                  from == to ? fmt::format("at {} = {:.6g}", d.parameter, from)
                                             : fmt::format("from {} = {:.6g} to {:.6g}", d.parameter, from, to)));
  }
}

double number_in(const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != 0 || !std::isfinite(x)) throw std::invalid_argument(fmt::format("'{}' is no number", text));
  return x;
}

}  // namespace

void read_range(const std::string& text, CampbellRequest& to) {
  const size_t equals = text.find('='), dots = text.find("..");
  if (equals == std::string::npos || equals == 0 || dots == std::string::npos || dots < equals ||
      text.find("..", dots + 1) == dots + 1)
    throw std::invalid_argument(fmt::format("must be a name and a range, as speed=0..300; found '{}'", text));
  to.parameter = text.substr(0, equals);
  to.from = number_in(text.substr(equals + 1, dots - equals - 1));
  to.to = number_in(text.substr(dots + 2));
  if (!(to.from < to.to)) throw std::invalid_argument(fmt::format("the range must rise, found {:g} to {:g}", to.from, to.to));
}

std::vector<double> read_orders(const std::vector<std::string>& words) {
  std::vector<double> out;
  for (const std::string& word : words) {
    out.push_back(number_in(word));
    if (!(out.back() > 0)) throw std::invalid_argument(fmt::format("must be positive multiples, found {}", word));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

double hertz_of(const std::string& unit) {
  if (unit.empty() || unit == "rad/s") return 1 / (2 * std::acos(-1.0));
  if (unit == "rpm") return 1. / 60;
  if (unit == "Hz") return 1;
  if (unit == "deg/s") return 1. / 360;
  throw std::invalid_argument(fmt::format("must be rad/s, rpm, Hz or deg/s where there are orders, found '{}'", unit));
}

CampbellDiagram campbell(const aleator::Model& model, const CampbellRequest& q) {
  const LoadedModel& loaded = model.compiled();
  const Model& m = loaded.model;
  CampbellDiagram out;
  Campbell& d = out.found;
  d.parameter = q.parameter, d.unit = q.orders.empty() || !q.unit.empty() ? q.unit : "rad/s", d.about = about_of(m, q.modes);
  d.orders = q.orders, d.order_hertz = q.orders.empty() ? 0 : hertz_of(q.unit);
  const Follower follower(m, loaded, q);
  Followed before;
  Found drawn;
  Followed drawn_modes;
  std::string unbalanced;  // the first body
  try {
    for (int i = 0; i < q.points; ++i) {
      const Found found = follower.at(q.points == 1 ? q.from : q.from + (q.to - q.from) * i / (q.points - 1));
      Followed modes = before.shapes.empty() ? Followed{found.value, {}, {}, {}, {}} : follower.follow(before, found);
      const std::vector<Campbell::Crossing> crossed = crossings_between(follower, before, modes, d, found, q);
      d.crossings.insert(d.crossings.end(), crossed.begin(), crossed.end());
      if (!found.report.balanced && unbalanced.empty()) unbalanced = found.report.unbalanced_body;
      begin_modes(m, found, q.modes.number, modes, d);
      append(found, modes, d);
      if (2 * i <= q.points) drawn = found, drawn_modes = modes;
      before = std::move(modes);
      if (q.on_progress) q.on_progress(i + 1);
    }
    out.complete = true;
  } catch (const Cancelled&) {
    if (d.values.size() < 2) throw;
    d.notes.push_back(fmt::format("interrupted after {} of {} values", d.values.size(), q.points));
  }
  if (d.modes.empty())
    throw SimulationError(
        fmt::format("nothing vibrates from {0} = {1:g} to {2:g}: all modes are rigid, or damped more than critically; "
                    "another range, or --about, may have vibrations",
                    q.parameter, q.from, q.to));
  out.computed = follower.computed();
  drawn_modes.own.resize(d.modes.size(), -1);
  follower.draw(drawn, drawn_modes, out);
  std::stable_sort(d.crossings.begin(), d.crossings.end(),
                   [](const auto& a, const auto& b) { return a.order != b.order ? a.order < b.order : a.value < b.value; });
  const bool at_rest = d.about != "steady" && d.about != "rotation";
  if (!unbalanced.empty())
    d.notes.push_back(at_rest ? "not everywhere an equilibrium; --about equilibrium linearises there"
                              : unsteady_note(unbalanced, d.about));
  note_constancy(d, at_rest);
  note_instability(d);
  return out;
}

}  // namespace aleator::core
