#include "dynamics/modal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/words.hpp"
#include "dynamics/equilibrium.hpp"
#include "dynamics/named_place.hpp"
#include "dynamics/repeated_modes.hpp"
#include "input/error.hpp"

namespace aleator::core {

using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

[[noreturn]] void refuse_frame(const Model& m, input::Position at, const std::string& message) {
  throw input::InputError(at, message).in_file(m.description.file);
}

// The body with which everything turns, if it is not named: the only one that a joint drives about an axis from the ground.
std::string driven_body(const Model& m) {
  constexpr const char* remedy = "say with which body everything turns: --frame BODY, or study: {modes: {frame: BODY}}";
  std::string found;
  for (const JointRecord& j : m.topology.joints)
    for (const FreeDirection& f : j.free)
      if (f.coordinate.kind == Coordinate::angle && (j.first == "ground" || j.second == "ground") &&
          std::find(f.acting.begin(), f.acting.end(), "motion") != f.acting.end()) {
        const std::string& body = j.first == "ground" ? j.second : j.first;
        if (!found.empty() && found != body)
          refuse_frame(m, {}, fmt::format("joints with the ground turn several bodies ('{}', '{}'); {}", found, body, remedy));
        found = body;
      }
  if (found.empty()) refuse_frame(m, {}, fmt::format("no joint with the ground prescribes a rotation; {}", remedy));
  return found;
}

// The rigid body with which everything turns. Throws InputError where it is none.
std::string turning_body(const Model& m, const std::string& frame) {
  const Topology& t = m.topology;
  const std::string name = frame.empty() ? driven_body(m) : frame;
  const auto bends = [&](int b) { return t.carriers[size_t(t.first_carrier[size_t(b)])].vectors > 0; };
  std::vector<std::string> rigid;
  for (int b = 0; b < t.bodies(); ++b)
    if (!bends(b)) rigid.push_back(t.body_names[size_t(b)]);
  for (const input::Item& item : m.description.section("bodies"))
    if (item.name == name && std::find(rigid.begin(), rigid.end(), name) == rigid.end())
      refuse_frame(m, item.at,
                   fmt::format("body '{}' bends; the frame of a rotation must be a rigid body, as the hub of a blade{}", name,
                               input::suggestion(name, rigid)));
  if (std::find(rigid.begin(), rigid.end(), name) == rigid.end())
    refuse_frame(m, {}, fmt::format("the frame of a rotation: unknown body '{}'{}", name, input::suggestion(name, rigid)));
  return name;
}

bool vibrates(const Mode& m) { return !m.rigid && (m.oscillating || m.unstable); }

// Damped by less than critically, where there are as many; the lowest first.
std::vector<const Mode*> chosen(const std::vector<Mode>& all, int number) {
  std::vector<const Mode*> out;
  for (const Mode& m : all)
    if (vibrates(m) && int(out.size()) < number) out.push_back(&m);
  return out;
}

// Velocities of places (and turns of rigid bodies) that move: those that a shape is told by.
std::vector<int> observed_velocities(const Model& m) {
  std::vector<int> out;
  const Topology& t = m.topology;
  for (int c = 0; c < int(t.carriers.size()) - t.states; ++c)
    for (int i = 0; i < 6; ++i)
      if (m.structure.dof[6 * c + i] >= 0 && (c < t.rigid || (i < 3 && t.carriers[size_t(c)].is_place))) out.push_back(6 * c + i);
  return out;
}

std::string velocity_name(const Model& m, int i) {
  static const char* const directions[] = {"x", "y", "z", "rx", "ry", "rz"};
  const Topology& t = m.topology;
  const int c = i / 6, body = t.carriers[size_t(c)].body;
  std::string name = t.carrier_name(c);
  if (c >= t.rigid) {  // a node of a beam, from 0
    int node = 0;
    for (int k = t.first_carrier[size_t(body)]; k < c; ++k) node += t.carriers[size_t(k)].is_place;
    name += fmt::format(".{}", node);
  }
  return name + "." + directions[i % 6];
}

}  // namespace

std::string about_of(const Model& m, const ModalRequest& r) {
  return !r.about.empty() ? r.about : m.settings.start_at_equilibrium ? "equilibrium" : "start";
}

ModesFound find_modes(Assembly<double>& a, const ModalRequest& request) {
  const std::string about = about_of(a.model(), request);
  ModesFound out;
  State<double> s = assemble(a);
  if (about == "rotation") {
    const Turning turning = Turning::with(a, s, turning_body(a.model(), request.frame));
    out.state = equilibrium(a, s, &turning).state;
    out.modes = modes(a, out.state, &out.report, &turning, request.number, request.sparse_above);
  } else if (about == "steady") {
    const Turning as_it_is;
    out.state = s;
    out.modes = modes(a, s, &out.report, &as_it_is, request.number, request.sparse_above);
  } else {
    out.state = about == "equilibrium" ? equilibrium(a, s).state : s;
    out.modes = modes(a, out.state, &out.report, nullptr, request.number, request.sparse_above);
  }
  return out;
}

