#include "elements/builder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "input/exponential_form.hpp"
#include "input/limits.hpp"
#include "numerics/exponentials.hpp"
#include "numerics/periodic.hpp"
#include "numerics/refit.hpp"
#include "processes/language.hpp"

namespace aleator::core {

namespace limits = input::limits;
using input::InputError;
using input::Item;
using input::Value;

double Builder::number(const Item& item, std::string_view key, double fallback) const {
  const Value* v = item.find(key);
  return v ? scope_(v->number) : fallback;
}

Vec3<double> Builder::vector(const Value& value, int first) const {
  return {scope_(value.numbers[first]), scope_(value.numbers[first + 1]), scope_(value.numbers[first + 2])};
}

Vec3<double> Builder::vector(const Item& item, std::string_view key, Vec3<double> fallback) const {
  const Value* v = item.find(key);
  return v ? vector(*v) : fallback;
}

Vec3<double> Builder::direction(const Value& value) const {
  const Vec3<double> d = vector(value);
  const double length = norm(d);
  if (!(length > 1e-12)) throw InputError(value.at, "the direction is zero; give x, y, z or a vector that is not zero");
  return (1 / length) * d;
}

std::vector<double> Builder::numbers(const Value& value) const {
  std::vector<double> out;
  for (const auto& n : value.numbers) out.push_back(scope_(n));
  return out;
}

static Mat3<double> about(int axis, double angle) {
  Vec3<double> v;
  v[axis] = angle;
  return rotation_matrix(exponential(v));
}

Mat3<double> Builder::rotation(const Value& o) const {
  const std::vector<double> n = numbers(o);
  if (o.word == "angle") return about(normal(), n[0]);
  if (o.word == "rpy") return about(2, n[2]) * (about(1, n[1]) * about(0, n[0]));
  if (o.word == "quaternion") {
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]);
    if (!(length > 1e-12)) throw InputError(o.at, "the quaternion is zero");
    return rotation_matrix(normalized(Quaternion<double>{n[0], {n[1], n[2], n[3]}}));
  }
  if (o.word == "axis_angle") {
    const Vec3<double> axis = {n[0], n[1], n[2]};
    if (!(norm(axis) > 1e-12)) throw InputError(o.at, "the axis of the rotation is zero");
    return rotation_matrix(exponential((n[3] / norm(axis)) * axis));
  }
  Mat3<double> R;
  for (int i = 0; i < 9; ++i) R[i / 3][i % 3] = n[i];
  const Mat3<double> e = transposed_times(R, R) - Mat3<double>::identity();
  double worst = 0;
  for (int i = 0; i < 9; ++i) worst = std::max(worst, std::abs(e[i / 3][i % 3]));
  if (!(worst < 1e-6) || dot(R[0], cross(R[1], R[2])) < 0)
    throw InputError(
        o.at, fmt::format("the matrix is not a rotation (RᵀR differs from the identity by {:.2g}, determinant {:.3g})", worst,
                          dot(R[0], cross(R[1], R[2]))));
  return R;
}

int Builder::body(const std::string& name) const {
  const auto& names = topology().body_names;
  for (int i = 0; i < int(names.size()); ++i)
    if (names[i] == name) return i;
  return ground();  // the reader has checked the name
}

void Builder::add_rigid_body(int body, const RigidBody::Parameters<double>& p, const Vec3<double>& center,
                             const Mat3<double>& orientation, const Vec3<double>& velocity, const Vec3<double>& spin) {
  Topology& t = blueprint_.topology;
  Parameters& n = blueprint_.numbers;
  t.first_carrier.resize(t.bodies(), -1);
  t.first_carrier[body] = t.rigid++;
  t.carriers.push_back({body, int(t.carriers.size()), 0, true});
  n.bodies.push_back(p);
  const Quaternion<double> q = quaternion_of(orientation);
  for (double x : {center.x, center.y, center.z, q.w, q.v.x, q.v.y, q.v.z}) n.positions.push_back(x);
  for (double x : {velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z}) n.velocities.push_back(x);
}

int Builder::add_carrier(int body, std::span<const Vec3<double>> vectors, std::span<const Vec3<double>> rates, bool is_place,
                         bool continues) {
  Topology& t = blueprint_.topology;
  Parameters& n = blueprint_.numbers;
  const int number = int(t.carriers.size());
  t.first_carrier.resize(t.bodies(), -1);
  if (t.first_carrier[body] < 0) t.first_carrier[body] = number;
  t.carriers.push_back({body, continues ? t.carriers.back().node : number, int(vectors.size()), is_place});
  for (size_t i = 0; i < 6; ++i) {
    const bool given = i < 3 * vectors.size();
    n.positions.push_back(given ? vectors[i / 3][int(i % 3)] : 0);
    n.velocities.push_back(given ? rates[i / 3][int(i % 3)] : 0);
  }
  n.positions.push_back(0);
  return number;
}

