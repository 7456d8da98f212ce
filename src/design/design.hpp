// Where a study samples: the place of each independent variable (uncertainty/random_model.hpp) in each realization.
#pragma once

namespace aleator::core {

class Design {
 public:
  Design() = default;
  virtual ~Design() = default;
  Design(const Design&) = delete;
  Design& operator=(const Design&) = delete;

  // In ]0, 1[, and the same whoever asks, in whatever order. `copy`: 0, or 1 of the second of two independent studies, which
  // variance shares need. `u` is where Monte Carlo has it.
  virtual double at(int variable, int copy, long realization, double u) const = 0;

  // How many independent randomisations there are; realization k belongs to the (k mod replicates)-th.
  virtual int replicates() const { return 1; }
};

// Monte Carlo through the variables: blocks with a map follow it, instead of being drawn by rejection.
class PlainDesign final : public Design {
 public:
  double at(int, int, long, double u) const override { return u; }
};

}  // namespace aleator::core
