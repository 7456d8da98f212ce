#include "dynamics/kkt_solver.hpp"

#include <fmt/format.h>

#include "dynamics/errors.hpp"
#include "dynamics/named_place.hpp"
#include "numerics/sparse_ldl.hpp"

namespace aleator::core {

template <class T>
void Solver<T>::prepare(const Assembly<T>& assembly, std::shared_ptr<const LuProgram> program) {
  if (!program) {
    const auto& v = assembly.values();
    std::vector<double> first(v.size());
    for (size_t i = 0; i < v.size(); ++i) first[i] = ScalarTraits<T>::lane(v[i], 0);
    const Model& m = assembly.model();
    LuOptions options;
    options.block = m.structure.unknown_node;
    try {
      program = std::make_shared<const LuProgram>(LuProgram::analyse(m.structure.pattern, first, options));
    } catch (const SingularMatrix& e) {
      const int dofs = m.structure.dofs;
      if (e.column < dofs)
        throw SimulationError(
            fmt::format("the system is singular: nothing determines the acceleration of {}; has it, or what it carries, a mass, "
                        "and an inertia about every axis it can turn about?",
                        named_body(m, m.topology.carrier_name(m.structure.unknown_carrier[e.column]))));
      const RowRecord& row = m.topology.rows[e.column - dofs];
      throw SimulationError(
          fmt::format("the system is singular: the reaction of {} is not determined ({})", named_joint(m, row.joint), row.what));
    }
  }
  program_ = std::move(program);
  halved_ = symmetric_ && has_symmetric_pivots(*program_);
  factors_.resize(*program_);
}

template <class T>
MaskOf<T> Solver<T>::factor(const Assembly<T>& assembly, LuFactors<T>& factors) const {
  const T* const values = assembly.values().data();
  if constexpr (std::is_same_v<T, Traced>)
    return halved_ ? factor_symmetric_against(*program_, singular_, values, factors)
                   : factor_against(*program_, singular_, values, factors);
  else
    return halved_ ? factor_symmetric(*program_, values, factors) : aleator::core::factor(*program_, values, factors);
}

template <class T>
MaskOf<T> Solver<T>::factor(const Assembly<T>& assembly) {
  MaskOf<T> bad = factor(assembly, factors_);
  if constexpr (std::is_same_v<T, double>) {
    if (bad) {  // new pivots for the new values
      for (const T& v : assembly.values())
        if (!std::isfinite(v)) return bad;
      prepare(assembly);
      bad = factor(assembly, factors_);
    }
  }
  return bad;
}

template <class T>
MaskOf<T> Solver<T>::renew(const Assembly<T>& assembly, const MaskOf<T>& which) {
  if constexpr (std::is_same_v<T, Traced>) {
    LuFactors<T> fresh(*program_);
    const MaskOf<T> bad = factor(assembly, fresh);
    for (size_t k = 0; k < fresh.entry.size(); ++k) factors_.entry[k] = select(which, fresh.entry[k], factors_.entry[k]);
    return bad;
  } else {
    return factor(assembly);
  }
}

template <class T>
void Solver<T>::solve(T* x) {
  halved_ ? solve_symmetric(*program_, factors_, x) : aleator::core::solve(*program_, factors_, x);
}

template <class T>
KktSolver<T>::KktSolver(Assembly<T>& assembly) : assembly_(assembly) {
  right_.resize(assembly.model().structure.size);
  zero_.assign(assembly.velocities(), T(0));
  rows_.resize(assembly.rows());
}

template <class T>
MaskOf<T> KktSolver<T>::factor() {
  assembly_.mass_matrix();
  if (!matrix_.prepared()) matrix_.prepare(assembly_);
  return matrix_.factor(assembly_);
}

template <class T>
void KktSolver<T>::solve(const T* forces, const T* asked, T* accelerations, T* lambda) {
  assembly_.gather(forces, asked, right_.data());
  matrix_.solve(right_.data());
  assembly_.scatter(right_.data(), accelerations, lambda);
}

template <class T>
void KktSolver<T>::project(const T* asked, T* motion, T* open) {
  solve(zero_.data(), asked, motion, rows_.data());
  for (int r = 0; r < assembly_.rows() && open; ++r) open[r] = assembly_.regularization()[r] * rows_[r];
}

template class Solver<double>;
template class Solver<Traced>;
template class KktSolver<double>;
template class KktSolver<Traced>;

}  // namespace aleator::core