const Builder::FindSection* Builder::sections(int body) const {
  const auto found = find_section_.find(body);
  return found == find_section_.end() ? nullptr : &found->second;
}

Vec3<double> Builder::body_origin(int b) const { return b == ground() ? Vec3<double>{} : origins[b]; }

std::vector<int> Builder::inertia_of(int body) const {
  for (const BeamRecord& beam : topology().beams)
    if (beam.body == body) return {beam.group, beam.element, beam.elements};
  return {topology().first_carrier[body]};
}

int Builder::marker(int b, const Vec3<double>& point, const Mat3<double>& axes) {
  Topology& t = blueprint_.topology;
  MarkerParameters<double> m{point, axes};
  int carrier = t.ground(), nodal = -1;
  if (const auto find = find_place_.find(b); find != find_place_.end()) {
    NodalPlace place = find->second(point);
    place.parameters.axes = transposed_times(place.frame, axes);
    carrier = -1;
    nodal = int(t.nodal.size());
    if (expected && (size_t(nodal) >= expected->size() || (*expected)[nodal] != place.topology))
      throw std::invalid_argument(fmt::format(
          "the point [{:g}, {:g}, {:g}] of '{}' lies in another element than nominally; give it in terms of the beam's own "
          "dimensions",
          point.x, point.y, point.z, topology().body_names[b]));
    t.nodal.push_back(place.topology);
    blueprint_.numbers.nodal.push_back(place.parameters);
  } else if (b != ground()) {
    carrier = t.first_carrier[b];
    const BodyFrame<double> f = RigidBody::frame(&numbers().positions[7 * carrier], &numbers().velocities[6 * carrier]);
    m = marker_on(f, m);
  }
  t.marker_carrier.push_back(carrier);
  t.marker_nodal.push_back(nodal);
  blueprint_.numbers.markers.push_back(m);
  if (!expected) blueprint_.drawn_markers.push_back({point, axes});  // those of the model alone are asked for
  return int(t.marker_carrier.size()) - 1;
}

bool Builder::has_axes(int m) const {
  const int n = topology().marker_nodal[m];
  return n < 0 || topology().nodal[n].framed != 0;
}

void Builder::require_axes(int m, input::Position at) const {
  if (has_axes(m)) return;
  const std::string& body = topology().carrier_name(topology().nodal[topology().marker_nodal[m]].carrier[0]);
  throw InputError(at, fmt::format("'{}' is a cable in space, which has no cross-section to hold or turn; use a spherical joint, "
                                   "forces and springs, or a beam",
                                   body));
}

int Builder::axes_marker(int b, const Vec3<double>& point, input::Position at) {
  Mat3<double> axes = b == ground() ? Mat3<double>::identity() : orientations[b];
  if (sections(b)) axes = find_place_.at(b)(point).section;
  const int m = marker(b, point, axes);
  require_axes(m, at);
  return m;
}

int Builder::angle_marker(int b, const Vec3<double>& point, input::Position at) {
  if (!sections(b)) return axes_marker(b, point, at);
  const int n = normal(), i = (n + 1) % 3, j = (n + 2) % 3;
  const Vec3<double> along = find_place_.at(b)(point).section.column(0);
  // The first axis of the plane is i, in the plane x–z (normal y) j.
  const double c = n == 1 ? along[j] : along[i], s = n == 1 ? -along[i] : along[j];
  Mat3<double> axes = Mat3<double>::identity();
  axes[i][i] = axes[j][j] = c;
  axes[j][i] = s, axes[i][j] = -s;
  return marker(b, point, axes);
}

int Builder::constant_signal(double value) {
  blueprint_.numbers.signals.push_back(constant(value));
  return int(numbers().signals.size()) - 1;
}

// What cannot be fitted is a mistake in the model.
template <class F>
static PiecewisePolynomial fitted(input::Position at, F&& fit) {
  try {
    return fit();
  } catch (const InputError&) {
    throw;
  } catch (const std::logic_error& e) {
    throw InputError(at, e.what());
  }
}

