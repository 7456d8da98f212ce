// The linear system of the index-1 form (index1.hpp), solved in one of two ways that give the same up to ε: by a factorised matrix of all
// unknowns (kkt_solver.hpp), or in joint coordinates (articulated_solver.hpp).
#pragma once

#include "dynamics/assembly.hpp"

namespace aleator::core {

template <class T>
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  // At the state the assembly was evaluated at (kinematics, constrain, regularize). Lanes that failed.
  virtual MaskOf<T> factor() = 0;
  // M v̇ + Gᵀλ = forces ([6 carriers], inertial axes), G v̇ = asked ([rows]). v̇: [6 carriers], turns in body axes. None may be where another is.
  virtual void solve(const T* forces, const T* asked, T* accelerations, T* lambda) = 0;
  // The same without forces: the motion that gives what is asked for with the least kinetic energy. `open`: [rows] what it leaves open, ε ν;
  // may be null.
  virtual void project(const T* asked, T* motion, T* open) = 0;
  // [nodes of the tree] by the last of these: the unknown of each joint with a single free direction. Null: it is not known apart from the motion.
  virtual const T* joint_motions() const { return nullptr; }
};

}  // namespace aleator::core
