#include "meshes/solid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace aleator::core::meshes {

namespace {

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double inner(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double determinant(const Point& a, const Point& b, const Point& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// One side of a triangle, as its edge: from the smaller index to the larger.
struct Side {
  std::uint32_t from, to, triangle;
  bool forward;  // passed from `from` to `to`
};

std::vector<Side> sorted_sides(const Mesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = mesh.triangles[t][std::size_t(k)], b = mesh.triangles[t][std::size_t((k + 1) % 3)];
      sides.push_back({std::min(a, b), std::max(a, b), t, a < b});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.from != b.from ? a.from < b.from : a.to != b.to ? a.to < b.to : a.triangle < b.triangle;
  });
  return sides;
}

// Calls f(first, last) for the sides of each edge.
template <class F>
void for_each_edge(const std::vector<Side>& sides, F&& f) {
  for (std::size_t i = 0, j; i < sides.size(); i = j) {
    for (j = i + 1; j < sides.size() && sides[j].from == sides[i].from && sides[j].to == sides[i].to;) ++j;
    f(&sides[i], &sides[i] + (j - i));
  }
}

// Triangles that hang together, each with whether it is turned round against the first one of its shell.
struct Shells {
  std::vector<std::uint32_t> parent;
  std::vector<std::uint8_t> turned;  // against the parent

  explicit Shells(std::size_t n) : parent(n), turned(n, 0) { std::iota(parent.begin(), parent.end(), 0U); }

  std::pair<std::uint32_t, bool> root(std::uint32_t t) {
    std::uint32_t r = t;
    bool against = false;
    while (parent[r] != r) against ^= turned[r] != 0, r = parent[r];
    bool rest = against;  // paths become short
    while (parent[t] != t) {
      const std::uint32_t up = parent[t];
      const bool step = turned[t] != 0;
      parent[t] = r, turned[t] = rest ? 1 : 0;
      rest ^= step, t = up;
    }
    return {r, against};
  }
  // Both in one shell, turned against each other or not; false when they are already, and otherwise.
  bool join(std::uint32_t a, std::uint32_t b, bool against) {
    const auto [ra, ta] = root(a);
    const auto [rb, tb] = root(b);
    if (ra == rb) return (ta ^ tb) == against;
    parent[rb] = ra, turned[rb] = (ta ^ tb ^ against) ? 1 : 0;
    return true;
  }
};

// Six times the volume that a triangle and the point span; its sum over a closed shell does not depend on the point.
double spanned(const Mesh& mesh, const Corners& t, const Point& o) {
  return determinant(minus(mesh.points[t[0]], o), minus(mesh.points[t[1]], o), minus(mesh.points[t[2]], o));
}

// The solid angle under which a triangle is seen (Van Oosterom and Strackee), whose sum is 4π inside of a shell, 0 outside.
double solid_angle(const Mesh& mesh, const Corners& t, const Point& o) {
  const Point a = minus(mesh.points[t[0]], o), b = minus(mesh.points[t[1]], o), c = minus(mesh.points[t[2]], o);
  const double la = std::sqrt(inner(a, a)), lb = std::sqrt(inner(b, b)), lc = std::sqrt(inner(c, c));
  return 2 * std::atan2(determinant(a, b, c), la * lb * lc + inner(a, b) * lc + inner(b, c) * la + inner(c, a) * lb);
}

struct Shell {
  double volume = 0;     // six times, signed
  std::uint32_t at = 0;  // one of its points
  bool mended = false;   // some of its triangles were turned against others
  bool around = false;   // it is to be turned as a whole
};

void turn(Corners& t, std::size_t& count) {
  std::swap(t[1], t[2]);
  ++count;
}

// Neighbours the same way. Where more than two triangles share an edge nobody can say who is whose neighbour.
std::vector<std::uint32_t> orient_neighbours(Mesh& mesh, Solid& s, std::vector<bool>& mended) {
  const std::vector<Side> sides = sorted_sides(mesh);
  Shells shells(mesh.triangles.size());
  for_each_edge(sides, [&](const Side* first, const Side* last) {
    const std::ptrdiff_t n = last - first;
    s.open_edges += n % 2 != 0;
    if (n == 2 && !shells.join(first[0].triangle, first[1].triangle, first[0].forward == first[1].forward)) ++s.mixed_edges;
  });
  std::vector<std::uint32_t> shell(mesh.triangles.size());
  std::vector<std::size_t> size(mesh.triangles.size(), 0), against(mesh.triangles.size(), 0);
  std::vector<bool> turned(mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto [root, other] = shells.root(t);
    shell[t] = root, turned[t] = other;
    ++size[root], against[root] += other;
  }
  mended.assign(mesh.triangles.size(), false);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t root = shell[t];
    if (against[root] > 0 && against[root] < size[root]) mended[root] = true;
    const bool fewer = 2 * against[root] > size[root];  // the majority stays
    if (turned[t] != fewer) turn(mesh.triangles[t], s.turned);
  }
  // Edges of four triangles and more are passed as often one way as the other, or the mesh is no solid.
  for_each_edge(sorted_sides(mesh), [&](const Side* first, const Side* last) {
    const std::ptrdiff_t n = last - first, forward = std::count_if(first, last, [](const Side&e) { return e.forward; });
    s.mixed_edges += n > 2 && n % 2 == 0 && 2 * forward != n;
  });
  return shell;
}