// An expression of t from 0 to `end`. `like`: its nominal fit, if this is a realization.
static PiecewisePolynomial fit_expression(const input::Number& number, const std::vector<double>& breaks,
                                          const input::Scope& scope, double end, const PiecewisePolynomial* like) {
  if (like) {
    std::vector<Switch> switches;
    for (int i = 0; i < scope.switches(number); ++i) {
      const auto known = scope.switch_exponentials(number, i);
      switches.push_back({[&, i](std::span<const double> t, std::span<double> y) { scope.switch_values(number, i, t, y); },
                          known ? zeros(*known, like->knots.front(), like->knots.back()) : std::nullopt});
    }
    const ValuesAt values = [&](std::span<const double> t, std::span<double> y) { scope(number, t, y); };
    if (std::optional<PiecewisePolynomial> r = refit(values, *like, breaks, switches)) return std::move(*r);
  }
  return fit([&](double t) { return scope(number, t); }, 0, end, breaks);
}

// The same in closed form, or one period of it, where it is known to have one.
static PiecewisePolynomial expression_of_time(const input::Number& number, const std::vector<double>& breaks,
                                              const input::Scope& scope, double duration, const PiecewisePolynomial* like) {
  const auto form = breaks.empty() ? scope.exponentials(number) : std::nullopt;
  if (form && like) {
    Exponentials f{form->constant, form->slope, {}};
    for (const auto& t : form->terms) f.terms.push_back({t.amplitude, t.rate, t.power, t.bend});
    if (std::optional<PiecewisePolynomial> r = refit(f, *like)) return std::move(*r);
  }
  constexpr double most_growth = 500;  // exp(700) is the largest number
  const auto again = breaks.empty() && !form ? scope.repetition(number) : std::nullopt;
  if (!again || !(2 * again->period <= duration) || !(std::abs(again->growth) * duration < most_growth))
    return fit_expression(number, breaks, scope, duration, like);
  const std::optional<PiecewisePolynomial> first = like ? first_period(*like, again->period) : std::nullopt;
  return repeated(fit_expression(number, {}, scope, again->period, first ? &*first : nullptr), duration, again->growth,
                  again->offset);
}

static PiecewisePolynomial time_function(const Item& f, const Builder& b, const input::Scope& scope, double duration,
                                         const PiecewisePolynomial* like) {
  const auto group = [&](std::string_view key, double fallback) { return b.number(f.subject.items.at(0), key, fallback); };
  if (f.kind == "constant") return constant(scope(f.subject.number));
  if (f.kind == "ramp") {
    const double from = group("from", 0), to = group("to", 0);
    if (!(to > from)) throw InputError(f.at, fmt::format("the ramp ends ('to': {:g}) before it starts ('from': {:g})", to, from));
    return ramp(from, to, group("base", 0), group("height", 0));
  }
  if (f.kind == "piecewise_linear") {
    std::vector<double> x, y;
    for (size_t i = 0; i < f.subject.numbers.size(); i += 2)
      x.push_back(scope(f.subject.numbers[i])), y.push_back(scope(f.subject.numbers[i + 1]));
    for (size_t i = 1; i < x.size(); ++i)
      if (!(x[i] > x[i - 1]))
        throw InputError(f.subject.at, fmt::format("the times of a table must increase, but {:g} follows {:g}", x[i], x[i - 1]));
    return piecewise_linear(x, y);
  }
  if (f.kind == "polynomial") {
    if (f.subject.numbers.size() > limits::polynomial_terms)
      throw InputError(f.subject.at, fmt::format("a polynomial of time has at most {} coefficients, found {}",
                                                 limits::polynomial_terms, f.subject.numbers.size()));
    return polynomial(b.numbers(f.subject), 0, duration);
  }
  if (f.kind == "sine") {
    const double pi = std::acos(-1.0);
    const double frequency =
        f.subject.items.at(0).find("angular_frequency") ? group("angular_frequency", 0) / (2 * pi) : group("frequency", 0);
    return fitted(f.at,
                  [&] { return sine(group("amplitude", 1), frequency, group("phase", 0), group("offset", 0), duration, like); });
  }
  const Item& g = f.subject.items.empty() ? f : f.subject.items[0];
  const Value& value = *g.find("value");
  std::vector<double> breaks;
  if (const Value* k = g.find("breakpoints")) breaks = b.numbers(*k);
  return fitted(value.at, [&] { return expression_of_time(value.number, breaks, scope, duration, like); });
}

// A process in this realization.
static PiecewisePolynomial process_signal(const Item& function, const Builder& b, const input::Scope& scope, bool twice) {
  const auto it = b.processes.find(function.subject.word);
  if (it == b.processes.end())
    throw input::Consequence(InputError(function.at, fmt::format("process '{}' is wrong", function.subject.word)));
  const RealizedProcess& r = it->second;
  if (twice && !r.process->differentiable())
    throw InputError(function.at,
                     fmt::format("a prescribed motion needs two derivatives, and process '{}' is white noise, which has none; "
                                 "use it as a force, torque, actuator or in 'gravity', or take a 'filter' or 'psd' instead",
                                 r.process->name));
  const processes::Use use = processes::read_use(function, *r.process, scope);
  return r.at_rest ? at_rest(*r.process, use) : realization(*r.process, use, r.draw, r.normals);
}

