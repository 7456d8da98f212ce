// Jacobians of points: the velocity of a point (and the angular velocity of its body) per unit rate q̇ of one free direction of a joint,
//   J = ∂v/∂q̇,   while all other joints stand still, but those that must follow because they are in loops.
// Joints from the ground outwards make a tree. A direction moves everything beyond its joint: about an axis n through p_b by n × (p − p_b), along
// an axis by n. Joints that close loops have rows g with A = ∂g/∂(rates of the tree); rates u of directions in loops follow from
//   A_u u = −A_q,
// by least squares, AᵀA u = −Aᵀ A_q in L D Lᵀ, because rows may be redundant. The thread of a screw
// is such a row, too, which couples two directions of one joint of the tree.
#include "elements/outputs_jacobian.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "elements/joint_relations.hpp"
#include "elements/observe.hpp"

namespace aleator::core {

using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

// A direction of the tree, as integers of an output.
struct Column {
  int angle, marker, axis;  // about or along this axis of this marker
  int point;                // marker a rotation is about
  int sign;                 // −1: what is beyond the joint is its first body
};
constexpr int column_size = 5;

// index: what (0: velocity, 1: angular velocity), the point's marker, columns, rows, gradients;
// then the columns (the first is the one asked for, the others follow), whether the point is beyond each; then gradients: row, gradient, marker, and
// whether that is beyond each column.
struct JacobianIndex {
  explicit JacobianIndex(const Output& o)
      : i(o.index.data()),
        columns(i[2]),
        rows(i[3]),
        gradients(i[4]),
        column(i + 5),
        beyond(column + column_size * columns),
        gradient(beyond + columns) {}
  const int* i;
  int columns, rows, gradients;
  const int *column, *beyond, *gradient;
};

template <class T>
Wrench<T> moved_by(const int* c, const Evaluation<T>& e, const Vec3<T>& p) {
  const Vec3<T> n = T(c[4]) * e.marker[c[1]].R.column(c[2]);
  if (c[0] == 0) return {n, {}};
  return {cross(n, p - e.marker[c[3]].p), n};
}

// x = −(AᵀA)⁻¹ Aᵀ b, A [rows][n] without its first column, which is b
template <class T>
std::vector<T> least_squares(const std::vector<T>& A, int rows, int columns) {
  const int n = columns - 1;
  std::vector<T> S(size_t(n) * n, T(0)), x(size_t(n), T(0));
  const auto a = [&](int r, int c) -> const T& { return A[size_t(r) * columns + c + 1]; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j)
      for (int r = 0; r < rows; ++r) S[size_t(i) * n + j] += a(r, i) * a(r, j);
    for (int r = 0; r < rows; ++r) x[size_t(i)] -= a(r, i) * A[size_t(r) * columns];
  }
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) {
      const T l = S[size_t(i) * n + j] / S[size_t(j) * n + j];
      for (int k = j + 1; k <= i; ++k) S[size_t(i) * n + k] -= l * S[size_t(k) * n + j];
      x[size_t(i)] -= l * x[size_t(j)];
    }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[size_t(i)] -= S[size_t(k) * n + i] * x[size_t(k)];
    x[size_t(i)] = x[size_t(i)] / S[size_t(i) * n + i];
  }
  return x;
}

struct Jacobian {
  template <class T>
  static void observe(const Output& o, const Observation<T>& s, T* out) {
    const JacobianIndex x(o);
    const Evaluation<T>& e = *s.evaluation;
    std::vector<T> A(size_t(x.rows) * x.columns, T(0)), rates;
    for (int g = 0; g < x.gradients; ++g) {
      const int* i = x.gradient + g * (3 + x.columns);
      for (int c = 0; c < x.columns; ++c) {
        if (i[3 + c] == 0) continue;
        const Wrench<T> v = moved_by(x.column + column_size * c, e, e.marker[i[2]].p), &d = e.gradient[i[1]];
        A[size_t(i[0]) * x.columns + c] += dot(d.F, v.F) + dot(d.M, v.M);
      }
    }
    if (x.columns > 1) rates = least_squares(A, x.rows, x.columns);
    Vec3<T> sum;
    for (int c = 0; c < x.columns; ++c) {
      if (x.beyond[c] == 0) continue;
      const Wrench<T> v = moved_by(x.column + column_size * c, e, e.marker[x.i[1]].p);
      const Vec3<T>& part = x.i[0] == 0 ? v.F : v.M;
      sum += c == 0 ? part : rates[size_t(c - 1)] * part;
    }
    put_vector(o, s, sum, out);
  }
};

// The mechanism as a tree of joints, by names of bodies.
class Tree {
 public:
  explicit Tree(const Builder& b) : t_(b.topology()) {
    grow("ground");
    // What no joint ties to the ground hangs on one of its bodies, best on one that is the second of none.
    for (const bool any : {false, true})
      for (const std::string& body : t_.body_names)
        if (!parent_.contains(body) && (any || !is_second(body))) grow(body);
    for (int k = 0; k < int(t_.joints.size()); ++k)
      if (!used_.contains(k)) cut_.push_back(k);
  }

