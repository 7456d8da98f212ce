#include "dynamics/index1.hpp"

#include <fmt/format.h>

#include "dynamics/named_place.hpp"

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
            fmt::format("the system is singular: nothing determines the acceleration of {}; has it an inertia about every "
                        "axis it can turn about?",
                        named_body(m, m.topology.carrier_name(m.structure.unknown_carrier[e.column]))));
      const RowRecord& row = m.topology.rows[e.column - dofs];
      throw SimulationError(
          fmt::format("the system is singular: the reaction of {} is not determined ({})", named_joint(m, row.joint), row.what));
    }
  }
  program_ = std::move(program);
  factors_.resize(*program_);
}

template <class T>
MaskOf<T> Solver<T>::factor(const Assembly<T>& assembly) {
  if constexpr (std::is_same_v<T, Traced>) return factor_against(*program_, singular_, assembly.values().data(), factors_);
  MaskOf<T> bad = aleator::core::factor(*program_, assembly.values().data(), factors_);
  if constexpr (std::is_same_v<T, double>) {
    if (bad) {  // new pivots for the new values
      for (const T& v : assembly.values())
        if (!std::isfinite(v)) return bad;
      prepare(assembly);
      bad = aleator::core::factor(*program_, assembly.values().data(), factors_);
    }
  }
  return bad;
}

template <class T>
MaskOf<T> Solver<T>::renew(const Assembly<T>& assembly, const MaskOf<T>& which) {
  if constexpr (std::is_same_v<T, Traced>) {
    LuFactors<T> fresh(*program_);
    const MaskOf<T> bad = factor_against(*program_, singular_, assembly.values().data(), fresh);
    for (size_t k = 0; k < fresh.entry.size(); ++k) factors_.entry[k] = select(which, fresh.entry[k], factors_.entry[k]);
    return bad;
  } else {
    return factor(assembly);
  }
}

template <class T>
Index1<T>::Index1(Assembly<T>& assembly) : assembly_(assembly) {
  right_.resize(assembly.model().structure.size);
  full_.resize(assembly.velocities());
  rows_.resize(assembly.rows());
  open_.resize(assembly.rows());
}

template <class T>
MaskOf<T> Index1<T>::evaluate(const State<T>& s, Side side) {
  evaluate_again(s, side);
  if (!solver_.prepared()) assembly_.weigh_rows();
  assembly_.regularize(T(1e-11));
  assembly_.mass_matrix();
  if (!solver_.prepared()) solver_.prepare(assembly_);
  return solver_.factor(assembly_) | assembly_.status().failed;
}

template <class T>
MaskOf<T> Index1<T>::evaluate_again(const State<T>& s, Side side) {
  assembly_.kinematics(s.t, side, s.positions.data(), s.velocities.data(), s.turns.data());
  assembly_.constrain();
  assembly_.forces();
  return assembly_.status().failed;
}

template <class T>
void Index1<T>::accelerations(State<T>& s, const T* pull) {
  const Evaluation<T>& e = assembly_.evaluation();
  for (int r = 0; r < assembly_.rows(); ++r) rows_[r] = pull ? pull[r] - e.bias[r] : -e.bias[r];
  // f − k = −r at zero accelerations and multipliers
  std::fill(s.accelerations.begin(), s.accelerations.end(), T(0));
  std::fill(s.lambda.begin(), s.lambda.end(), T(0));
  assembly_.residual(s.accelerations.data(), s.lambda.data(), full_.data());
  for (T& x : full_) x = -x;
  assembly_.gather(full_.data(), rows_.data(), right_.data());
  solver_.solve(right_.data());
  assembly_.scatter(right_.data(), s.accelerations.data(), s.lambda.data());
}

template <class T>
void Index1<T>::project_velocities(State<T>& s) {
  assembly_.velocity_residual(rows_.data());
  for (T& x : rows_) x = -x;
  std::fill(full_.begin(), full_.end(), T(0));
  assembly_.gather(full_.data(), rows_.data(), right_.data());
  solver_.solve(right_.data());
  assembly_.scatter(right_.data(), full_.data(), rows_.data());
  for (size_t i = 0; i < full_.size(); ++i) s.velocities[i] += full_[i];
}

template <class T>
void Index1<T>::project_positions(State<T>& s) {
  const Evaluation<T>& e = assembly_.evaluation();
  for (int r = 0; r < assembly_.rows(); ++r) rows_[r] = -e.residual[r];
  std::fill(full_.begin(), full_.end(), T(0));
  assembly_.gather(full_.data(), rows_.data(), right_.data());
  solver_.solve(right_.data());
  assembly_.scatter(right_.data(), full_.data(), rows_.data());
  assembly_.carriers().move(s.positions.data(), full_.data(), s.positions.data());
  for (int r = 0; r < assembly_.rows(); ++r) open_[r] = assembly_.regularization()[r] * rows_[r];
}

template class Solver<double>;
template class Solver<Traced>;
template class Index1<double>;
template class Index1<Traced>;

}  // namespace aleator::core
