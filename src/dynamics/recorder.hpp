// Lays out steps, and records outputs on an exact grid of times from values at step nodes: a grid time that is a node takes the node's values,
// another one is interpolated by a polynomial of degree 5 through neighbouring nodes of the same smooth piece. Where steps follow the output
// times nothing is interpolated: a polynomial through the nodes knows nothing of an impact between them.
#pragma once

#include <vector>

#include "base/aligned.hpp"

namespace aleator::core {

// k · step for k = 0 … without accumulating round-off; the last one is `duration` when that is a multiple.
std::vector<double> output_times(double duration, double step);

class Recorder {
 public:
  // channels recorded at each time; `angular` channels have jumps of 2π taken out, in the order of nodes.
  Recorder(std::vector<double> times, int channels, std::vector<char> angular);

  void restart() { next_ = piece_ = 0, have_previous_ = false; }
  // A smooth piece [start, end] begins; grid times in [start, end[ are its own (and `end` in the last one). Returns how many steps it has: equal ones, no
  // longer than `longest`; or, if grid times are no nodes of these and steps are to `follow`, equal ones between any two grid times.
  int begin_piece(double start, double end, double longest, bool last, bool follow);
  double node_time(int node) const;  // 0 … steps
  double step_size(int step) const;  // 1 … steps
  bool wants(int node) const;        // must the values at this node be given?
  double* node(int node);            // where to put them …
  void commit(int node);             // … and that they are there: writes what can now be written
  const std::vector<double>& times() const { return times_; }
  const AlignedVector<double>& values() const { return values_; }  // [times][channels]
  int written() const { return next_; }

 private:
  static constexpr int ring = 6;
  void unwrap(double* values);

  // Where a grid time comes from: a node, or weights of several.
  struct Source {
    int node;  // the first one
    bool is_node;
    double weight[ring];
  };
  // Kept, because the next simulation has most likely the same pieces.
  struct Piece {
    double start, end, longest;
    bool last, follow;
    int steps = 0;
    int first = 0, beyond = 0;  // its grid times
    bool interpolates = false;
    // Steps that follow these: before the first of them, between two, after the last. 0 between two: all steps are equal.
    int before = 0, between = 0, after = 0;
  };
  void lay_out(Piece& piece);
  void lay_out_between_times(Piece& piece);

  std::vector<double> times_;
  int channels_;
  std::vector<char> angular_;
  AlignedVector<double> values_, ring_, previous_;
  bool have_previous_ = false;
  std::vector<Source> sources_;  // [times]
  std::vector<Piece> pieces_;
  size_t piece_ = 0;  // the number of pieces begun
  int next_ = 0;
};

}  // namespace aleator::core