std::string unsteady_note(const std::string& body, const std::string& about) {
  return fmt::format("this motion is not steady: forces on '{}' are left over, or change with time; so do frequencies{}", body,
                     about == "steady"
                         ? " (what spins with a shaft needs an entry of initial_motions, too; loads such as gravity bend a shaft)"
                         : "");
}

std::string balance_note(const ModesReport& r, const std::string& about) {
  if (r.balanced) return "";
  if (about == "steady" || about == "rotation") return unsteady_note(r.unbalanced_body, about);
  return fmt::format("this is no equilibrium ('{}' starts with {} m/s² or rad/s²); about: equilibrium linearises there",
                     r.unbalanced_body, number(r.unbalanced));
}

double modal_assurance(const VectorXcd& a, const VectorXcd& b, const VectorXd& w) {
  const std::complex<double> product = a.conjugate().cwiseProduct(w).cwiseProduct(b).sum();
  const double size = a.cwiseAbs2().dot(w) * b.cwiseAbs2().dot(w);
  return size > 0 ? std::norm(product) / size : 0;
}

VectorXd modal_weights(const Assembly<double>& a) {
  VectorXd w = VectorXd::Zero(a.velocities());
  for (int i = 0; i < 6 * a.carriers().first_state; ++i) w(i) = a.inertia(i / 6, i % 6 / 3);
  return w;
}

std::vector<int> pair_modes(const std::vector<VectorXcd>& shapes, const std::vector<Mode>& found, const VectorXd& weights) {
  struct Pair {
    double mac;
    int shape, mode;
  };
  std::vector<Pair> pairs;
  for (int i = 0; i < int(shapes.size()); ++i)
    for (int k = 0; k < int(found.size()); ++k)
      if (!found[size_t(k)].rigid) pairs.push_back({modal_assurance(shapes[size_t(i)], found[size_t(k)].shape, weights), i, k});
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) { return x.mac > y.mac; });
  std::vector<int> out(shapes.size(), -1);
  std::vector<char> taken(found.size(), 0);
  for (const Pair& p : pairs)
    if (out[size_t(p.shape)] < 0 && !taken[size_t(p.mode)]) out[size_t(p.shape)] = p.mode, taken[size_t(p.mode)] = 1;
  return out;
}

Settings without_steps(Settings s) {
  s.integrator = "generalized-alpha", s.accuracy = 0, s.step_tolerance = 0;
  s.duration = s.step = s.output_step = 1;
  return s;
}

Model modal_model(const Model& model, const ModalRequest& request) {
  Model out = model;
  auto analysis = std::make_shared<ModalAnalysis>();
  analysis->request = request;
  analysis->request.about = about_of(model, request);
  const Realization<double> r = make_realization<double>(model, std::span(&model.nominal, 1));
  Assembly<double> a(model, r);
  const ModesFound found = find_modes(a, analysis->request);
  for (const Mode* m : chosen(found.modes, request.number)) analysis->shapes.push_back(m->shape);
  if (analysis->shapes.empty())
    throw SimulationError("the nominal model has no vibrations: all its modes are rigid, or damped more than critically");
  analysis->weights = modal_weights(a);
  analysis->unbalanced = balance_note(found.report, analysis->request.about);
  if (request.shapes) analysis->observed = observed_velocities(model);
  out.channels.clear(), out.scalars.clear(), out.limits.clear(), out.spectra.clear(), out.filters.clear();
  out.topology.outputs.clear();
  for (size_t k = 1; k <= analysis->shapes.size(); ++k) {
    out.channels.push_back({fmt::format("frequency_{}", k), "Hz"});
    out.channels.push_back({fmt::format("damping_{}", k), "-"});
    if (request.shapes) out.channels.push_back({fmt::format("mac_{}", k), "-"});
    for (const int i : analysis->observed)
      out.channels.push_back({fmt::format("shape_{}.{}", k, velocity_name(model, i)), i % 6 < 3 ? "m" : "rad"});
  }
  for (const ModalLimit& l : request.limits) {
    const auto channel =
        std::find_if(out.channels.begin(), out.channels.end(), [&](const Channel& c) { return c.name == l.channel; });
    if (channel == out.channels.end())
      throw std::invalid_argument(fmt::format("modes: 'limits' names '{}', and the nominal model has {} mode{} that vibrate{}",
                                              l.channel, analysis->shapes.size(), analysis->shapes.size() == 1 ? "" : "s",
                                              analysis->shapes.size() == 1 ? "s" : ""));
    out.limits.push_back({.channel = int(channel - out.channels.begin()), .value = l.value, .above = l.above});
  }
  out.settings = without_steps(out.settings);
  out.modal = std::move(analysis);
  return out;
}