int Builder::signal(const Item& function, bool twice) {
  auto& signals = blueprint_.numbers.signals;
  if (function.kind == "process") {
    signals.push_back(process_signal(function, *this, scope_, twice));
    return count_pieces(function);
  }
  const PiecewisePolynomial* const like =
      nominal && signals.size() < nominal->signals.size() ? &nominal->signals[signals.size()] : nullptr;
  const bool unchanged = like && !dependents->contain(function);
  signals.push_back(unchanged ? *like : time_function(function, *this, scope_, duration_, like));
  return count_pieces(function);
}

// The signal that was added last is that of this function.
int Builder::count_pieces(const Item& function) {
  pieces_ += numbers().signals.back().knots.size();
  if (pieces_ > limits::function_pieces)
    throw input::LastError(function.at,
                           fmt::format("the functions of time of a model have at most {} pieces together; this one is too "
                                       "long or too rough",
                                       limits::function_pieces));
  return int(numbers().signals.size()) - 1;
}

int Builder::add_state(int first, int second, double value) {
  Topology& t = blueprint_.topology;
  const int number = t.ground();
  // The ground is the carrier after the last.
  for (std::vector<int>* of : {&t.marker_carrier, &t.block_carrier})
    for (int& carrier : *of) carrier += carrier == number;
  t.carriers.push_back({second == ground() ? first : second, number, 0, false, 1});
  ++t.states;
  blueprint_.numbers.positions.insert(blueprint_.numbers.positions.end(), 7, 0.0);
  for (int i = 0; i < 6; ++i) blueprint_.numbers.velocities.push_back(i == 0 ? value : 0);
  return number;
}

int Builder::turn(const Coordinate& c) {
  Topology& t = blueprint_.topology;
  t.turn_coordinate.push_back(c);
  t.turn_coordinate.back().turn = t.turns;
  return t.turns++;
}

int Builder::pool(const std::vector<double>& values) {
  auto& p = blueprint_.numbers.pool;
  const int offset = int(p.size());
  p.insert(p.end(), values.begin(), values.end());
  return offset;
}

int Builder::row(std::string what, bool is_angle) {
  auto& t = blueprint_.topology;
  t.rows.push_back({int(t.joints.size()) - 1, std::move(what), is_angle});
  ++t.joints.back().rows;
  return int(t.rows.size()) - 1;
}

int Builder::carrier_block(int r, int carrier) {
  auto& t = blueprint_.topology;
  t.block_row.push_back(r);
  t.block_carrier.push_back(carrier);
  return int(t.block_row.size()) - 1;
}

int Builder::gradient(int r, int m) {
  auto& t = blueprint_.topology;
  t.gradient_row.push_back(r);
  t.gradient_marker.push_back(m);
  t.gradient_block.push_back(int(t.block_row.size()));
  if (const int n = t.marker_nodal[m]; n >= 0)
    for (int k = 0; k < t.nodal[n].count; ++k) carrier_block(r, t.nodal[n].carrier[k]);
  else
    carrier_block(r, t.marker_carrier[m]);
  return int(t.gradient_row.size()) - 1;
}

JointRecord& Builder::add_joint(JointRecord j) {
  auto& t = blueprint_.topology;
  j.row = int(t.rows.size());
  j.gradient = int(t.gradient_row.size());
  t.joints.push_back(std::move(j));
  return t.joints.back();
}

const JointRecord& Builder::joint(const std::string& name) const {
  for (const auto& j : topology().joints)
    if (j.name == name) return j;
  throw std::logic_error("joint '" + name + "' was not built");
}

const ForceRecord& Builder::force(const std::string& name) const {
  for (const auto& f : topology().forces)
    if (f.name == name) return f;
  throw std::logic_error("force '" + name + "' was not built");
}

void Builder::add_force(ForceRecord f) { blueprint_.topology.forces.push_back(std::move(f)); }

Builder::Place Builder::add_raw(const Kernel& kernel, const int* topology_data, const double* parameters) {
  auto& groups = blueprint_.topology.groups;
  int g = 0;
  while (g < int(groups.size()) && groups[g].kernel != &kernel) ++g;
  if (g == int(groups.size())) groups.push_back({&kernel, 0, {}}), blueprint_.numbers.groups.emplace_back();
  GroupData& group = groups[g];
  group.topology.insert(group.topology.end(), topology_data, topology_data + kernel.topology_size);
  auto& values = blueprint_.numbers.groups[g];
  values.insert(values.end(), parameters, parameters + kernel.parameter_size);
  return {g, group.count++};
}

