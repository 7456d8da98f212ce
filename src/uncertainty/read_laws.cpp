#include "uncertainty/read_laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/distribution_kinds.hpp"
#include "model/shapes.hpp"
#include "uncertainty/follow.hpp"

namespace aleator::core {

using input::InputError;
using input::Item;
using input::Value;

namespace {

// Laws complain without knowing where they stand in the file.
template <class F>
auto at_place(input::Position at, std::string_view key, F&& f) {
  try {
    return f();
  } catch (const std::invalid_argument& e) {
    throw InputError(at, key.empty() ? std::string(e.what()) : fmt::format("'{}': {}", key, e.what()));
  }
}

// Squared distances from the nominal centre of mass to the farthest faces of the box around the shapes, in the body's axes.
Mat3<double> bounding_box_moments(const BodyProperties& p, const std::string& name, input::Position at, int normal) {
  if (p.shapes.empty())
    throw InputError(
        at, fmt::format("'inertia.z_max': body '{}' has no shape, and so no bounding box; give a multiple or a matrix", name));
  Vec3<double> square;
  for (int i = 0; i < 3; ++i) {
    double farthest = 0;
    for (const double sign : {1.0, -1.0}) {
      const Vec3<double> d = sign * p.orientation.column(i);
      for (const DrawnShape& s : p.shapes) farthest = std::max(farthest, dot(s.position - p.center_of_mass, d) + reach(s, d));
    }
    square[i] = farthest * farthest;
  }
  const Mat3<double> z = p.orientation * (Mat3<double>::diagonal(square) * transpose(p.orientation));
  if (normal < 0) return z;
  Mat3<double> polar;
  polar[normal][normal] = trace(z) - z[normal][normal];
  return polar;
}

Mat3<double> read_z_max(const Value* v, const Mat3<double>& nominal, const LawContext& c, int body, input::Position at) {
  const int normal = c.model.topology.normal;
  if (!v || v->items.empty())
    return bounding_box_moments(c.model.bodies[body], c.model.topology.body_names[body], v ? v->at : at, normal);
  const Item& form = v->items[0];
  if (form.kind == "multiple") return c.scope(form.subject.number) * nominal;
  const std::vector<double> n = c.builder.numbers(form.subject);
  return {{{n[0], n[3], n[4]}, {n[3], n[1], n[5]}, {n[4], n[5], n[2]}}};
}

// Edges or semi-axes: three numbers, in the plane two.
Vec3<double> read_size(const Value& v, const LawContext& c, std::string_view what) {
  const std::vector<double> n = c.builder.numbers(v);
  const int normal = c.model.topology.normal;
  const size_t wanted = normal < 0 ? 3 : 2;
  if (n.size() != wanted)
    throw InputError(v.at, fmt::format("'center_of_mass.{}' must be a list of {} numbers{}, found {}", what,
                                       wanted == 3 ? "three" : "two", wanted == 3 ? "" : " (the model is planar)", n.size()));
  for (const double x : n)
    if (!(x > 0)) throw InputError(v.at, fmt::format("'center_of_mass.{}' must be positive, found {:g}", what, x));
  Vec3<double> size;
  size_t next = 0;
  for (int i = 0; i < 3; ++i)
    if (i != normal) size[i] = n[next++];
  return size;
}

// Axes whose z is the given direction.
Mat3<double> axes_along(const Vec3<double>& z) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(z[i]) < std::abs(z[least])) least = i;
  Vec3<double> helper;
  helper[least] = 1;
  Vec3<double> x = cross(helper, z);
  x = (1 / norm(x)) * x;
  return transpose(Mat3<double>{{x, cross(z, x), z}});
}

Domain read_domain(const Item& item, const LawContext& c, int body) {
  const Builder& b = c.builder;
  Domain d;
  d.normal = c.model.topology.normal;
  d.position = b.vector(item, "at", c.model.bodies[body].center_of_mass);
  if (const Value* o = item.find("orientation")) d.axes = b.rotation(*o);
  if (const Value* scale = item.find("scale")) d.scale = c.scope(scale->number);
  if (item.kind == "box") {
    d.kind = Domain::Kind::box;
    d.size = read_size(item.subject, c, "box");
  } else if (item.kind == "ball") {
    d.kind = Domain::Kind::ball;
    d.size.x = c.scope(item.subject.number);
  } else if (item.kind == "ellipsoid") {
    d.kind = Domain::Kind::ellipsoid;
    d.size = read_size(item.subject, c, "ellipsoid");
  } else if (item.kind == "cylinder") {
    d.kind = Domain::Kind::cylinder;
    const Item& size = item.subject.items[0];
    d.size.x = c.scope(size.find("radius")->number);
    d.size.y = c.scope(size.find("length")->number);
    if (const Value* axis = size.find("axis")) d.axes = d.axes * axes_along(b.direction(*axis));
  } else {
    d.kind = Domain::Kind::polyhedron;
    for (size_t i = 0; i + 2 < item.subject.numbers.size(); i += 3) d.vertices.push_back(b.vector(item.subject, int(i)));
  }
  return d;
}

std::vector<Argument> arguments_of(const Item& group, const LawContext& c) {
  std::vector<Argument> out;
  for (const auto& [key, value] : group.fields) out.push_back({key, c.scope(value.number)});
  return out;
}

}  // namespace

int body_index(const Model& model, const std::string& name) {
  const auto& names = model.topology.body_names;
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? -1 : int(it - names.begin());
}

