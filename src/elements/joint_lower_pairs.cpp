// Joints that lock directions between two frames: fixed, revolute, prismatic, cylindrical, spherical, universal, planar,
// point on line, point on plane, and the generic one. They differ in which directions they lock, so they are rows of a
// table; the kernel is LockedDirections.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "elements/builder.hpp"
#include "elements/joint_lower_pairs.hpp"
#include "elements/locked_directions.hpp"

namespace aleator::core {

using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

constexpr std::array<const char*, 6> direction_names = {"x", "y", "z", "rx", "ry", "rz"};

// Which directions a joint locks, seen from its axis.
struct LowerPair {
  std::string_view key, doc, example;
  bool along, across;   // translations along the axis, across it
  bool about, tilting;  // rotations about the axis, about the two across it
  bool has_axis;
  bool axis_in_plane;  // in a planar model: it lies in the plane, or is its normal
};

constexpr LowerPair table[] = {
    {"fixed", "Rigid connection of two bodies.", "{fixed: [a, b], at: [0.1, 0.2, 0.3]}", true, true, true, true, false, false},
    {"revolute", "Hinge: rotation about the axis.", "{revolute: [a, b], axis: [0.3, -0.2, 0.9], at: [0.1, 0.2, 0.3]}", true, true,
     false, true, true, false},
    {"prismatic", "Slider: translation along the axis.", "{prismatic: [a, b], axis: [0.3, -0.2, 0.9], at: [0.1, 0.2, 0.3]}",
     false, true, true, true, true, true},
    {"cylindrical", "Translation along the axis and rotation about it.", "{cylindrical: [a, b], axis: z, at: [0.1, 0.2, 0.3]}",
     false, true, false, true, true, false},
    {"spherical", "Ball joint: rotation about its point.", "{spherical: [a, b], at: [0.1, 0.2, 0.3]}", true, true, false, false,
     false, false},
    {"planar", "Translation normal to the axis and rotation about it.", "{planar: [a, b], axis: y, at: [0.1, 0.2, 0.3]}", true,
     false, false, true, true, false},
    {"point_on_line", "A point of the second body stays on a line of the first, along the axis.",
     "{point_on_line: [a, b], axis: x, at: [0.1, 0.2, 0.3]}", false, true, false, false, true, true},
    {"point_on_plane", "A point of the second body stays in a plane of the first, normal to the axis.",
     "{point_on_plane: [a, b], axis: [1, 1, 0], at: [0.1, 0.2, 0.3]}", true, false, false, false, true, true},
};

// The axes of a joint (columns, inertial at t = 0) and which of them is *the* axis. A named axis keeps the inertial axes, so
// that directions keep their names; otherwise the axis becomes z (in a planar model the first axis in the plane).
struct JointAxes {
  Mat3<double> axes = Mat3<double>::identity();
  int main = 2;
};

Mat3<double> from_columns(const Vec3<double>& x, const Vec3<double>& y, const Vec3<double>& z) {
  return transpose(Mat3<double>{{x, y, z}});
}

JointAxes axes_for(const Vec3<double>& axis, int normal) {
  for (int i = 0; i < 3; ++i)
    if (std::abs(std::abs(axis[i]) - 1) < 1e-12) {
      JointAxes j{Mat3<double>::identity(), i};
      if (axis[i] < 0) {  // half a turn about a neighbour: in a planar model about the normal, unless that is the axis itself
        const int about = normal >= 0 && normal != i ? normal : (i + 1) % 3;
        for (int k = 0; k < 3; ++k)
          if (k != about) j.axes[k][k] = -1;
      }
      return j;
    }
  JointAxes j;
  if (normal >= 0) {
    Vec3<double> n;
    n[normal] = 1;
    j.main = (normal + 1) % 3;
    Mat3<double> rows;
    rows[normal] = n;
    rows[j.main] = axis;
    rows[(normal + 2) % 3] = cross(n, axis);
    j.axes = transpose(rows);
    return j;
  }
  Vec3<double> helper;
  int smallest = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(axis[i]) < std::abs(axis[smallest])) smallest = i;
  helper[smallest] = 1;
  Vec3<double> x = helper - dot(helper, axis) * axis;
  x = (1 / norm(x)) * x;
  j.axes = from_columns(x, cross(axis, x), axis);
  return j;
}

