#include "dynamics/index1.hpp"

#include <algorithm>

#include "dynamics/violation.hpp"

namespace aleator::core {

template <class T>
Index1<T>::Index1(Assembly<T>& assembly, Index1Solver which) : assembly_(assembly), which_(which), matrix_(assembly) {
  full_.resize(assembly.velocities());
  rows_.resize(assembly.rows());
  open_.resize(assembly.rows());
}

template <class T>
void Index1<T>::prepare(const Index1Pivots& pivots) {
  pivots_ = pivots;
  matrix_.matrix().prepare(assembly_, pivots.matrix);
  tree_ = pivots.tree ? std::make_unique<ArticulatedSolver<T>>(assembly_, pivots.tree) : nullptr;
}

namespace {

// Floating-point operations of a factorisation and a solution, tree's over matrix's; fitted to those of recordings.
double relative_cost(const JointTree& tree, const LuProgram& matrix) {
  return tree.operations / (0.25 * double(matrix.operations()) + double(matrix.storage));
}
constexpr double hopeless = 3;

bool may_share_as_it_likes(const Model& m) {
  return !may_contradict(m) &&
         std::none_of(m.topology.outputs.begin(), m.topology.outputs.end(), [](const Output& o) { return o.joint >= 0; });
}

}  // namespace

// At the first evaluation, when the matrix has been analysed.
template <class T>
void Index1<T>::choose() {
  if constexpr (std::is_same_v<T, double>) {
    pivots_.matrix = matrix_.matrix().program();
    const JointTree& tree = assembly_.model().structure.tree;
    if (which_ == Index1Solver::matrix || !tree.possible) return;
    const double cost = which_ == Index1Solver::tree ? 0 : relative_cost(tree, *pivots_.matrix);
    if (cost > hopeless) return;
    auto solver = std::make_unique<ArticulatedSolver<T>>(assembly_);
    if (solver->factor() || !solver->is_regular()) return;
    if (!solver->is_redundant() || may_share_as_it_likes(assembly_.model())) pivots_.tree = solver->pivots();
    if (!solver->is_redundant() && cost < 1) tree_ = std::move(solver);
  }
}

template <class T>
MaskOf<T> Index1<T>::evaluate(const State<T>& s, Side side) {
  evaluate_again(s, side);
  const bool first = !matrix_.matrix().prepared();
  if (first) assembly_.weigh_rows();
  assembly_.regularize(T(1e-11));
  if (first) {
    const MaskOf<T> bad = matrix_.factor();
    choose();
    return bad | assembly_.status().failed;
  }
  MaskOf<T> bad = used().factor();
  if constexpr (std::is_same_v<T, double>)
    if (bad && tree_) tree_.reset(), bad = matrix_.factor();  // from now on
  return bad | assembly_.status().failed;
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
  used().solve(full_.data(), rows_.data(), s.accelerations.data(), s.lambda.data());
  if constexpr (std::is_same_v<T, double>)
    if (assembly_.reads_reduced() && !tree_) {
      // A reduced state has no place for what ε leaves open in joints of the tree: it is asked for once more.
      for (int r = 0; r < assembly_.rows(); ++r) rows_[r] -= assembly_.regularization()[r] * s.lambda[r];
      used().solve(full_.data(), rows_.data(), s.accelerations.data(), s.lambda.data());
    }
}

template <class T>
void Index1<T>::reduce(T* motion) {
  const T* const q = used().joint_motions();
  if (!assembly_.reads_reduced() || !q) return assembly_.reduce_motion(motion);
  for (const RelativeJoint& j : assembly_.relative().joints()) {
    std::fill_n(motion + 6 * j.carrier, 6, T(0));
    if (j.axis >= 0) motion[6 * j.carrier] = q[j.node];
  }
}

template <class T>
void Index1<T>::rates(const State<T>& s, T* out) {
  std::copy(s.accelerations.begin(), s.accelerations.end(), out);
  reduce(out);
}

template <class T>
void Index1<T>::project_velocities(State<T>& s) {
  assembly_.velocity_residual(rows_.data());
  for (T& x : rows_) x = -x;
  used().project(rows_.data(), full_.data(), nullptr);
  reduce(full_.data());
  for (size_t i = 0; i < full_.size(); ++i) s.velocities[i] += full_[i];
}

template <class T>
void Index1<T>::project_positions(State<T>& s) {
  const Evaluation<T>& e = assembly_.evaluation();
  for (int r = 0; r < assembly_.rows(); ++r) rows_[r] = -e.residual[r];
  used().project(rows_.data(), full_.data(), open_.data());
  reduce(full_.data());
  assembly_.move(s.positions.data(), full_.data());
}

template class Index1<double>;
template class Index1<Traced>;

}  // namespace aleator::core
