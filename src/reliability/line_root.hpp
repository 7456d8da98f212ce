// Where a line enters failure: a few evaluations of the excess e(c) along it, by secants, safeguarded by brackets.
#pragma once

#include <optional>
#include <vector>

namespace aleator::core::reliability {

class LineRoot {
 public:
  // guess: where it is expected; slope: of e there, 0 if it is not known; farthest: beyond this it does not matter.
  LineRoot(double guess, double slope, double farthest);

  bool done() const { return done_; }
  bool lost() const { return lost_; }                   // a simulation failed
  double next() const { return next_; }                 // evaluate here
  void take(std::optional<double> e);                   // what it gave; nothing: the simulation failed
  std::optional<double> root() const { return root_; }  // none: it does not fail within `farthest`

 private:
  void choose();
  void finish(std::optional<double> root);

  double slope_, farthest_, next_;
  struct At {
    double c, e;
  };
  std::vector<At> seen_;
  std::optional<At> safe_, failing_;  // the bracket: the farthest safe one below the nearest failing one
  bool done_ = false, lost_ = false;
  std::optional<double> root_;
};

}  // namespace aleator::core::reliability
