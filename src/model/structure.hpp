// What follows from the topology alone: which velocities are unknowns, where blocks go in the sparse matrix, and where
// each number of a realization lies in the flat array.
//
// The matrix of all methods is that of the unknowns (velocity-like of active directions, multipliers):
//   [ A  Gᵀ ]
//   [ G  −ε ]
// A is the sum of 6×6 blocks of pairs of carriers, G of 1×6 blocks of rows and carriers.
#pragma once

#include <vector>

#include "elements/blueprint.hpp"
#include "model/joint_tree.hpp"
#include "numerics/sparse_pattern.hpp"

namespace aleator::core {

// The passes a model goes through when it is compiled; each can be switched off (tests compare with and without).
struct CompileOptions {
  bool lock_unmoved = true;     // directions of bodies that joints to the ground lock for good are no unknowns (pass_locked.cpp)
  bool find_prescribed = true;  // bodies whose motion is prescribed are kept out of Newton's matrices (pass_prescribed.cpp)
  bool tree = true;             // accelerations in joint coordinates where bodies make trees (pass_tree.cpp)
  bool relative = true;         // explicit methods keep angles of the tree's hinges instead of bodies (pass_relative.cpp)
};

struct Layout {  // offsets in the flat array
  int gravity = 0, bodies = 0, markers = 0, nodal = 0;
  std::vector<int> groups;
  int pool = 0;
  int signals = 0;  // coefficients of the functions of time; their sizes may differ between realizations
};

struct Move {
  int from, to;
};

// A body whose rows determine its unknowns, given those of bodies before it.
struct PrescribedBody {
  int carrier;
  std::vector<int> unknowns, rows;  // as many of one as of the other
};

struct Structure {
  std::vector<int> dof;                        // [6 carriers] unknown of each velocity, −1 when locked
  std::vector<char> row_active;                // [rows] 0 for rows that a pass made superfluous
  int dofs = 0;                                // active velocities
  int states = 0;                              // the last of them are states of elements (elements/carrier.hpp)
  int rows = 0;                                // constraint rows, active or not
  int size = 0;                                // dofs + rows
  SparsePattern pattern;                       // of the whole matrix
  std::vector<int> unknown_carrier;            // [size] carrier of an unknown, −1 for multipliers
  std::vector<int> unknown_node;               // [size] its node, −1 for multipliers: hint for the elimination order
  int pair_block_count = 0;                    // block 0 is a bin for everything that touches the ground
  std::vector<std::vector<int>> pair_start;    // per group: [count][pairs, or 1] place in pair_blocks of each pair of markers
  std::vector<std::vector<int>> pair_blocks;   // per group: blocks of all carriers of a pair by all of them
  std::vector<int> own_block;                  // [carriers] block of (c, c)
  std::vector<Move> from_pairs;                // entry of the 6×6 blocks → entry of the matrix
  std::vector<Move> from_jacobian;             // entry of the 1×6 blocks → (row, column) entry …
  std::vector<Move> from_jacobian_transposed;  // … and (column, row) entry
  std::vector<int> row_diagonal;               // [rows]
  std::vector<PrescribedBody> prescribed;      // by pass_prescribed, in an order in which they can be found
  std::vector<int> shared_inertia;             // [rigid] a body axis whose moment of inertia another one shares, if there is one
  JointTree tree;                              // of the bodies
  bool relative = true;                        // CompileOptions
  Layout layout;
};

Structure make_structure(const Topology& topology, const Parameters& numbers, const CompileOptions& options);

}  // namespace aleator::core
