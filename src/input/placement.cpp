#include "input/placement.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "input/place.hpp"

namespace aleator::core::input {
namespace {

constexpr std::array<std::string_view, 3> axis_names = {"x", "y", "z"};

Tree* child_named(Tree& tree, std::string_view key) {
  for (Tree& child : tree.children)
    if (child.key == key) return &child;
  return nullptr;
}

void put(Tree& mapping, std::string_view key, Tree value) {
  value.key = key;
  value.key_at = mapping.at;
  mapping.children.push_back(std::move(value));
}

Tree word(std::string text, Position at) {
  Tree tree;
  tree.shape = Tree::Shape::scalar;
  tree.at = at;
  tree.plain = true;
  tree.text = std::move(text);
  return tree;
}

// Components of a list of 3, or of 2 in a plane; nothing where it is something else, which the reader tells.
std::optional<AmountVector> vector_of(const Tree& tree, int normal, Arithmetic& arithmetic) {
  const bool two = normal >= 0 && tree.is_list_of(2);
  if (!two && !tree.is_list_of(3)) return {};
  AmountVector v;
  std::size_t next = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (two && int(i) == normal) continue;
    if (!tree.children[next].is_scalar()) return {};
    v[i] = amount_of(tree.children[next++], arithmetic);
  }
  return v;
}

std::optional<AmountVector> direction_of(const Tree& tree, int normal, Arithmetic& arithmetic) {
  if (!tree.is_scalar()) return vector_of(tree, normal, arithmetic);
  for (std::size_t i = 0; i < 3; ++i)
    for (const double sign : {1.0, -1.0})
      if (tree.text == (sign < 0 ? "-" : "") + std::string(axis_names[i])) {
        AmountVector v;
        v[i] = sign;
        return v;
      }
  return {};
}

// As a named axis where it is one.
Tree tree_of_direction(const AmountVector& v, Position at) {
  for (std::size_t i = 0; i < 3; ++i) {
    const bool others = v[(i + 1) % 3].is(0) && v[(i + 2) % 3].is(0);
    if (others && v[i].is(1)) return word(std::string(axis_names[i]), at);
    if (others && v[i].is(-1)) return word("-" + std::string(axis_names[i]), at);
  }
  return tree_of(v, at);
}

AmountMatrix turn(int axis, const Amount& angle) {
  AmountMatrix R = identity_amounts();
  const auto a = std::size_t(axis), b = (a + 1) % 3, c = (a + 2) % 3;
  R[b][b] = R[c][c] = cosine(angle);
  R[c][b] = sine(angle);
  R[b][c] = -R[c][b];
  return R;
}

InputError not_by_numbers(const Tree& tree) {
  return {tree.at, "an orientation that places others must have numbers here; angles of rpy may be expressions"};
}

std::array<double, 4> four_numbers(const Tree& tree, std::span<const Amount> amounts) {
  std::array<double, 4> v{};
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (!amounts[i].value) throw not_by_numbers(tree);
    v[i] = *amounts[i].value;
  }
  return v;
}

AmountMatrix of_quaternion(std::array<double, 4> q) {
  const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& x : q) x /= n > 0 ? n : 1;
  const auto [w, x, y, z] = q;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

// Rodrigues: R = c I + s [n]× + (1 − c) n nᵀ
AmountMatrix about_axis(const std::array<double, 4>& v) {
  const double n = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), c = *cosine(v[3]).value, s = *sine(v[3]).value;
  const double x = v[0] / n, y = v[1] / n, z = v[2] / n, d = 1 - c;
  return {{{c + d * x * x, d * x * y - s * z, d * x * z + s * y},
           {d * x * y + s * z, c + d * y * y, d * y * z - s * x},
           {d * x * z - s * y, d * y * z + s * x, c + d * z * z}}};
}