  // Joints of the tree between the ground and a body.
  std::set<int> path(std::string body) const {
    std::set<int> out;
    for (; parent_.at(body).second >= 0; body = parent_.at(body).first) out.insert(parent_.at(body).second);
    return out;
  }
  // Joints of the tree on one side only: those in a loop that a cut joint closes. A gear closes one of all that move its joints.
  std::set<int> loop(int cut) const {
    const JointRecord& j = t_.joints[size_t(cut)];
    std::set<int> out;
    for (const std::string& body : bodies_of(cut)) {
      const std::set<int> p = path(body);
      if (j.kind == "gear") {
        out.insert(p.begin(), p.end());
        continue;
      }
      for (const int k : p)
        if (!out.insert(k).second) out.erase(k);
    }
    return out;
  }
  std::vector<std::string> bodies_of(int cut) const {
    std::set<std::string> out;
    for_gradients(cut, [&](int, int g) { out.insert(body_of(t_.gradient_marker[size_t(g)])); });
    return {out.begin(), out.end()};
  }
  std::string body_of(int marker) const {
    const int c = t_.marker_carrier[size_t(marker)];
    return c < 0 || c == t_.ground() ? "ground" : t_.body_names[size_t(t_.carriers[size_t(c)].body)];
  }
  template <class F>
  void for_gradients(int cut, F&& f) const {
    const JointRecord& j = t_.joints[size_t(cut)];
    for (int k = j.gradient; k < int(t_.gradient_row.size()) && t_.gradient_row[size_t(k)] < j.row + j.rows; ++k)
      f(t_.gradient_row[size_t(k)] - j.row, k);
  }
  const std::vector<int>& cut() const { return cut_; }
  // The row of a screw's thread.
  template <class F>
  void for_thread(int screw, F&& f) const {
    const int thread = thread_row(t_.joints[size_t(screw)]);
    for_gradients(screw, [&](int, int k) {
      if (t_.gradient_row[size_t(k)] == thread) f(0, k);
    });
  }
  // Beyond joint k of the tree: its second body, or its first.
  int sign(int k) const { return parent_.at(t_.joints[size_t(k)].second).second == k ? 1 : -1; }

 private:
  bool is_second(const std::string& body) const {
    return std::any_of(t_.joints.begin(), t_.joints.end(), [&](const JointRecord& j) { return j.second == body; });
  }
  // Breadth first.
  void grow(const std::string& root) {
    std::deque<std::string> open = {root};
    parent_[root] = {"", -1};
    while (!open.empty()) {
      const std::string from = open.front();
      open.pop_front();
      for (int k = 0; k < int(t_.joints.size()); ++k) {
        const JointRecord& j = t_.joints[size_t(k)];
        if (j.kind == "gear" || j.kind == "distance" || (j.first != from && j.second != from)) continue;
        const std::string& to = j.first == from ? j.second : j.first;
        if (parent_.contains(to)) continue;
        parent_[to] = {from, k};
        used_.insert(k);
        open.push_back(to);
      }
    }
  }

  const Topology& t_;
  std::map<std::string, std::pair<std::string, int>> parent_;  // body → the one before, and the joint between
  std::set<int> used_;
  std::vector<int> cut_;
};

bool driven(const FreeDirection& f) { return std::find(f.acting.begin(), f.acting.end(), "motion") != f.acting.end(); }

Column column_of(const FreeDirection& f, const JointRecord& j, int sign) {
  return {f.coordinate.kind == Coordinate::angle, f.marker, f.axis, j.marker_b, sign};
}

// Directions of a joint in which it may follow: those that are free, measured or not, and not driven.
std::vector<Column> columns_of(const JointRecord& j, int sign, bool planar) {
  std::vector<Column> out;
  int drives = 0;
  for (const FreeDirection& f : j.free) {
    if (driven(f))
      ++drives;
    else
      out.push_back(column_of(f, j, sign));
  }
  if (!planar && 6 - (j.rows - drives) - int(j.free.size()) == 3)  // three rotations
    for (int i = 0; i < 3; ++i) out.push_back({1, j.marker_a, i, j.marker_b, sign});
  return out;
}