// The same in axes O that the model gives in place of the inertial ones, as of a part that is rotated: what the joint is in axes of
// that part, O axes(Oᵀ n). The axis and O are often one rotation, written with six digits: within those it is one of the axes of O.
JointAxes axes_in_orientation(const Item& item, bool has_axis, const Vec3<double>& axis, const Builder& b) {
  constexpr double written = 2e-6;  // twice what Builder::rotation allows
  const Value& given = *item.find("orientation");
  const Mat3<double> O = b.rotation(given);
  const int normal = b.normal();
  if (normal >= 0 && !(O[normal][normal] > 1 - written))
    throw InputError(
        given.at,
        fmt::format("joint '{}': in a planar model 'orientation' must turn about the normal, as one angle does", item.name));
  Vec3<double> n = has_axis ? transposed_times(O, axis) : axis;
  n = (1 / norm(n)) * n;
  for (int i = 0; i < 3; ++i) {
    Vec3<double> named;
    named[i] = n[i] < 0 ? -1 : 1;
    if (norm(n - named) < written) n = named;
  }
  JointAxes j = axes_for(n, normal);
  j.axes = O * j.axes;
  return j;
}

// Locks in terms of the joint's axes: 0…2 translations, 3…5 rotations.
using Locks = std::array<bool, 6>;

struct Motion {
  const Value* value = nullptr;
};

// Prescribed motions by direction.
std::array<Motion, 6> motions_of(const Item& item, const Locks& locked, const std::string& joint) {
  std::array<Motion, 6> out;
  const Value* field = item.find("motion");
  if (!field) return out;
  std::vector<int> free;
  for (int i = 0; i < 6; ++i)
    if (!locked[i]) free.push_back(i);
  for (const auto& [name, v] : field->by_direction) {
    std::vector<int> match;
    for (int i : free)
      if (name.empty() || name == direction_names[i] || (name == "along" && i < 3) || (name == "about" && i >= 3))
        match.push_back(i);
    std::string known;
    for (int i : free) known += (known.empty() ? "" : ", ") + std::string(direction_names[i]);
    if (match.empty() && name.empty())
      throw InputError(v.at, fmt::format("joint '{}': no direction is free for a motion", joint));
    if (match.empty())
      throw InputError(v.at,
                       fmt::format("joint '{}': the direction '{}' of the motion is not free (free: {})", joint, name, known));
    if (match.size() > 1)
      throw InputError(v.at, fmt::format("joint '{}': 'motion' must name a free direction, as in {{{}: …}} (free: {})", joint,
                                         direction_names[match[0]], known));
    out[match[0]].value = &v;
  }
  return out;
}

// Rotations: which products of axes vanish, and which axes turn in a prescribed way.
//   all locked: a_y·b_z, a_z·b_x, a_x·b_y; free about n: a_i·b_n, a_j·b_n; locked about k alone: a_i·b_j   (i, j, k cyclic)
void lock_rotations(const Item& item, const Locks& locked, const std::array<Motion, 6>& motion, Builder& b,
                    LockedDirections::Topology& t) {
  const int normal = b.normal();
  std::vector<int> free, driven;
  for (int i = 0; i < 3; ++i)
    if (!locked[3 + i] && (normal < 0 || i == normal)) {
      free.push_back(i);
      if (motion[3 + i].value) driven.push_back(i);
    }
  const auto add = [&](int of_a, int of_b) { t.of_a[t.rotations] = of_a, t.of_b[t.rotations] = of_b, ++t.rotations; };
  const auto turn = [&](int axis) {
    const int k = t.turns_a + t.turns_b;
    t.turn_axis[k] = axis;
    t.turn_signal[k] = b.signal(motion[3 + axis].value->items.at(0), true);
  };
  if (normal >= 0) {
    if (free.empty() || !driven.empty()) add((normal + 1) % 3, (normal + 2) % 3);
    if (!driven.empty()) turn(normal), ++t.turns_a;
    return;
  }
  const auto all = [&] { add(1, 2), add(2, 0), add(0, 1); };
  if (free.empty()) return all();
  if (free.size() == 1) {
    const int n = free[0];
    if (driven.empty()) return add((n + 1) % 3, n), add((n + 2) % 3, n);
    turn(n), ++t.turns_a;
    return all();
  }
  if (free.size() == 2) {
    const int k = 3 - free[0] - free[1], i = (k + 1) % 3, j = (k + 2) % 3;
    add(i, j);
    if (motion[3 + i].value) turn(i), ++t.turns_a, add(k, j);
    if (motion[3 + j].value) turn(j), ++t.turns_b, add(i, k);
    return;
  }
  if (driven.empty()) return;
  if (driven.size() < 3)
    throw InputError(
        item.find("motion")->at,
        fmt::format("joint '{}': with three free rotations a motion must prescribe all of rx, ry and rz (applied in this order)",
                    item.name));
  for (int i = 0; i < 3; ++i) turn(i), ++t.turns_a;
  all();
}