// Nothing where it is not written as one: the reader tells.
std::optional<AmountMatrix> rotation_of(const Tree& tree, int normal, Arithmetic& arithmetic) {
  if (tree.is_scalar()) return normal >= 0 ? std::optional(turn(normal, amount_of(tree, arithmetic))) : std::nullopt;
  if (!tree.is_mapping() || tree.children.size() != 1) return {};
  const Tree& form = tree.children[0];
  if (form.key == "rpy") {
    const auto v = vector_of(form, -1, arithmetic);
    if (!v) return {};
    return turn(2, (*v)[2]) * (turn(1, (*v)[1]) * turn(0, (*v)[0]));
  }
  if (form.key == "matrix") {
    if (!form.is_list_of(3)) return {};
    AmountMatrix R;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto row = vector_of(form.children[i], -1, arithmetic);
      if (!row) return {};
      R[i] = *row;
    }
    return R;
  }
  if (form.key == "quaternion") {
    std::vector<Amount> amounts;
    for (const char* key : {"w", "x", "y", "z"}) {
      const Tree* child = form.find(key);
      if (!child || !child->is_scalar()) return {};
      amounts.push_back(amount_of(*child, arithmetic));
    }
    return of_quaternion(four_numbers(form, amounts));
  }
  const Tree *axis = form.find("axis"), *angle = form.find("angle");
  if (form.key != "axis_angle" || !axis || !angle || !angle->is_scalar()) return {};
  const auto v = direction_of(*axis, normal, arithmetic);
  if (!v) return {};
  for (int i = 0; i < 3; ++i)  // about one of the axes the angle may be an expression
    for (const double sign : {1.0, -1.0})
      if ((*v)[std::size_t(i)].is(sign) && (*v)[std::size_t(i + 1) % 3].is(0) && (*v)[std::size_t(i + 2) % 3].is(0))
        return turn(i, Amount(sign) * amount_of(*angle, arithmetic));
  const std::array<Amount, 4> amounts = {(*v)[0], (*v)[1], (*v)[2], amount_of(*angle, arithmetic)};
  const std::array<double, 4> numbers = four_numbers(form, amounts);
  if (numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 0) return {};
  return about_axis(numbers);
}

Tree tree_of_rotation(const AmountMatrix& R, Position at) {
  Tree matrix;
  matrix.shape = Tree::Shape::list;
  matrix.at = at;
  for (const AmountVector& row : R) matrix.children.push_back(tree_of(row, at));
  Tree tree;
  tree.shape = Tree::Shape::mapping;
  tree.at = at;
  put(tree, "matrix", std::move(matrix));
  return tree;
}

class Placer {
 public:
  Placer(const Placement& placement, Arithmetic& arithmetic) : p_(placement), arithmetic_(arithmetic) {}

  void position(Tree& tree) const {
    if (!tree.is_list()) return;  // the name of a point, which is placed itself
    if (const auto x = vector_of(tree, p_.normal, arithmetic_)) replace(tree, tree_of(p_.p + p_.R * mirrored(*x), tree.at));
  }

  void value(const Field& field, Tree& tree, const Walked& inside) const {
    using enum FieldType;
    const std::string_view kind = inside.kind ? inside.kind->key : "";
    switch (field.type) {
      case FieldType::point:
        return position(tree);
      case point_pair:
      case points:
        for (Tree& child : tree.children) kind == "polyhedron" ? own_coordinates(child) : position(child);
        return;
      case vector:
        if (field.key == "velocity") polar(tree);
        return;
      case spin:
        return axial_vector(tree);
      case direction:
        if (inside.kind)
          axis(tree, is_about(kind));
        else
          own_coordinates(tree);  // in the axes of a shape or a domain
        return;
      case orientation:
        return rotate_axes(tree);
      case tensor:
        return rotate_tensor(tree, inside.mapping);
      case functions:
        return components(tree, kind == "torque");
      default:
        return;
    }
  }

  // What it has by default is said where that is not the default of its new place.
  void defaults(const Walked& inside) const {
    Tree& m = inside.mapping;
    const std::string_view kind = inside.kind ? inside.kind->key : "";
    const auto has = [&](std::string_view key) { return m.find(key) != nullptr; };
    for (const Field& f : inside.fields) {
      if (has(f.key)) continue;
      if (f.type == FieldType::orientation && f.fallback.starts_with("inertial axes") && p_.rotates()) {
        put(m, f.key, tree_of_rotation(p_.R, m.at));
        const bool by_axes =
            std::any_of(inside.fields.begin(), inside.fields.end(), [](const Field& x) { return x.key == "inertia_axes"; });
        if (by_axes && has("inertia") && !has("inertia_axes")) put(m, "inertia_axes", word("body", m.at));
      }
      const bool from_origin = f.fallback.find("the origin") != std::string_view::npos;
      if (f.type == FieldType::point && from_origin && !has("center_of_mass") && p_.moves()) put(m, f.key, tree_of(p_.p, m.at));
      if (f.type == FieldType::direction && f.key == "axis" && p_.normal >= 0 && p_.mirror >= 0 && is_about(kind))
        put(m, f.key, word((p_.mirror == p_.normal ? "" : "-") + std::string(axis_names[std::size_t(p_.normal)]), m.at));
      if (f.key == "height_along" && p_.normal < 0 && p_.rotates() && has(kind)) add_height(m, *m.find(kind));
    }
    if (p_.mirror < 0) return;
    if (kind == "prism") mirror_polygon(m);
    if (kind == "mesh") mirror_mesh(m);
    if (kind == "screw")
      if (Tree* pitch = child_named(m, "pitch")) replace(*pitch, tree_of(-amount_of(*pitch, arithmetic_), pitch->at));
    refuse_sided(inside);
  }