Trajectory modal_trajectory(const Model& model, const Parameters& numbers, const SimulateOptions& options, AssemblyReport*) {
  const ModalAnalysis& analysis = *model.modal;
  const Realization<double> r = make_realization<double>(model, std::span(&numbers, 1));
  Assembly<double> a(model, r);
  // With more modes than are asked for: those of the nominal ones may have gone up.
  ModalRequest more = analysis.request;
  more.number = 2 * int(analysis.shapes.size()) + 4;
  ModesFound found = find_modes(a, more);
  turn_towards(found.modes, analysis.shapes, analysis.weights);
  const std::vector<int> own = pair_modes(analysis.shapes, found.modes, analysis.weights);
  Trajectory t;
  t.times = {0};
  t.channels = int(model.channels.size());
  t.integrator = "modes";
  for (size_t k = 0; k < own.size(); ++k) {
    if (own[k] < 0) throw SimulationError(fmt::format("mode {} of the nominal model has no counterpart here", k + 1));
    const Mode& m = found.modes[size_t(own[k])];
    t.values.push_back(m.frequency);
    t.values.push_back(m.damping_ratio + 0.0);
    if (!analysis.request.shapes) continue;
    t.values.push_back(modal_assurance(analysis.shapes[k], m.shape, analysis.weights));
    // Of the size that has the modal mass φᴴ D φ of the nominal shape, and in phase with it.
    const VectorXcd& nominal = analysis.shapes[k];
    std::complex<double> phase = m.shape.conjugate().cwiseProduct(analysis.weights).cwiseProduct(nominal).sum();
    phase = std::abs(phase) > 0 ? phase / std::abs(phase) : 1.0;
    const double size = std::sqrt(nominal.cwiseAbs2().dot(analysis.weights) / m.shape.cwiseAbs2().dot(analysis.weights));
    for (const int i : analysis.observed) t.values.push_back((size * phase * m.shape(i)).real());
  }
  if (options.poses) t.poses.assign(found.state.positions.begin(), found.state.positions.end());
  if (options.forces) t.forces.clear();
  t.reached = 0;
  t.final_state = std::move(found.state);
  if (options.poses) draw_frames(model, t);
  if (options.progress) options.progress(0);
  return t;
}

namespace {

// From end to end of what is drawn.
double drawn_size(const Model& m, const State<double>& s, int carriers) {
  Vec3<double> low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  const auto take = [&](const Vec3<double>& p) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  };
  for (int c = 0; c < carriers; ++c)
    if (m.topology.carriers[size_t(c)].is_place)
      take({s.positions[size_t(7 * c)], s.positions[size_t(7 * c) + 1], s.positions[size_t(7 * c) + 2]});
  for (const MarkerParameters<double>& marker : m.drawn_markers) take(marker.offset);
  double size = carriers > 0 ? norm(high - low) : 0;
  for (const BodyProperties& b : m.bodies)
    for (const DrawnShape& shape : b.shapes)
      if (shape.kind != "mesh")
        for (const double x : shape.size) size = std::max(size, x);
  return std::isfinite(size) && size > 0 ? size : 1;
}

constexpr double seen_part = 0.1;   // of the size: the largest displacement
constexpr double seen_angle = 0.4;  // rad

}  // namespace

std::vector<double> period_of(const Assembly<double>& a, const State<double>& about, const Mode& mode, int phases) {
  const Topology& t = a.model().topology;
  const int carriers = a.carriers().first_state;
  const double size = drawn_size(a.model(), about, carriers), pi = std::acos(-1.0);
  double far = 0, turn = 0;
  for (int c = 0; c < carriers; ++c) {
    if (t.carriers[size_t(c)].is_place) far = std::max(far, mode.shape.segment(6 * c, 3).norm());
    if (c < t.rigid) turn = std::max(turn, mode.shape.segment(6 * c + 3, 3).norm());
  }
  const double scale = std::min(far > 1e-9 * turn ? seen_part * size / far : HUGE_VAL, turn > 0 ? seen_angle / turn : HUGE_VAL);
  std::vector<double> out, by(size_t(a.velocities()), 0.0);
  AlignedVector<double> moved(about.positions.size());
  for (int k = 0; k < phases; ++k) {
    const std::complex<double> phase = std::polar(std::isfinite(scale) ? scale : 1.0, 2 * pi * k / (phases - 1));
    for (int i = 0; i < 6 * carriers; ++i) by[size_t(i)] = (phase * mode.shape(i)).real();
    a.carriers().move(about.positions.data(), by.data(), moved.data());
    out.insert(out.end(), moved.begin(), moved.end());
  }
  return out;
}

std::vector<ModeMotion> mode_motions(const Model& modal, int phases) {
  const Realization<double> r = make_realization<double>(modal, std::span(&modal.nominal, 1));
  Assembly<double> a(modal, r);
  const ModesFound found = find_modes(a, modal.modal->request);
  std::vector<ModeMotion> out;
  for (const Mode* mode : chosen(found.modes, modal.modal->request.number))
    out.push_back({mode->frequency, mode->damping_ratio, period_of(a, found.state, *mode, phases)});
  return out;
}

}  // namespace aleator::core
