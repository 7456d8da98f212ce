// The index-1 system in joint coordinates. The motion of a body, v̇ or a correction, is that of its parent in the tree (model/joint_tree.hpp), carried along
// rigidly, plus free directions of their joint times unknowns q, plus γ, what the joint's rows ask for (elements/joint_space.hpp):
//   v̇ = B q + γ,   Bᵀ M B q + Bᵀ Eᵀ μ = Bᵀ (f − M γ),   E B q − ε μ = c − E γ,
// where E are the cut rows and μ their multipliers. Unknowns q are eliminated one by one from the leaves to the root (articulated bodies), with
// columns E carried through the same recursion; −ε − E B (BᵀMB)⁻¹ BᵀEᵀ is left for μ, a small matrix. Multipliers of the tree's joints
// follow from the leaves: Gᵀλ = f − M v̇ of all that hangs there; recorded programs do not have them unless somebody asks.
// Rows of the tree have no ε: joints are closed exactly, cut ones up to ε.
// Armature a of a joint adds a to the inertia of its free direction: the gradient of each coordinate vanishes in the other free directions.
#pragma once

#include <memory>
#include <vector>

#include "dynamics/articulated_inertia.hpp"
#include "dynamics/linear_solver.hpp"

namespace aleator::core {

template <class T>
class ArticulatedSolver final : public LinearSolver<T> {
 public:
  // `nominal`: pivots of another factorisation; pivots are bad that have not the sign, or are 10⁸ times smaller than the size, of those.
  // Null: those of the first factorisation (of a single realization).
  explicit ArticulatedSolver(const Assembly<T>& assembly, std::shared_ptr<const std::vector<double>> nominal = nullptr);

  MaskOf<T> factor() override;
  void solve(const T* forces, const T* asked, T* accelerations, T* lambda) override;
  void project(const T* asked, T* motion, T* open) override;
  const T* joint_motions() const override { return q_.data(); }

  // --- of a single realization, after factor --------------------------------------------------------------------------------
  const std::shared_ptr<const std::vector<double>>& pivots() const { return nominal_; }
  // Every free direction has an inertia (bodies without one at the end of a tree have none, though the whole system may be regular).
  bool is_regular() const { return regular_; }
  // Some cut row says what others say already.
  bool is_redundant() const { return redundant_; }

 private:
  struct Direction {
    int axis;  // s is this unit vector; −1: any
    Six<T> s, U;
    T inverse;
    std::vector<T> e;  // [cuts of the node] Eᵀ s
    T ratio, q;        // by solve
  };
  // An inertia in the joint to the parent, by its coordinate: q̇ = h · (motion relative to the parent, at the joint).
  struct Armature {
    int direction;     // −1: none of the free ones, it is driven
    T inertia, sigma;  // sigma: h · s
    bool turns;
    Vec3<T> h;
    T given;  // h · γ of the joint; by solve
  };
  struct Lock {
    int row;
    bool turns;
    Vec3<T> by;  // of this body, relative to its parent
  };
  struct Body {
    Mat3<T> J;                  // inertial axes
    Vec3<T> joint, base;        // from the centre of mass: the joint, and the point at which motions are given
    Vec3<T> from_parent;        // from the base, carried by the parent, to the parent's base
    std::vector<Six<T>> E, E0;  // [cuts of the node] columns of cut rows, what hangs on the body included; its own alone
    int frees = 0, locks = 0;
    std::array<Direction, 6> free;
    std::array<Lock, 6> lock;
    std::vector<Armature> armatures;
    ArticulatedInertia<T> inertia;
    Six<T> p, gamma, y;  // by solve
  };
  struct Column {
    int gradient, node, place;  // place in its cuts
  };

  void set_joint(int n);
  void set_armatures(int n);
  void set_inertia(int n);
  void set_columns();
  void eliminate(int n);
  void regularize_cuts();
  void factor_cuts();
  void check(const T& pivot);
  void descend(const T* forces, const T* asked);
  struct Given {
    Vec3<T> move, turn;
  };
  Given given_by_joint(int n, bool accelerates, const T* asked) const;
  void ascend();
  void solve_cuts();
  void find_motion(T* out);
  void find_reactions(const T* forces, T* lambda);
  T& K(int i, int j) { return K_[size_t(i) * cuts_ + j]; }

  const Assembly<T>& assembly_;
  const JointTree& tree_;
  int cuts_;
  std::vector<Body> bodies_;     // [nodes]
  std::vector<Column> columns_;  // gradients of cut rows
  JointSpace<T> space_;
  AlignedVector<T> K_;         // [cuts][cuts] factors: L below, reciprocals of pivots on the diagonal
  AlignedVector<T> mu_, row_;  // [cuts]
  AlignedVector<T> epsilon_;   // [cuts] by factor
  AlignedVector<T> q_;         // [nodes] the last of each one's unknowns, by find_motion
  std::shared_ptr<const std::vector<double>> nominal_;
  std::vector<double> found_;  // pivots
  size_t next_ = 0;            // pivot
  T smallest_;                 // relative to nominal ones
  MaskOf<T> bad_ = false;
  bool regular_ = true, redundant_ = false;
};

extern template class ArticulatedSolver<double>;
extern template class ArticulatedSolver<Traced>;

}  // namespace aleator::core
