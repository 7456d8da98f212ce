#include "model/structure.hpp"

#include <algorithm>
#include <map>

#include "model/pass_locked.hpp"
#include "model/pass_prescribed.hpp"
#include "model/pass_tree.hpp"

namespace aleator::core {

namespace {

Layout make_layout(const Parameters& n) {
  Layout l;
  l.gravity = 0;
  l.bodies = 3;
  l.markers = l.bodies + int(n.bodies.size() * sizeof(RigidBody::Parameters<double>) / sizeof(double));
  l.nodal = l.markers + int(n.markers.size() * sizeof(MarkerParameters<double>) / sizeof(double));
  int next = l.nodal + int(n.nodal.size() * sizeof(NodalParameters<double>) / sizeof(double));
  for (const auto& values : n.groups) {
    l.groups.push_back(next);
    next += int(values.size());
  }
  l.pool = next;
  l.signals = l.pool + int(n.pool.size());
  return l;
}

int shared_axis(const Mat3<double>& J) { return J[0][0] != J[1][1] && J[1][1] == J[2][2] ? 1 : J[0][0] != J[2][2] ? 0 : 2; }

// The carriers behind a marker.
std::vector<int> carriers_of(const Topology& t, int marker) {
  const int n = t.marker_nodal[marker];
  if (n < 0) return {t.marker_carrier[marker]};
  return {t.nodal[n].carrier, t.nodal[n].carrier + t.nodal[n].count};
}

// Numbers the blocks of pairs of carriers; those with the ground share the bin 0.
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

Structure make_structure(const Topology& t, const Parameters& n, const CompileOptions& options) {
  Structure s;
  const int carriers = int(t.carriers.size());
  s.rows = int(t.rows.size());
  s.row_active.assign(s.rows, 1);
  s.layout = make_layout(n);
  for (const auto& b : n.bodies) s.shared_inertia.push_back(shared_axis(b.inertia));

  // Active directions: those that exist, less what passes lock.
  s.dof.assign(size_t(6) * carriers, 0);
  for (int i = 0; i < 6 * carriers; ++i)
    if (!t.carriers[i / 6].active(i % 6, t.normal)) s.dof[i] = -1;
  if (options.lock_unmoved) lock_unmoved(t, n, s);
  for (int& d : s.dof)
    if (d >= 0) d = s.dofs++;
  s.states = int(std::count_if(s.dof.begin() + 6 * t.all_carriers().first_state, s.dof.end(), [](int d) { return d >= 0; }));
  s.size = s.dofs + s.rows;
  s.unknown_carrier.assign(s.size, -1);
  s.unknown_node.assign(s.size, -1);
  for (int i = 0; i < 6 * carriers; ++i)
    if (s.dof[i] >= 0) s.unknown_carrier[s.dof[i]] = i / 6, s.unknown_node[s.dof[i]] = t.carriers[i / 6].node;

  if (options.tree) s.tree = make_tree(t, s);
  s.relative = options.relative;

  // Blocks of pairs of carriers.
  PairNumbers number(t.ground());
  for (int c = 0; c < carriers; ++c) s.own_block.push_back(number(c, c));
  for (const GroupData& g : t.groups) {
    std::vector<int> start, ids;
    const auto add = [&](const std::vector<int>& all) {
      start.push_back(int(ids.size()));
      for (int a : all)
        for (int b : all) ids.push_back(number(a, b));
    };
    std::vector<MarkerPair> pairs(g.kernel->pairs);
    for (int i = 0; i < g.count; ++i) {
      const int* topology = g.topology.data() + i * g.kernel->topology_size;
      if (g.kernel->carriers) add(g.kernel->carriers(topology));
      g.kernel->marker_pairs(topology, pairs.data());
      for (const MarkerPair& p : pairs) {
        std::vector<int> all = carriers_of(t, p.a);
        for (int c : carriers_of(t, p.b)) all.push_back(c);
        add(all);
        if (!g.kernel->state_carrier) continue;
        const int x = g.kernel->state_carrier(topology);
        ids.push_back(number(x, x));
        for (int c : all) ids.push_back(number(c, x));
        for (int c : all) ids.push_back(number(x, c));
      }
    }
    s.pair_start.push_back(std::move(start));
    s.pair_blocks.push_back(std::move(ids));
  }
  s.pair_block_count = int(number.all().size()) + 1;

  std::vector<std::pair<int, int>> entries;
  const auto each_pair_entry = [&](auto&& f) {
    for (const auto& [pair, id] : number.all())
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) {
          const int row = s.dof[6 * pair.first + r], col = s.dof[6 * pair.second + c];
          if (row >= 0 && col >= 0) f(36 * id + 6 * r + c, row, col);
        }
  };
  const auto each_jacobian_entry = [&](auto&& f) {
    for (int k = 0; k < int(t.block_row.size()); ++k)
      for (int c = 0; c < 6; ++c) {
        const int carrier = t.block_carrier[k];
        if (carrier == t.ground() || !s.row_active[t.block_row[k]] || s.dof[6 * carrier + c] < 0) continue;
        f(6 * k + c, s.dofs + t.block_row[k], s.dof[6 * carrier + c]);
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
  if (options.find_prescribed) s.prescribed = find_prescribed(t, s);
  return s;
}

}  // namespace aleator::core