// The free directions that can be measured (three free rotations cannot, one by one).
std::vector<FreeDirection> free_directions(const Locks& locked, int normal, int a, int b, Builder& builder) {
  std::vector<FreeDirection> out;
  for (int i = 0; i < 3; ++i)
    if (!locked[i] && i != normal) out.push_back({direction_names[i], {Coordinate::translation, a, b, i, {}, {}, -1}, a, i});
  std::vector<int> free;
  for (int i = 0; i < 3; ++i)
    if (!locked[3 + i] && (normal < 0 || i == normal)) free.push_back(i);
  const auto angle = [&](int n, std::array<int, 2> s, std::array<int, 2> c, int carried_by) {
    Coordinate q{Coordinate::angle, a, b, 0, {s[0], s[1]}, {c[0], c[1]}, -1};
    q.turn = builder.turn(q);
    out.push_back({direction_names[3 + n], q, carried_by, n});
  };
  if (free.size() == 1) {
    const int n = free[0], i = (n + 1) % 3, j = (n + 2) % 3;
    angle(n, {j, i}, {i, i}, a);
  } else if (free.size() == 2) {
    const int k = 3 - free[0] - free[1], i = (k + 1) % 3, j = (k + 2) % 3;
    angle(i, {k, j}, {j, j}, a);
    angle(j, {i, k}, {i, i}, b);
  }
  return out;
}

// What a row holds: "translation along x", "rotation about its axis", "tilting of its axis". The product a_i·b_j of axes is that of a
// rotation about the third one. Axes that are none of the inertial ones have no names that a reader knows.
std::string in_words(bool rotation, int direction, const JointAxes& axes, int axis) {
  const bool named = axes.axes[0][0] * axes.axes[0][0] == 1 && axes.axes[1][1] * axes.axes[1][1] == 1;
  if (named || axis < 0)
    return fmt::format("{} {}", rotation ? "rotation about" : "translation along", std::string(1, "xyz"[direction]));
  if (direction == axis) return rotation ? "rotation about its axis" : "translation along its axis";
  return rotation ? "tilting of its axis" : "translation across its axis";
}

// axis: which of the axes is the joint's own, −1 for none
void build_locked(const Item& item, Builder& b, const JointAxes& axes, const Locks& locked, int axis) {
  const int normal = b.normal();
  const Value* at = item.find("at");
  const Value* at_second = item.find("at_second");
  JointRecord j;
  j.name = item.name, j.kind = item.kind, j.at = item.at;
  j.first = item.subject.words[0], j.second = item.subject.words[1];
  const int first = b.body(j.first), second = b.body(j.second);
  const Vec3<double> point = at ? b.vector(*at) : b.body_origin(second);
  j.marker_a = b.marker(first, point, axes.axes);
  j.marker_b = b.marker(second, at_second ? b.vector(*at_second) : point, axes.axes);
  j.axis = axis;
  j.free = free_directions(locked, normal, j.marker_a, j.marker_b, b);
  JointRecord& joint = b.add_joint(std::move(j));
  const std::array<Motion, 6> motion = motions_of(item, locked, item.name);
  for (FreeDirection& f : joint.free) {
    const auto named = std::find(direction_names.begin(), direction_names.end(), f.name);
    if (motion[size_t(named - direction_names.begin())].value) f.acting.emplace_back("motion");
  }

  LockedDirections::Topology t{};
  t.a = joint.marker_a, t.b = joint.marker_b;
  t.row = joint.row, t.gradient = joint.gradient;
  for (int i = 0; i < 3; ++i) {
    if (i == normal || (!locked[i] && !motion[i].value)) continue;
    t.axis[t.translations] = i;
    t.signal[t.translations] = motion[i].value ? b.signal(motion[i].value->items.at(0), true) : -1;
    ++t.translations;
  }
  bool together = true;  // no direction is free or driven
  for (int i = 0; i < 3; ++i) together = together && (i == normal || (locked[i] && !motion[i].value));
  t.coincident = together;
  lock_rotations(item, locked, motion, b, t);
  // Rotations need axes on both sides, displacements along the axes of the first body those.
  if (t.coincident == 0 || t.rotations > 0) b.require_axes(t.a, item.at);
  if (t.rotations > 0) b.require_axes(t.b, item.at);
  if (t.translations + t.rotations == 0)
    throw InputError(item.at, fmt::format("joint '{}': locks nothing{}", item.name, normal >= 0 ? " in a planar model" : ""));
  for (int k = 0; k < t.translations + t.rotations; ++k) {
    const bool move = k < t.translations;
    const int direction = move ? t.axis[k] : 3 - t.of_a[k - t.translations] - t.of_b[k - t.translations];
    const int row = b.row(b.names_rows() ? in_words(!move, direction, axes, axis) : std::string(), !move);
    b.gradient(row, t.a);
    b.gradient(row, t.b);
  }
  b.add<LockedDirections>(locked_directions_kernel, t, {});
  build_free_direction_forces(item, joint, b);
}

