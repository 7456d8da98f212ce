#include "dynamics/newton_border.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core {

namespace {

// Rows and unknowns, ordered by complete pivoting of G: unknown[k] is determined by row[k]. False where the rows are not independent.
bool pair_rows(const Structure& s, std::span<const double> values, std::vector<int>& rows, std::vector<int>& unknowns) {
  constexpr double singular = 1e-6;  // of the first pivot
  const size_t n = rows.size(), m = unknowns.size();
  if (n > m) return false;
  std::vector<std::vector<double>> g(n, std::vector<double>(m));
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < m; ++j)
      if (const int at = s.pattern.find(s.dofs + rows[i], unknowns[j]); at >= 0) g[i][j] = values[size_t(at)];
  double first = 0;
  for (size_t k = 0; k < n; ++k) {
    size_t row = k, column = k;
    for (size_t i = k; i < n; ++i)
      for (size_t j = k; j < m; ++j)
        if (std::abs(g[i][j]) > std::abs(g[row][column])) row = i, column = j;
    const double pivot = std::abs(g[row][column]);
    if (k == 0) first = pivot;
    if (!(pivot > singular * first)) return false;
    std::swap(g[k], g[row]), std::swap(rows[k], rows[row]);
    for (auto& line : g) std::swap(line[k], line[column]);
    std::swap(unknowns[k], unknowns[column]);
    for (size_t i = k + 1; i < n; ++i)
      for (size_t j = m; j-- > k;) g[i][j] -= g[i][k] / g[k][k] * g[k][j];
  }
  return true;
}

// Gaussian elimination in the order of the pivots.
template <class N>
void solve_dense(std::vector<std::vector<N>>& a, std::vector<N>& x) {
  const size_t n = x.size();
  for (size_t k = 0; k < n; ++k) {
    a[k][k] = N(1.0) / a[k][k];
    for (size_t i = k + 1; i < n; ++i) {
      const N factor = a[i][k] * a[k][k];
      for (size_t j = k + 1; j < n; ++j) a[i][j] = detail::subtract_product(a[i][j], factor, a[k][j]);
      x[i] = detail::subtract_product(x[i], factor, x[k]);
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; ++j) x[k] = detail::subtract_product(x[k], a[k][j], x[j]);
    x[k] = x[k] * a[k][k];
  }
}

}  // namespace

std::shared_ptr<const NewtonBorder> NewtonBorder::find(const Model& model, std::span<const double> values,
                                                       std::span<const double> gradients) {
  const Topology& t = model.topology;
  const Structure& s = model.structure;
  if (t.states > 0) return nullptr;
  std::vector<char> last(size_t(s.size), 0);
  auto border = std::make_shared<NewtonBorder>();
  for (int r = 0; r < s.rows; ++r)
    if (s.row_active[size_t(r)]) border->rows.push_back(r), last[size_t(s.dofs + r)] = 1;
  for (int c = 0; c < s.dofs; ++c) {
    bool is_held = s.unknown_carrier[size_t(c)] < t.rigid;
    for (int k = s.pattern.column_start[size_t(c)]; k < s.pattern.column_start[size_t(c) + 1]; ++k)
      is_held = is_held || (s.pattern.row[size_t(k)] >= s.dofs && (values[size_t(k)] != 0 || gradients[size_t(k)] != 0));
    last[size_t(c)] = is_held;
  }
  // A vector turns as a whole.
  for (int c = t.rigid; c < int(t.carriers.size()); ++c)
    for (int half = 0; half < 2; ++half) {
      const int* dof = &s.dof[size_t(6 * c + 3 * half)];
      const bool any = std::any_of(dof, dof + 3, [&](int u) { return u >= 0 && last[size_t(u)]; });
      for (int i = 0; i < 3 && any; ++i)
        if (dof[i] >= 0) last[size_t(dof[i])] = 1;
    }
  std::vector<int> unknowns;
  for (int u = 0; u < s.dofs; ++u)
    if (last[size_t(u)]) unknowns.push_back(u);
  // rows that a pass retired have a diagonal of their own
  const size_t inside = size_t(s.dofs) - unknowns.size();
  if (border->rows.empty() || inside == 0 || border->rows.size() + unknowns.size() > size_t(most)) return nullptr;
  std::vector<int> rows = border->rows;
  if (!pair_rows(s, values, rows, unknowns)) return nullptr;
  const auto paired = unknowns.begin() + long(rows.size());
  for (const int r : rows) border->row.push_back(s.dofs + r);
  border->row.insert(border->row.end(), paired, unknowns.end());
  border->row.insert(border->row.end(), unknowns.begin(), paired);
  border->column = unknowns;
  for (const int r : rows) border->column.push_back(s.dofs + r);

  LuOptions options;
  options.block = s.unknown_node;
  options.last = last;
  border->lu = std::make_shared<const LuProgram>(LuProgram::analyse(s.pattern, values, options));
  return has_symmetric_pivots(*border->lu) ? border : nullptr;
}

template <class T>
BorderGradients<T>::BorderGradients(const Model& model, const NewtonBorder& border)
    : model_(model), border_(border), size_(model.structure.size), place_(size_t(model.structure.rows), -1) {
  for (size_t k = 0; k < border.rows.size(); ++k) place_[size_t(border.rows[k])] = int(k);
  entry_.resize(border.rows.size() * size_t(size_));
}

