#include "support/random_mechanism.hpp"

#include <fmt/format.h>

#include <array>
#include <random>
#include <vector>

namespace aleator::core::test {

namespace {

using Point = std::array<double, 3>;

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double uniform(double from, double to) { return from + (to - from) * double(random_() >> 11) * 0x1p-53; }
  int below(int n) { return int(random_() % unsigned(n)); }
  bool with(double probability) { return uniform(0, 1) < probability; }

 private:
  std::mt19937_64 random_;
};

struct Kind {
  const char* key;
  int rows;
  bool has_axis;
};
constexpr Kind in_space[] = {{"revolute", 5, true},      {"spherical", 3, false}, {"prismatic", 5, true},
                             {"cylindrical", 4, true},   {"universal", 4, false}, {"planar", 3, true},
                             {"fixed", 6, false},        {"revolute", 5, true},   {"point_on_line", 2, true},
                             {"point_on_plane", 1, true}};
constexpr Kind in_plane[] = {
    {"revolute", 2, false}, {"prismatic", 2, true}, {"revolute", 2, false}, {"fixed", 3, false}, {"point_on_line", 1, true}};

class Writer {
 public:
  Writer(unsigned seed, const RandomMechanism& kind) : draw_(seed), kind_(kind) {}

  std::string text() {
    for (int i = 0; i < kind_.bodies; ++i) add_body(i);
    for (int i = 0; i < kind_.loops; ++i) add_loop(i);
    for (int i = 0; i < 3; ++i) add_force(i);
    for (int i = 0; i < kind_.beams; ++i) add_beam(i);
    std::string out = kind_.planar ? "plane: xz\n" : "";
    out += "gravity: [0, 0, -9.81]\nbodies:\n" + bodies_ + "joints:\n" + joints_ + "forces:\n" + forces_;
    out += fmt::format("outputs:\n  last: {{position: b{}}}\n  first: {{velocity: b0}}\n", kind_.bodies - 1);
    if (!first_joint_.empty()) out += fmt::format("  force: {{reaction: {}}}\n", first_joint_);
    if (kind_.beams > 0) out += fmt::format("  tip: {{position: beam0, at: {}}}\n", tip_);
    // Waves take a few milliseconds through an element, and less through its section.
    return out + (kind_.beams > 0 ? "simulation: {duration: 0.02, step: 2e-4, output_step: 2e-3, integrator: runge-kutta}\n"
                                  : "simulation: {duration: 0.1, step: 1e-3, output_step: 1e-2, integrator: runge-kutta}\n");
  }

 private:
  std::string point(const Point& p) const { return fmt::format("[{:.6f}, {:.6f}, {:.6f}]", p[0], p[1], p[2]); }
  Point near(const Point& p, double size) {
    return {p[0] + draw_.uniform(-size, size), kind_.planar ? p[1] : p[1] + draw_.uniform(-size, size),
            p[2] + draw_.uniform(-size, size)};
  }
  std::string axis() {
    if (kind_.planar) return fmt::format("[{:.6f}, 0, {:.6f}]", draw_.uniform(0.1, 1), draw_.uniform(-1, 1));
    if (draw_.with(0.3)) return std::string(1, "xyz"[draw_.below(3)]);
    return fmt::format("[{:.6f}, {:.6f}, {:.6f}]", draw_.uniform(0.1, 1), draw_.uniform(-1, 1), draw_.uniform(-1, 1));
  }
  std::string name(int body) const { return body < 0 ? "ground" : fmt::format("b{}", body); }
  // Either body may be the first.
  std::string pair(int a, int b) {
    return draw_.with(0.5) ? fmt::format("[{}, {}]", name(a), name(b)) : fmt::format("[{}, {}]", name(b), name(a));
  }