// Shells that enclose something outwards, cavities in them inwards. A shell with a negative volume that is in no other is the wrong
// way round; so is one of which some triangles had to be turned, and whose majority may be wrong.
void orient_shells(Mesh& mesh, const std::vector<std::uint32_t>& shell_of, const std::vector<bool>& mended, Solid& s) {
  std::vector<std::uint32_t> number(mesh.triangles.size(), UINT32_MAX);
  std::vector<Shell> shells;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    std::uint32_t& n = number[shell_of[t]];
    if (n == UINT32_MAX) {
      n = std::uint32_t(shells.size());
      shells.push_back({0, mesh.triangles[t][0], mended[shell_of[t]]});
    }
    shells[n].volume += spanned(mesh, mesh.triangles[t], s.low);
  }
  s.shells = shells.size();
  const double total =
      std::accumulate(shells.begin(), shells.end(), 0.0, [](double sum, const Shell& k) { return sum + k.volume; });
  if (total < 0) {  // the whole file is the wrong way round, cavities too
    for (Shell& k : shells) k.volume = -k.volume;
    for (Corners& t : mesh.triangles) turn(t, s.turned);
  }
  constexpr std::size_t most_shells = 200;  // whose places in each other are looked at: each asks all triangles
  std::size_t looked_at = 0;
  for (std::uint32_t k = 0; k < shells.size(); ++k) {
    if (!(shells[k].volume < 0)) continue;
    double seen = 0;
    if (shells.size() > 1 && !shells[k].mended && ++looked_at <= most_shells)
      for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        if (const std::uint32_t other = number[shell_of[t]]; other != k)
          seen += (shells[other].volume < 0 ? -1 : 1) * solid_angle(mesh, mesh.triangles[t], mesh.points[shells[k].at]);
    const bool cavity = std::fmod(std::round(seen / (4 * std::numbers::pi)), 2) != 0;  // in an odd number of others
    shells[k].around = !cavity && looked_at <= most_shells;
  }
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (shells[number[shell_of[t]]].around) turn(mesh.triangles[t], s.turned);
}

void integrate(const Mesh& mesh, Solid& s) {
  Point o;  // the middle of the box, so that little cancels
  for (int i = 0; i < 3; ++i) o[i] = 0.5 * (s.low[i] + s.high[i]);
  static constexpr int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
  double volume = 0;
  Point first{};
  std::array<double, 6> second{};
  for (const Corners& t : mesh.triangles) {
    const Point a = minus(mesh.points[t[0]], o), b = minus(mesh.points[t[1]], o), c = minus(mesh.points[t[2]], o);
    const double v = determinant(a, b, c) / 6;
    const Point sum = {a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
    volume += v;
    for (int i = 0; i < 3; ++i) first[i] += v / 4 * sum[i];
    for (int k = 0; k < 6; ++k) {
      const int i = row[k], j = column[k];
      second[k] += v / 20 * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
  }
  s.volume = volume;
  for (int i = 0; i < 3; ++i) s.center[i] = first[i] / volume;
  for (int k = 0; k < 6; ++k) s.second[k] = second[k] / volume - s.center[row[k]] * s.center[column[k]];
  for (int i = 0; i < 3; ++i) s.center[i] += o[i];
}

}  // namespace

std::string Solid::defect() const {
  if (open_edges > 0)
    return fmt::format("it is open: {} of its edges belong to one triangle alone, or to an odd number of them", open_edges);
  if (mixed_edges > 0)
    return fmt::format("at {} of its edges triangles that face in and out meet, and which are wrong cannot be told", mixed_edges);
  Point size;
  for (int i = 0; i < 3; ++i) size[i] = high[i] - low[i];
  const double box = size[0] * size[1] * size[2];
  if (!(volume > 1e-12 * box) || !(box > 0)) return "it encloses no volume";
  for (int i = 0; i < 3; ++i)
    if (!(second[i] > 0)) return "it encloses no volume";
  return "";
}

Solid solid_of(Mesh& mesh) {
  Solid s;
  s.low = s.high = mesh.points[mesh.triangles[0][0]];
  for (const Corners& t : mesh.triangles)
    for (const std::uint32_t k : t)
      for (int i = 0; i < 3; ++i)
        s.low[i] = std::min(s.low[i], mesh.points[k][i]), s.high[i] = std::max(s.high[i], mesh.points[k][i]);
  std::vector<bool> mended;
  const std::vector<std::uint32_t> shell_of = orient_neighbours(mesh, s, mended);
  if (!s.closed()) {
    s.turned = 0;  // nobody relies on it
    return s;
  }
  orient_shells(mesh, shell_of, mended, s);
  integrate(mesh, s);
  return s;
}

}  // namespace aleator::core::meshes