void build_jacobian(const Item& item, Builder& b) {
  const int body = moving_body(item, b);
  const Topology& t = b.topology();
  if (t.carriers.size() > size_t(t.rigid + t.states))
    throw InputError(item.at,
                     fmt::format("output '{}': the model has flexible bodies, which move without their joints: there is no "
                                 "Jacobian of joint rates",
                                 item.name));
  const Value* at = item.find("at");
  const bool angular = item.kind == "angular_jacobian";
  const JointRecord& joint = b.joint(item.find("joint")->word);
  const Value* d = item.find("direction");
  const FreeDirection& f = pick_direction(joint, d ? d->word : "", d ? d->at : item.at, "direction");
  const Tree tree(b);
  const std::string& name = item.subject.word;
  const int own = int(&joint - t.joints.data());
  if (std::find(tree.cut().begin(), tree.cut().end(), own) != tree.cut().end())
    throw InputError(item.at,
                     fmt::format("output '{}': '{}' closes a loop; name a joint of the loop that is closer to the ground, or "
                                 "write it further up in 'joints'",
                                 item.name, joint.name));
  // Loops that the joint is in, and those that hang on these.
  std::set<int> moving = {own}, closing;
  for (bool grows = true; grows;) {
    grows = false;
    for (const int k : tree.cut()) {
      const std::set<int> loop = tree.loop(k);
      if (closing.contains(k) || std::none_of(loop.begin(), loop.end(), [&](int x) { return moving.contains(x); })) continue;
      closing.insert(k), moving.insert(loop.begin(), loop.end());
      grows = true;
    }
  }
  std::vector<Column> columns = {column_of(f, joint, tree.sign(own))};
  std::vector<int> of = {own};
  for (const int k : moving) {
    const JointRecord& j = t.joints[size_t(k)];
    if (k != own)
      for (const Column& c : columns_of(j, tree.sign(k), b.normal() >= 0)) columns.push_back(c), of.push_back(k);
    else if (thread_row(j) >= 0)  // the other direction follows, driven or not
      for (const FreeDirection& other : j.free)
        if (&other != &f) columns.push_back(column_of(other, j, tree.sign(k))), of.push_back(k);
  }
  int rows = 0;
  std::vector<int> gradients;
  const auto add_gradient = [&](int row, int g) {
    gradients.insert(gradients.end(), {rows + row, g, t.gradient_marker[size_t(g)]});
    const std::set<int> path = tree.path(tree.body_of(t.gradient_marker[size_t(g)]));
    for (const int c : of) gradients.push_back(path.contains(c));
  };
  for (const int k : closing) {
    tree.for_gradients(k, add_gradient);
    rows += t.joints[size_t(k)].rows;
  }
  for (const int k : moving)
    if (thread_row(t.joints[size_t(k)]) >= 0) tree.for_thread(k, add_gradient), ++rows;
  if (int(columns.size()) - 1 > rows)
    throw InputError(item.at, fmt::format("output '{}': {} rates would have to follow from {} constraints of loops; prescribe or "
                                          "lock the other joints",
                                          item.name, columns.size() - 1, rows));
  Output out =
      new_output<Jacobian>(item, f.coordinate.kind == Coordinate::angle ? (angular ? "-" : "m") : (angular ? "1/m" : "-"));
  out.index = {angular, b.marker(body, at ? b.vector(*at) : b.body_origin(body)), int(columns.size()), rows,
               int(gradients.size()) / (3 + int(columns.size()))};
  for (const Column& c : columns) out.index.insert(out.index.end(), {c.angle, c.marker, c.axis, c.point, c.sign});
  const std::set<int> path = tree.path(name);
  for (const int k : of) out.index.push_back(path.contains(k));
  out.index.insert(out.index.end(), gradients.begin(), gradients.end());
  b.vector_output(item, out);
  b.add_output(out);
}

}  // namespace

std::vector<ElementType> jacobian_outputs() {
  const Field body = {.key = "", .type = FieldType::body, .doc = "The body."};
  std::vector<Field> fields = {
      {.key = "joint", .type = FieldType::joint, .doc = "The joint whose rate moves it.", .required = true},
      {.key = "direction",
       .type = FieldType::word,
       .doc = "Free direction of the joint.",
       .fallback = "the only one",
       .words = {"x", "y", "z", "rx", "ry", "rz", "along", "about"}}};
  for (Field& v : vector_fields()) fields.push_back(std::move(v));
  std::vector<Field> with_point = fields;
  with_point.insert(with_point.begin(), {.key = "at",
                                         .type = FieldType::point,
                                         .unit = "m",
                                         .doc = "Position of the point at t = 0.",
                                         .fallback = "the position of the body"});
  return {
      {{"jacobian",
        "Velocity of a point per unit rate of a joint, while all other joints stand still but those that must follow in loops: a "
        "column "
        "of the geometric Jacobian. For mechanisms of rigid bodies; a mechanism that no joint ties to the ground is held by its "
        "base.",
        body, with_point},
       build_jacobian,
       "{jacobian: b, at: [0.1, 0.2, 0.3], joint: turn_b}"},
      {{"angular_jacobian", "Angular velocity of a body per unit rate of a joint, in the same way.", body, fields},
       build_jacobian,
       "{angular_jacobian: b, joint: turn_b}"},
  };
}

}  // namespace aleator::core
