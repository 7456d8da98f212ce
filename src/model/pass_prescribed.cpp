#include "model/pass_prescribed.hpp"

namespace aleator::core {

std::vector<PrescribedBody> find_prescribed(const Topology& t, const Structure& s) {
  std::vector<std::vector<int>> carriers_of(size_t(s.rows)), rows_of(size_t(t.rigid));
  for (size_t k = 0; k < t.block_row.size(); ++k) {
    const int row = t.block_row[k], carrier = t.block_carrier[k];
    if (carrier == t.ground() || !s.row_active[size_t(row)]) continue;
    carriers_of[size_t(row)].push_back(carrier);
    if (carrier < t.rigid) rows_of[size_t(carrier)].push_back(row);
  }
  std::vector<char> is_known(t.carriers.size(), 0);
  std::vector<PrescribedBody> found;
  for (bool more = true; more;) {
    more = false;
    for (int c = 0; c < t.rigid; ++c) {
      if (is_known[size_t(c)]) continue;
      PrescribedBody body{c, {}, {}};
      for (int i = 0; i < 6; ++i)
        if (const int unknown = s.dof[size_t(6 * c + i)]; unknown >= 0) body.unknowns.push_back(unknown);
      for (const int row : rows_of[size_t(c)]) {
        bool alone = true;
        for (const int other : carriers_of[size_t(row)]) alone = alone && (other == c || is_known[size_t(other)]);
        if (alone) body.rows.push_back(row);
      }
      if (body.rows.empty() || body.rows.size() != body.unknowns.size()) continue;
      is_known[size_t(c)] = 1;
      found.push_back(std::move(body));
      more = true;
    }
  }
  return found;
}

}  // namespace aleator::core