 private:
  // Whether the coordinate of such an element is an angle about its axis, and not a displacement along it.
  static bool is_about(std::string_view kind) {
    constexpr std::string_view kinds[] = {"revolute", "universal", "torsion_spring", "screw"};
    return std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
  }

  static void replace(Tree& tree, Tree by) {
    by.key = std::move(tree.key);
    by.key_at = tree.key_at;
    tree = std::move(by);
  }

  AmountVector mirrored(AmountVector x) const {
    if (p_.mirror >= 0) x[std::size_t(p_.mirror)] = -x[std::size_t(p_.mirror)];
    return x;
  }
  // An angular velocity ω turns as −M ω: what turns left on one side turns right in the mirror.
  AmountVector mirrored_axial(AmountVector x) const {
    if (p_.mirror < 0) return x;
    for (std::size_t i = 0; i < 3; ++i)
      if (int(i) != p_.mirror) x[i] = -x[i];
    return x;
  }

  // Coordinates in axes that are placed themselves.
  void own_coordinates(Tree& tree) const {
    if (p_.mirror < 0 || !tree.is_list()) return;
    if (const auto v = vector_of(tree, p_.normal, arithmetic_)) replace(tree, tree_of(mirrored(*v), tree.at));
  }

  void polar(Tree& tree) const {
    if (const auto v = vector_of(tree, p_.normal, arithmetic_)) replace(tree, tree_of(p_.R * mirrored(*v), tree.at));
  }

  void axial_vector(Tree& tree) const {
    if (tree.is_scalar() && p_.normal >= 0) {
      if (p_.mirror >= 0 && p_.mirror != p_.normal) replace(tree, tree_of(-amount_of(tree, arithmetic_), tree.at));
      return;
    }
    if (const auto v = vector_of(tree, -1, arithmetic_)) replace(tree, tree_of(p_.R * mirrored_axial(*v), tree.at));
  }

  void axis(Tree& tree, bool is_axial) const {
    const auto v = direction_of(tree, p_.normal, arithmetic_);
    if (v) replace(tree, tree_of_direction(p_.R * (is_axial ? mirrored_axial(*v) : mirrored(*v)), tree.at));
  }

  // R Q, and of a mirrored part R M Q M.
  void rotate_axes(Tree& tree) const {
    if (!p_.rotates() && p_.mirror < 0) return;
    auto Q = rotation_of(tree, p_.normal, arithmetic_);
    if (!Q) return;
    if (p_.mirror >= 0)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          if ((int(i) == p_.mirror) != (int(j) == p_.mirror)) (*Q)[i][j] = -(*Q)[i][j];
    replace(tree, tree_of_rotation(p_.R * *Q, tree.at));
  }