  void add_body(int i) {
    const int parent = i == 0 ? -1 : draw_.below(i + 1) - 1;
    const Point from = parent < 0 ? Point{} : places_[parent];
    const Point at = near({from[0] + 0.5, from[1], from[2]}, 0.3);
    places_.push_back(at);
    bodies_ += fmt::format("  b{}: {{shape: {{box: [{:.6f}, {:.6f}, {:.6f}]}}, mass: {:.6f}, at: {}", i, draw_.uniform(0.1, 0.5),
                           draw_.uniform(0.1, 0.5), draw_.uniform(0.1, 0.5), draw_.uniform(0.5, 5), point(at));
    if (!kind_.planar)
      bodies_ += fmt::format(", orientation: {{rpy: [{:.6f}, {:.6f}, {:.6f}]}}", draw_.uniform(-1, 1), draw_.uniform(-1, 1),
                             draw_.uniform(-1, 1));
    const double w = draw_.uniform(-2, 2);
    bodies_ += kind_.planar ? fmt::format(", angular_velocity: [0, {:.6f}, 0]}}\n", w)
                            : fmt::format(", angular_velocity: [{:.6f}, {:.6f}, {:.6f}]}}\n", draw_.uniform(-2, 2), w,
                                          draw_.uniform(-2, 2));
    freedom_ += kind_.planar ? 3 : 6;
    if (draw_.with(0.1)) return;  // it floats
    const Kind k = kind_.planar ? in_plane[draw_.below(std::size(in_plane))] : in_space[draw_.below(std::size(in_space))];
    std::string entry = fmt::format("{}: {}, at: {}", k.key, pair(parent, i), point(near(at, 0.2)));
    const std::string which(k.key);
    if (k.has_axis) entry += ", axis: " + axis();
    if (which == "universal") entry += ", axis: x, second_axis: y";
    freedom_ -= k.rows;
    if (kind_.driven && draw_.with(0.3) && (which == "revolute" || which == "prismatic"))
      entry += ", motion: 0.2*sin(3*t)", --freedom_;
    else if ((which == "revolute" || which == "cylindrical") && draw_.with(0.4))
      entry += which == "revolute" ? ", damper: 0.3" : "";
    if (kind_.armature && draw_.with(0.4) && (which == "revolute" || which == "prismatic")) {
      entry += fmt::format(", armature: {:.6f}", draw_.uniform(0.05, 2));
      // A spin that a slide on the ground forbids is dropped before the start is sought where passes lock it, and taken for a part of the slide's rate
      // otherwise: no spin.
      if (which == "prismatic" && parent < 0) bodies_.replace(bodies_.rfind(", angular_velocity"), std::string::npos, "}\n");
    }
    if (kind_.armature && which == "universal") entry += ", armature: {rx: 0.2}";
    if (kind_.armature && which == "cylindrical") entry += ", armature: {along: 0.7, about: 0.1}";
    joints_ += fmt::format("  j{}: {{{}}}\n", i, entry);
    if (first_joint_.empty()) first_joint_ = fmt::format("j{}", i);
  }

  // A rod, or a point that coincides; fewer rows when hardly anything could move.
  void add_loop(int i) {
    const int a = draw_.below(kind_.bodies + 1) - 1, b = draw_.below(kind_.bodies);
    if (a == b) return;
    const int rows = kind_.planar ? 2 : 3;
    if (freedom_ > rows + 1 && draw_.with(0.5)) {
      joints_ += fmt::format("  loop{}: {{{}: {}, at: {}}}\n", i, kind_.planar ? "revolute" : "spherical", pair(a, b),
                             point(near(places_[b], 0.3)));
      freedom_ -= rows;
    } else if (freedom_ > 2) {
      const Point p = a < 0 ? Point{} : places_[a];
      joints_ += fmt::format("  loop{}: {{distance: [{}, {}], points: [{}, {}]}}\n", i, name(a), name(b), point(near(p, 0.2)),
                             point(near(places_[b], 0.2)));
      --freedom_;
    }
  }

  void add_force(int i) {
    const int b = draw_.below(kind_.bodies), a = b - 1;
    const Point p = a < 0 ? Point{} : places_[a];
    if (draw_.with(0.5))
      forces_ += fmt::format("  f{}: {{spring_damper: [{}, {}], points: [{}, {}], stiffness: {:.6f}, damping: 2}}\n", i, name(a),
                             name(b), point(near(p, 0.1)), point(near(places_[b], 0.1)), draw_.uniform(50, 500));
    else
      forces_ +=
          fmt::format("  f{}: {{bushing: [{}, {}], at: {}, stiffness: [900, 800, 300], rotational_stiffness: [30, 50, 20]}}\n", i,
                      name(a), name(b), point(near(places_[b], 0.1)));
  }

  void add_beam(int i) {
    const int b = draw_.below(kind_.bodies), a = draw_.below(kind_.bodies);
    const Point from = near(places_[b], 0.1), to = near({from[0] + 0.5, from[1], from[2]}, 0.2);
    bodies_ += fmt::format(
        "  beam{}: {{beam: [{}, {}], section: {{rectangle: {{height: 0.05, width: 0.04}}}}, E: {:.6f}, nu: 0.3, "
        "density: 1000, elements: {}}}\n",
        i, point(from), point(to), draw_.uniform(1e5, 3e5), 1 + draw_.below(3));
    joints_ += fmt::format("  clamp{}: {{fixed: [b{}, beam{}], at: {}}}\n", i, b, i, point(from));
    if (a != b && draw_.with(0.3))
      joints_ +=
          fmt::format("  pin{}: {{{}: [beam{}, b{}], at: {}}}\n", i, kind_.planar ? "revolute" : "spherical", i, a, point(to));
    if (i == 0) tip_ = point(to);
  }

  Draw draw_;
  RandomMechanism kind_;
  std::string bodies_, joints_, forces_, first_joint_, tip_;
  std::vector<Point> places_;
  int freedom_ = 0;
};

}  // namespace

std::string random_mechanism(unsigned seed, const RandomMechanism& kind) { return Writer(seed, kind).text(); }

}  // namespace aleator::core::test
