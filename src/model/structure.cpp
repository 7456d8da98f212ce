#include "model/structure.hpp"

#include <map>

#include "model/pass_locked.hpp"

namespace aleator {

namespace {

Layout make_layout(const Numbers& n) {
  Layout l;
  l.gravity = 0;
  l.bodies = 3;
  l.markers = l.bodies + int(n.bodies.size() * sizeof(RigidBody::Parameters<double>) / sizeof(double));
  int next = l.markers + int(n.markers.size() * sizeof(MarkerParameters<double>) / sizeof(double));
  for (const auto& values : n.groups) {
    l.groups.push_back(next);
    next += int(values.size());
  }
  l.pool = next;
  l.signals = l.pool + int(n.pool.size());
  return l;
}

// Numbers the blocks of body pairs; those with the ground share the bin 0.
class PairNumbers {
 public:
  explicit PairNumbers(int ground) : ground_(ground) {}
  int operator()(int i, int j) {
    if (i == ground_ || j == ground_) return 0;
    return numbers_.try_emplace({i, j}, int(numbers_.size()) + 1).first->second;
  }
  const std::map<std::pair<int, int>, int>& all() const { return numbers_; }

 private:
  int ground_;
  std::map<std::pair<int, int>, int> numbers_;
};

}  // namespace

Structure make_structure(const Topology& t, const Numbers& n, const CompileOptions& options) {
  Structure s;
  const int bodies = t.bodies();
  s.rows = int(t.rows.size());
  s.row_active.assign(s.rows, 1);
  s.layout = make_layout(n);

  // Active directions: all six, or the three of the plane; less what passes lock.
  s.dof.assign(6 * bodies, 0);
  if (t.normal >= 0)
    for (int b = 0; b < bodies; ++b)
      for (int i = 0; i < 3; ++i) s.dof[6 * b + (i == t.normal ? i : 3 + i)] = -1;
  if (options.lock_unmoved) lock_unmoved(t, n, s);
  for (int& d : s.dof)
    if (d >= 0) d = s.dofs++;
  s.size = s.dofs + s.rows;
  s.unknown_block.assign(s.size, -1);
  for (int i = 0; i < 6 * bodies; ++i)
    if (s.dof[i] >= 0) s.unknown_block[s.dof[i]] = i / 6;

  // Blocks of body pairs.
  PairNumbers number(t.ground());
  for (int b = 0; b < bodies; ++b) s.body_block.push_back(number(b, b));
  for (const GroupData& g : t.groups) {
    std::vector<int> ids;
    std::vector<MarkerPair> pairs(g.kernel->pairs);
    for (int i = 0; i < g.count; ++i) {
      g.kernel->marker_pairs(g.topology.data() + i * g.kernel->topology_size, pairs.data());
      for (const MarkerPair& p : pairs) {
        const int a = t.marker_body[p.a], b = t.marker_body[p.b];
        for (int id : {number(a, a), number(a, b), number(b, a), number(b, b)}) ids.push_back(id);
      }
    }
    s.pair_blocks.push_back(std::move(ids));
  }
  s.pair_block_count = int(number.all().size()) + 1;

  std::vector<std::pair<int, int>> entries;
  const auto each_pair_entry = [&](auto&& f) {
    for (const auto& [bodies_of, id] : number.all())
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) {
          const int row = s.dof[6 * bodies_of.first + r], col = s.dof[6 * bodies_of.second + c];
          if (row >= 0 && col >= 0) f(36 * id + 6 * r + c, row, col);
        }
  };
  const auto each_jacobian_entry = [&](auto&& f) {
    for (int k = 0; k < int(t.block_row.size()); ++k)
      for (int c = 0; c < 6; ++c) {
        const int body = t.block_body[k];
        if (body == t.ground() || !s.row_active[t.block_row[k]] || s.dof[6 * body + c] < 0) continue;
        f(6 * k + c, s.dofs + t.block_row[k], s.dof[6 * body + c]);
      }
  };
  each_pair_entry([&](int, int r, int c) { entries.emplace_back(r, c); });
  each_jacobian_entry([&](int, int r, int c) {
    entries.emplace_back(r, c);
    entries.emplace_back(c, r);
  });
  for (int r = 0; r < s.size; ++r) entries.emplace_back(r, r);
  s.pattern = make_pattern(s.size, std::move(entries));

  each_pair_entry([&](int from, int r, int c) { s.from_pairs.push_back({from, s.pattern.find(r, c)}); });
  each_jacobian_entry([&](int from, int r, int c) {
    s.from_jacobian.push_back({from, s.pattern.find(r, c)});
    s.from_jacobian_transposed.push_back({from, s.pattern.find(c, r)});
  });
  for (int r = 0; r < s.rows; ++r) s.row_diagonal.push_back(s.pattern.find(s.dofs + r, s.dofs + r));
  return s;
}

}  // namespace aleator