const LowerPair& lower_pair(std::string_view key) {
  return *std::find_if(std::begin(table), std::end(table), [&](const auto& p) { return p.key == key; });
}

void build_pair(const LowerPair& p, const Item& item, Builder& b) {
  const int normal = b.normal();
  const Value* given = item.find("axis");
  Vec3<double> axis = {0, 0, 1};
  if (p.has_axis) {
    if (given) {
      axis = b.direction(*given);
    } else if (normal >= 0 && !p.axis_in_plane) {
      axis = {};
      axis[normal] = 1;
    } else {
      throw InputError(item.at, fmt::format("joint '{}': 'axis' is missing (x, y, z or a vector)", item.name));
    }
  }
  if (normal >= 0) {
    if (p.key == "planar")
      throw InputError(item.at, fmt::format("joint '{}': a planar joint locks nothing in a planar model", item.name));
    if (!p.has_axis) axis = {}, axis[normal] = 1;
    const bool is_normal = std::abs(std::abs(axis[normal]) - 1) < 1e-9, in_plane = std::abs(axis[normal]) < 1e-9;
    if (p.axis_in_plane ? !in_plane : !is_normal)
      throw InputError(given ? given->at : item.at,
                       fmt::format("joint '{}': in a planar model the axis of a {} joint must {}", item.name, p.key,
                                   p.axis_in_plane ? "lie in the plane" : "be normal to the plane"));
  }
  const JointAxes axes = item.find("orientation") ? axes_in_orientation(item, p.has_axis, axis, b) : axes_for(axis, normal);
  Locks locked{};
  for (int i = 0; i < 3; ++i) {
    locked[i] = i == axes.main ? p.along : p.across;
    locked[3 + i] = i == axes.main ? p.about : p.tilting;
  }
  // In the plane a cylinder's hole is a hinge.
  if (normal >= 0 && !p.axis_in_plane && p.has_axis) locked[normal] = true;
  build_locked(item, b, axes, locked, p.has_axis ? axes.main : -1);
}

void build_lower_pair(const Item& item, Builder& b) { build_pair(lower_pair(item.kind), item, b); }

void build_universal(const Item& item, Builder& b) {
  if (b.normal() >= 0)
    throw InputError(item.at,
                     fmt::format("joint '{}': a universal joint has no meaning in a planar model; use revolute", item.name));
  const Vec3<double> first = b.direction(*item.find("axis")), second = b.direction(*item.find("second_axis"));
  if (std::abs(dot(first, second)) > 1e-6)
    throw InputError(item.find("second_axis")->at,
                     fmt::format("joint '{}': the axes of a universal joint must be perpendicular, these enclose {:.4g} degrees",
                                 item.name, std::acos(dot(first, second)) * 180 / std::acos(-1.0)));
  build_locked(item, b, {from_columns(first, cross(cross(first, second), first), cross(first, second)), 2},
               {true, true, true, false, false, true}, 0);
}