  // R M I M Rᵀ; in axes of the body, which turn with it, M I M.
  void rotate_tensor(Tree& tree, const Tree& body) const {
    if (!tree.is_mapping()) return;  // about the normal of a plane
    const Tree* axes = body.find("inertia_axes");
    // A body without an orientation has the axes of its part, and its tensor is left in them; inertial axes that are asked for stay behind.
    const bool own_axes = axes ? axes->text == "body" : tree.key == "inertia" && !body.find("orientation");
    constexpr std::array<std::array<std::string_view, 3>, 3> names = {
        {{"xx", "xy", "xz"}, {"xy", "yy", "yz"}, {"xz", "yz", "zz"}}};
    AmountMatrix I;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const Tree* entry = tree.find(names[i][j]);
        if (entry && !entry->is_scalar()) return;
        I[i][j] = entry ? amount_of(*entry, arithmetic_) : Amount(0.0);
        if (p_.mirror >= 0 && (int(i) == p_.mirror) != (int(j) == p_.mirror)) I[i][j] = -I[i][j];
      }
    if (!own_axes && p_.rotates()) I = p_.R * (I * transposed(p_.R));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = i; j < 3; ++j) {
        Tree* entry = child_named(tree, names[i][j]);
        if (entry)
          replace(*entry, tree_of(I[i][j], entry->at));
        else if (!I[i][j].is(0))
          put(tree, names[i][j], tree_of(I[i][j], tree.at));
      }
  }

  // Three functions of time: R M f, or −R M f of a torque.
  void components(Tree& tree, bool is_axial) const {
    if (!p_.rotates() && p_.mirror < 0) return;
    if (p_.normal >= 0 && !tree.is_list()) {  // about the normal
      if (is_axial && p_.mirror >= 0 && p_.mirror != p_.normal) tree = scaled(tree, -1.0);
      return;
    }
    std::vector<Tree> f = tree.children;
    if (p_.normal >= 0 && f.size() == 2) f.insert(f.begin() + p_.normal, tree_of(Amount(0.0), tree.at));
    if (f.size() != 3) return;
    std::vector<Tree> turned;
    for (std::size_t i = 0; i < 3; ++i) {
      Tree sum = tree_of(Amount(0.0), tree.at);
      for (std::size_t j = 0; j < 3; ++j) {
        const bool flips = p_.mirror >= 0 && (is_axial ? int(j) != p_.mirror : int(j) == p_.mirror);
        const Amount factor = flips ? -p_.R[i][j] : p_.R[i][j];
        if (!factor.is(0)) sum = added(sum, scaled(f[j], factor));
      }
      turned.push_back(std::move(sum));
    }
    tree.children = std::move(turned);
  }

  Tree added(const Tree& a, const Tree& b) const {
    if (a.is_scalar() && amount_of(a, arithmetic_).is(0)) return b;
    if (b.is_scalar() && amount_of(b, arithmetic_).is(0)) return a;
    if (!a.is_scalar() || !b.is_scalar())
      throw InputError(b.at, "components of a load that is rotated must be numbers or expressions of t, found a mapping");
    return tree_of(amount_of(a, arithmetic_) + amount_of(b, arithmetic_), b.at);
  }

  // A function of time times a factor.
  Tree scaled(Tree f, const Amount& factor) const {
    if (factor.is(1)) return f;
    const auto times = [&](Tree& tree) {
      if (tree.is_scalar()) replace(tree, tree_of(factor * amount_of(tree, arithmetic_), tree.at));
    };
    if (f.is_scalar()) {
      times(f);
      return f;
    }
    if (Tree* process = child_named(f, "process")) {
      if (Tree* scale = child_named(f, "scale"))
        times(*scale);
      else
        put(f, "scale", tree_of(factor, process->at));
      return f;
    }
    for (Tree& form : f.children) {
      if (form.key == "constant") times(form);
      for (const char* key : {"height", "base", "amplitude", "offset", "value"})
        if (Tree* number = form.is_mapping() ? child_named(form, key) : nullptr) times(*number);
      if (form.key == "polynomial")
        for (Tree& c : form.children) times(c);
      if (form.key == "piecewise_linear") {
        if (!form.is_list()) throw InputError(form.at, "a table in a file cannot be rotated or mirrored; write its rows here");
        for (Tree& row : form.children)
          if (row.is_list_of(2)) times(row.children[1]);
      }
    }
    return f;
  }

  // The height of a beam's section is along z by default, or along x where the beam runs along z.
  void add_height(Tree& m, const Tree& points) const {
    AmountVector height;
    height[2] = 1.0;
    if (points.children.size() > 1) {
      const auto a = vector_of(points.children.front(), -1, arithmetic_), b = vector_of(points.children.back(), -1, arithmetic_);
      if (!a || !b) throw InputError(m.at, "a beam in a part that is rotated needs 'height_along' where its points have names");
      const AmountVector run = transposed(p_.R) * (*b + AmountVector{-(*a)[0], -(*a)[1], -(*a)[2]});  // in axes of the part
      for (const Amount& t : run)
        if (!t.value) throw InputError(m.at, "a beam in a part that is rotated needs 'height_along' where its points vary");
      const double length = std::hypot(*run[0].value, *run[1].value, *run[2].value);
      if (std::hypot(*run[0].value, *run[1].value) < 1e-6 * length) height = {1.0, 0.0, 0.0};
    }
    put(m, "height_along", tree_of_direction(p_.R * mirrored(height), m.at));
  }

  // Corners are in the two axes that follow that of the prism.
  void mirror_polygon(Tree& shape) const {
    Tree* prism = child_named(shape, "prism");
    Tree* polygon = prism ? child_named(*prism, "polygon") : nullptr;
    if (!polygon || !polygon->is_list()) return;
    std::size_t along = 2;
    if (const Tree* axis = prism->find("axis")) {
      const auto named = std::find(axis_names.begin(), axis_names.end(), axis->text);
      if (named == axis_names.end()) throw InputError(axis->at, "a prism that is mirrored must have the axis x, y or z");
      along = std::size_t(named - axis_names.begin());
    }
    const std::size_t which = (std::size_t(p_.mirror) + 3 - along) % 3;  // 0: along; 1, 2: first and second coordinate
    if (which == 0) return;
    for (Tree& corner : polygon->children)
      if (corner.is_list_of(2)) {
        Tree& c = corner.children[which - 1];
        if (c.is_scalar()) replace(c, tree_of(-amount_of(c, arithmetic_), c.at));
      }
  }

  void mirror_mesh(Tree& shape) const {
    AmountVector s = {1.0, 1.0, 1.0};
    Tree* scale = child_named(shape, "scale");
    if (scale && scale->is_scalar()) s.fill(amount_of(*scale, arithmetic_));
    if (scale && scale->is_list())
      if (const auto v = vector_of(*scale, -1, arithmetic_)) s = *v;
    Tree factors = tree_of(mirrored(s), shape.at);
    if (scale)
      replace(*scale, std::move(factors));
    else
      put(shape, "scale", std::move(factors));
  }

  // Of a joint with displacements and angles, one of them would change its sign.
  void refuse_sided(const Walked& inside) const {
    const std::string_view kind = inside.kind ? inside.kind->key : "";
    constexpr std::string_view kinds[] = {"cylindrical", "planar", "spherical", "generic"};
    if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds)) return;
    for (const Tree& child : inside.mapping.children) {
      const bool sided = child.key == "motion" || child.key == "actuator" || child.key == "stops" || has_side(child);
      if (sided)
        throw InputError(child.key_at,
                         fmt::format("'{}' of a {} joint is not mirrored: angles and displacements would differ in their "
                                     "signs; write the joint outside of what is mirrored",
                                     child.key, kind));
    }
  }
  static bool has_side(const Tree& tree) {
    for (const char* key : {"rest", "preload", "characteristic", "initial"})
      if (tree.find(key)) return true;
    return tree.is_mapping() && std::any_of(tree.children.begin(), tree.children.end(), has_side);
  }

  const Placement& p_;
  Arithmetic& arithmetic_;
};

}  // namespace