std::shared_ptr<const Distribution> read_scalar_law(const Item& item, const LawContext& c, double nominal) {
  return at_place(item.subject.at, item.kind, [&]() -> std::shared_ptr<const Distribution> {
    if (item.kind == "cdf") return make_tabulated_distribution(c.builder.numbers(item.subject));
    const Item& group = item.subject.items[0];
    if (item.kind != "openturns") return make_distribution(item.kind, arguments_of(group, c), nominal);
    std::vector<Argument> arguments;
    for (const auto& [name, value] : group.find("parameters")->by_direction) arguments.push_back({name, c.scope(value.number)});
    return make_openturns_distribution(group.find("name")->word, arguments);
  });
}

// Whether some number that is not written is taken from the nominal value.
static bool needs_nominal(const Item& item) {
  if (item.kind == "cdf" || item.kind == "openturns") return false;
  for (const input::Kind& kind : distribution_kinds())
    if (kind.key == item.kind)
      for (const input::Field& f : kind.subject.fields)
        if (f.fallback.starts_with("the nominal") && !item.subject.items[0].find(f.key)) return true;
  return false;
}

void look_at_scalar_law(const Item& item, const LawContext& c) {
  if (!needs_nominal(item)) read_scalar_law(item, c, 1);
}

// The coefficient of variation of a mass, which must be one for which the response has a variance.
static double read_cov(const Item& mass, const LawContext& c) {
  const Value* written = mass.find("cov");
  if (!written) throw InputError(mass.at, "'mass' needs 'cov', the coefficient of variation, or 'same_as'");
  const double cov = c.scope(written->number);
  const input::Position at = written->at;
  if (!(cov > 0)) throw InputError(at, fmt::format("'mass.cov' must be positive, found {:g}", cov));
  if (cov < 1e-5)
    throw InputError(at, fmt::format("'mass.cov' = {:g} is too small to matter; the mass is then deterministic", cov));
  // E{M⁻²} is finite when the shape 1/δ² of the Gamma law exceeds 2.
  if (!(cov < std::numbers::sqrt2 / 2))
    throw InputError(at, fmt::format("'mass.cov' must be below 1/sqrt(2) = 0.7071, found {:g}: with more scatter E{{1/M^2}} is "
                                     "infinite and the response has no variance{}",
                                     cov, cov >= 1 && cov < 70 ? fmt::format(" (did you mean '{:g} %'?)", cov) : ""));
  return cov;
}

std::shared_ptr<const Distribution> read_mass_law(const Item& mass, const LawContext& c, int body) {
  const double cov = read_cov(mass, c);
  double mean = c.model.bodies[body].mass;
  if (const Value* v = mass.find("mean")) mean = c.scope(v->number);
  const Argument arguments[] = {{"mean", mean}, {"cov", cov}};
  return at_place(mass.find("cov")->at, "mass",
                  [&]() -> std::shared_ptr<const Distribution> { return make_distribution("gamma", arguments, mean); });
}

std::shared_ptr<const CenterOfMassLaw> read_center_of_mass_law(const Item& choice, const LawContext& c, int body) {
  const Domain domain = read_domain(choice, c, body);
  const Vec3<double> mean = c.builder.vector(choice, "mean", c.model.bodies[body].center_of_mass);
  const Value* at = choice.find("mean");
  return at_place(at ? at->at : choice.at, "center_of_mass", [&] { return std::make_shared<CenterOfMassLaw>(domain, mean); });
}

static void refuse_missing_lambda(const Item& inertia) {
  for (const char* key : {"lambda_l", "lambda_u"})
    if (!inertia.find(key))
      throw InputError(inertia.at,
                       fmt::format("'inertia.{}' is missing (a random inertia has lambda_l and lambda_u, or same_as)", key));
}

std::shared_ptr<const InertiaLaw> read_inertia_law(const Item& inertia, const LawContext& c, int body) {
  refuse_missing_lambda(inertia);
  InertiaLawSettings s;
  s.normal = c.model.topology.normal;
  s.nominal = second_moments(c.model.bodies[body], s.normal);
  s.lambda_l = c.scope(inertia.find("lambda_l")->number);
  s.lambda_u = c.scope(inertia.find("lambda_u")->number);
  s.z_max = read_z_max(inertia.find("z_max"), s.nominal, c, body, inertia.at);
  return at_place(inertia.at, "inertia", [&] { return std::make_shared<InertiaLaw>(s); });
}

void look_at_law_of_body(const std::string& key, const Item& law, const LawContext& c) {
  if (law.kind == "same_as" || law.find("same_as")) return;
  if (key == "mass") read_cov(law, c);
  if (key == "inertia") refuse_missing_lambda(law);
  if (key == "center_of_mass" && (law.kind == "box" || law.kind == "ellipsoid")) read_size(law.subject, c, law.kind);
}

std::shared_ptr<const Distribution> shared_mass_law(const Distribution& other, const Model& model, int body, int other_body) {
  const double factor = model.bodies[body].mass / model.bodies[other_body].mass;
  const Argument arguments[] = {{"mean", factor * other.mean()}, {"cov", other.standard_deviation() / other.mean()}};
  return make_distribution("gamma", arguments, factor * other.mean());
}

std::shared_ptr<const CenterOfMassLaw> shared_center_of_mass_law(const CenterOfMassLaw& other, const Model& model, int body,
                                                                 int other_body) {
  const Vec3<double> shift = model.bodies[body].center_of_mass - model.bodies[other_body].center_of_mass;
  Domain domain = other.domain();
  domain.position += shift;
  return std::make_shared<CenterOfMassLaw>(domain, other.mean() + shift);
}

std::shared_ptr<const InertiaLaw> shared_inertia_law(const InertiaLaw& other, const Model& model, int body) {
  return std::make_shared<InertiaLaw>(other, second_moments(model.bodies[body], model.topology.normal));
}

}  // namespace aleator::core