void build_generic(const Item& item, Builder& b) {
  JointAxes axes;
  if (const Value* o = item.find("orientation")) axes.axes = b.rotation(*o);
  Locks locked{};
  for (const std::string& w : item.find("locked")->words)
    locked[std::find(direction_names.begin(), direction_names.end(), w) - direction_names.begin()] = true;
  if (b.normal() >= 0)
    for (int i = 0; i < 3; ++i)
      if ((i == b.normal() && locked[i]) || (i != b.normal() && locked[3 + i]))
        throw InputError(item.find("locked")->at, fmt::format("joint '{}': '{}' does not exist in a planar model", item.name,
                                                              direction_names[i == b.normal() ? i : 3 + i]));
  build_locked(item, b, axes, locked, -1);
}

const Field joined_bodies = {.key = "", .type = FieldType::body_pair, .doc = "First and second body."};
const Field at = {.key = "at",
                  .type = FieldType::point,
                  .unit = "m",
                  .doc = "Position of the joint.",
                  .fallback = "the position of the second body"};
const Field at_second = {.key = "at_second",
                         .type = FieldType::point,
                         .unit = "m",
                         .doc = "Its position on the second body, if drawn apart; assembly closes the gap.",
                         .fallback = "at"};

const Field orientation = {.key = "orientation",
                           .type = FieldType::orientation,
                           .doc =
                               "Axes by which free directions are named x, y and z; the joint's own are as close to them as its "
                               "axis allows.",
                           .fallback = "inertial axes"};

std::vector<Field> with_free_directions(std::vector<Field> fields) {
  for (Field& f : free_direction_fields()) fields.push_back(std::move(f));
  return fields;
}

}  // namespace

void build_cylindrical(const Item& item, Builder& b) {
  if (b.normal() >= 0) throw InputError(item.at, fmt::format("joint '{}': a screw has no meaning in a planar model", item.name));
  build_pair(lower_pair("cylindrical"), item, b);
}

input::Kind screw_kind() {
  return {"screw", "Nut on a screw: rotation about the axis, and translation along it that is coupled by the thread.",
          joined_bodies,
          with_free_directions(
              {at,
               at_second,
               {.key = "axis", .type = FieldType::direction, .doc = "The axis of the screw.", .required = true},
               orientation,
               {.key = "pitch",
                .unit = "m",
                .doc = "Translation of the second body along the axis in one turn about it; negative for a left-handed thread.",
                .required = true}})};
}

std::vector<ElementType> lower_pair_joints() {
  std::vector<ElementType> types;
  for (const LowerPair& p : table) {
    std::vector<Field> fields = {at, at_second};
    if (p.has_axis)
      fields.push_back({.key = "axis",
                        .type = FieldType::direction,
                        .doc = "The axis.",
                        .fallback = p.axis_in_plane ? "" : "the normal in a planar model"});
    const bool rigid = p.key == "fixed";
    if (!rigid) fields.push_back(orientation);
    types.push_back({{p.key, p.doc, joined_bodies, rigid ? fields : with_free_directions(fields)}, build_lower_pair, p.example});
  }
  types.push_back(
      {{"universal",
        "Cardan joint: rotation about one axis of the first body and one of the second, perpendicular to it (rx and ry).",
        joined_bodies,
        with_free_directions(
            {at,
             at_second,
             {.key = "axis", .type = FieldType::direction, .doc = "The axis fixed to the first body.", .required = true},
             {.key = "second_axis",
              .type = FieldType::direction,
              .doc = "The axis fixed to the second body.",
              .required = true}})},
       build_universal,
       "{universal: [a, b], axis: x, second_axis: y, at: [0.1, 0.2, 0.3]}"});
  types.push_back(
      {{"generic", "Locks the listed directions, along and about axes fixed to the first body.", joined_bodies,
        with_free_directions(
            {at,
             at_second,
             {.key = "locked",
              .type = FieldType::words,
              .doc = "The locked directions.",
              .required = true,
              .words = {"x", "y", "z", "rx", "ry", "rz"}},
             {.key = "orientation", .type = FieldType::orientation, .doc = "The joint's axes.", .fallback = "inertial axes"}})},
       build_generic,
       "{generic: [a, b], locked: [x, z, ry], at: [0.1, 0.2, 0.3]}"});
  return types;
}

}  // namespace aleator::core