template <class T>
void BorderGradients<T>::find(const Assembly<T>& a, const NodeAxes<T>& axes, const Mat3<T>* turns) {
  const PartScope<T> scope(Part::solution);
  const Topology& t = model_.topology;
  std::fill(entry_.begin(), entry_.end(), T(0));
  for (size_t k = 0; k < t.block_row.size(); ++k) {
    const int at = place_[size_t(t.block_row[k])], carrier = t.block_carrier[k];
    if (at < 0 || carrier == a.carriers().count) continue;
    const Wrench<T>& w = a.evaluation().jacobian[k];
    for (int i = 0; i < 6; ++i)
      if (const int u = model_.structure.dof[size_t(6 * carrier + i)]; u >= 0)
        entry_[size_t(at) * size_t(size_) + size_t(u)] += i < 3 ? w.F[i] : w.M[i - 3];
  }
  for (size_t k = 0; k < border_.rows.size(); ++k) axes.into(turns, &entry_[k * size_t(size_)]);
}

template <class N>
MaskOf<N> factor_inside(const NewtonBorder& border, double tolerance, const N* values, LuFactors<N>& factors) {
  using Magnitude = MagnitudeOf<N>;
  const PartScope<Magnitude> scope(Part::factorisation);
  const LuProgram& lu = *border.lu;
  Magnitude smallest(1);
  const auto check = [&](int k, const N& pivot) {
    if constexpr (std::is_same_v<N, Magnitude>)
      smallest = min(smallest, pivot * N(1 / lu.pivot[size_t(k)]));
    else
      smallest = min(smallest, abs(pivot) * Magnitude(1 / std::fabs(lu.pivot[size_t(k)])));
  };
  detail::load(lu, values, factors);
  for (const LuProgram::Supernode& s : lu.supernodes)
    if (s.first < lu.inner) detail::with_width(s.width, [&]<int W>() { detail::eliminate_symmetric<W>(lu, s, factors, check); });
  clear_workspace(lu, factors);
  return !(smallest > Magnitude(tolerance));
}

template <class N, class T>
void solve_bordered(const NewtonBorder& border, const Structure& structure, const BorderGradients<T>& gradients,
                    LuFactors<N>& factors, N* x) {
  const PartScope<MagnitudeOf<N>> scope(Part::solution);
  const LuProgram& lu = *border.lu;
  N* const y = factors.work.data();
  for (int k = 0; k < lu.n; ++k) y[k] = x[lu.row_order[size_t(k)]];
  for (const LuProgram::Supernode& s : lu.supernodes)
    if (s.first < lu.inner) detail::with_width(s.width, [&]<int W>() { detail::solve_lower<W>(lu, s, factors, y); });

  std::vector<int> place(size_t(lu.n));  // [unknowns] in the order of elimination
  for (int k = 0; k < lu.n; ++k) place[size_t(lu.row_order[size_t(k)])] = k;
  const size_t n = border.row.size();
  std::vector<std::vector<N>> a(n, std::vector<N>(n, N(0.0)));
  std::vector<N> b(n);
  for (size_t i = 0; i < n; ++i) {
    const int row = border.row[i];
    b[i] = y[place[size_t(row)]];
    for (size_t j = 0; j < n; ++j) {
      const int column = border.column[j], low = std::min(row, column), high = std::max(row, column);
      if (low >= structure.dofs) continue;
      if (high >= structure.dofs) {
        const T& g = gradients.at(high - structure.dofs, low);
        if constexpr (std::is_same_v<N, T>)
          a[i][j] = g;
        else
          a[i][j] = {g, T(0)};
        continue;
      }
      const int p = std::max(place[size_t(low)], place[size_t(high)]), q = std::min(place[size_t(low)], place[size_t(high)]);
      if (const int at = lu.place(p, q); at >= 0) a[i][j] = factors.entry[size_t(at)];
    }
  }
  solve_dense(a, b);
  for (size_t j = 0; j < n; ++j) y[place[size_t(border.column[j])]] = b[j];
  for (auto s = lu.supernodes.rbegin(); s != lu.supernodes.rend(); ++s)
    if (s->first < lu.inner)
      detail::with_width(s->width, [&]<int W>() {
        for (int k = 0; k < W; ++k) y[s->first + k] *= factors.entry[size_t(s->storage + k * W + k)];
        detail::solve_lower_transposed<W>(lu, *s, factors, y);
      });
  for (int k = 0; k < lu.n; ++k) x[lu.column_order[size_t(k)]] = y[k];
}

template class BorderGradients<Traced>;
template MaskOf<Traced> factor_inside(const NewtonBorder&, double, const Traced*, LuFactors<Traced>&);
template MaskOf<Complex<Traced>> factor_inside(const NewtonBorder&, double, const Complex<Traced>*, LuFactors<Complex<Traced>>&);
template void solve_bordered(const NewtonBorder&, const Structure&, const BorderGradients<Traced>&, LuFactors<Traced>&, Traced*);
template void solve_bordered(const NewtonBorder&, const Structure&, const BorderGradients<Traced>&, LuFactors<Complex<Traced>>&,
                             Complex<Traced>*);

}  // namespace aleator::core