Extent Builder::extent() const {
  const Topology& t = topology();
  const Parameters& n = numbers();
  Extent e{int(t.marker_carrier.size()), int(t.nodal.size()), int(n.signals.size()), int(n.pool.size()), int(t.carriers.size())};
  for (const GroupData& g : t.groups) e.elements.push_back(g.count);
  e.joints = int(t.joints.size()), e.forces = int(t.forces.size()), e.rows = int(t.rows.size());
  e.gradients = int(t.gradient_row.size()), e.blocks = int(t.block_row.size()), e.turns = t.turns;
  return e;
}

void Builder::repeat(const Extent& from, const Extent& to, const Topology& topology, const Parameters& nominal) {
  if (from == to) return;
  Topology& t = blueprint_.topology;
  Parameters& n = blueprint_.numbers;
  const auto part = [](auto& all, const auto& source, int first, int end) {
    all.insert(all.end(), source.begin() + first, source.begin() + end);
  };
  part(t.marker_carrier, topology.marker_carrier, from.markers, to.markers);
  part(t.marker_nodal, topology.marker_nodal, from.markers, to.markers);
  part(n.markers, nominal.markers, from.markers, to.markers);
  part(t.joints, topology.joints, from.joints, to.joints);
  part(t.forces, topology.forces, from.forces, to.forces);
  for (int i = from.rows; i < to.rows; ++i)
    t.rows.push_back({topology.rows[size_t(i)].joint, {}, topology.rows[size_t(i)].is_angle});
  part(t.gradient_row, topology.gradient_row, from.gradients, to.gradients);
  part(t.gradient_marker, topology.gradient_marker, from.gradients, to.gradients);
  part(t.gradient_block, topology.gradient_block, from.gradients, to.gradients);
  part(t.block_row, topology.block_row, from.blocks, to.blocks);
  part(t.block_carrier, topology.block_carrier, from.blocks, to.blocks);
  part(t.turn_coordinate, topology.turn_coordinate, from.turns, to.turns);
  t.turns += to.turns - from.turns;
  part(n.pool, nominal.pool, from.pool, to.pool);
  part(n.signals, nominal.signals, from.signals, to.signals);
  for (int i = from.signals; i < to.signals; ++i) pieces_ += nominal.signals[size_t(i)].knots.size();
  for (size_t g = 0; g < to.elements.size(); ++g) {
    if (g == t.groups.size()) t.groups.push_back({topology.groups[g].kernel, 0, {}}), n.groups.emplace_back();
    const Kernel& kernel = *topology.groups[g].kernel;
    const int first = g < from.elements.size() ? from.elements[g] : 0, end = to.elements[g];
    part(t.groups[g].topology, topology.groups[g].topology, first * kernel.topology_size, end * kernel.topology_size);
    part(n.groups[g], nominal.groups[g], first * kernel.parameter_size, end * kernel.parameter_size);
    t.groups[g].count += end - first;
  }
}

void Builder::vector_output(const Item& item, Output& out) {
  if (const Value* in = item.find("in"); in && in->word != "ground") {
    const int frame = body(in->word);
    out.frame = axes_marker(frame, body_origin(frame), in->at);
  }
  if (const Value* c = item.find("component")) out.component = c->word == "norm" ? 3 : c->word[0] - 'x';
  if (out.component >= 0)
    out.channels = {""};
  else
    out.channels = {"x", "y", "z"};
}

HingeTable hinge_table(const Value* table, Builder& builder) {
  if (!table) return {};
  const std::vector<double> xy = builder.numbers(*table);
  const int n = int(xy.size()) / 2;
  if (n < 2) throw InputError(table->at, "a characteristic needs at least two points");
  std::vector<double> pool = {xy[1], xy[0]};
  double slope = 0;
  for (int i = 0; i + 1 < n; ++i) {
    const double dx = xy[2 * i + 2] - xy[2 * i];
    if (!(dx > 0))
      throw InputError(table->at, fmt::format("the first column of a characteristic must increase, but {:g} follows {:g}",
                                              xy[2 * i + 2], xy[2 * i]));
    const double m = (xy[2 * i + 3] - xy[2 * i + 1]) / dx;
    if (i == 0)
      pool.push_back(m);
    else
      pool.push_back(xy[2 * i]), pool.push_back(m - slope);
    slope = m;
  }
  return {builder.pool(pool), n - 2};
}

}  // namespace aleator::core