bool Placement::rotates() const {
  const AmountMatrix I = identity_amounts();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (!R[i][j].is(*I[i][j].value)) return true;
  return false;
}

bool Placement::moves() const { return !p[0].is(0) || !p[1].is(0) || !p[2].is(0); }

Placement placement_of(const Tree* at, const Tree* orientation, int normal, Arithmetic& arithmetic) {
  Placement placement;
  placement.normal = normal;
  if (at) {
    const auto p = vector_of(*at, normal, arithmetic);
    if (!p) throw Place{"", "at"}.wrong(*at, normal >= 0 ? "a vector of 2 or 3 numbers" : "a vector of 3 numbers");
    placement.p = *p;
  }
  if (orientation) {
    const auto R = rotation_of(*orientation, normal, arithmetic);
    if (!R) throw Place{"", "orientation"}.wrong(*orientation, "a mapping with rpy, quaternion, axis_angle or matrix");
    placement.R = *R;
  }
  return placement;
}

Placement composed(const Placement& a, const Placement& b) {
  Placement c = b;
  c.p = a.p + a.R * b.p;
  c.R = a.R * b.R;
  return c;
}

void place_entry(const Section& section, Tree& entry, const Placement& placement, Arithmetic& arithmetic) {
  if (placement.is_trivial()) return;
  const Placer placer(placement, arithmetic);
  walk_fields(
      section, entry,
      {[&](const Field& f, Tree& t, const Walked& w) { placer.value(f, t, w); }, [&](const Walked& w) { placer.defaults(w); }});
}

void place_fields(std::span<const Field> fields, Tree& mapping, const Placement& placement, Arithmetic& arithmetic) {
  if (placement.is_trivial()) return;
  const Placer placer(placement, arithmetic);
  walk_fields(
      fields, mapping,
      {[&](const Field& f, Tree& t, const Walked& w) { placer.value(f, t, w); }, [&](const Walked& w) { placer.defaults(w); }});
}

void place_point(Tree& vector, const Placement& placement, Arithmetic& arithmetic) {
  if (!placement.is_trivial()) Placer(placement, arithmetic).position(vector);
}

}  // namespace aleator::core::input
