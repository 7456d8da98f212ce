#include "design/morris.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "uncertainty/stream.hpp"

namespace aleator::core {
namespace {

struct Trajectory {
  std::vector<int> start;  // [variables] level
  std::vector<int> order;  // [variables] which one changes next
};

Trajectory trajectory(const MorrisDesign& d, long k) {
  assert(d.levels >= 2 && d.levels % 2 == 0);
  Stream random(d.seed, std::uint64_t(k), quantity_key("morris"));
  const auto below = [&](int n) { return std::min(n - 1, int(n * random.uniform())); };
  Trajectory t;
  for (int i = 0; i < d.variables; ++i) t.start.push_back(below(d.levels));
  t.order.resize(std::size_t(d.variables));
  std::iota(t.order.begin(), t.order.end(), 0);
  for (int i = d.variables - 1; i > 0; --i) std::swap(t.order[std::size_t(i)], t.order[std::size_t(below(i + 1))]);
  return t;
}

double step_from(const MorrisDesign& d, int level) { return level < d.levels / 2 ? 0.5 : -0.5; }

}  // namespace

std::vector<double> MorrisDesign::point(long row) const {
  const Trajectory t = trajectory(*this, row / (variables + 1));
  std::vector<double> u;
  for (const int level : t.start) u.push_back((level + 0.5) / levels);
  for (long i = 0; i < row % (variables + 1); ++i) {
    const std::size_t j = std::size_t(t.order[std::size_t(i)]);
    u[j] += step_from(*this, t.start[j]);
  }
  return u;
}

int MorrisDesign::changed(long row) const {
  const long i = row % (variables + 1);
  return i == 0 ? -1 : trajectory(*this, row / (variables + 1)).order[std::size_t(i - 1)];
}

double MorrisDesign::step(long row) const {
  const int j = changed(row);
  return j < 0 ? 0 : step_from(*this, trajectory(*this, row / (variables + 1)).start[std::size_t(j)]);
}

}  // namespace aleator::core
