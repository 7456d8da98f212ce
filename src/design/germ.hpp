// The independent standard variables z in which a response is expanded, one for each variable behind the samples:
//   the value itself, where a scalar depends on no other and polynomials of it are dense (normal, uniform, gamma, beta, …);
//   a standard normal variable behind other scalars (lognormal, heavy tails, those in copulas): u = Φ(z), from the smaller tail;
//   a uniform one behind the coordinates of blocks (a centre of mass): u = (1 + z)/2.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "numerics/polynomials.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

// Throws std::invalid_argument where the model has a random process: `what` is not possible then.
void refuse_processes(const RandomModel& random, std::string_view what);

class Germ {
 public:
  enum class Kind { value, normal, uniform };

  // Throws std::invalid_argument where no map from independent variables exists: the reason, and what can be done.
  explicit Germ(const RandomModel& random);

  int size() const { return int(laws_.size()); }
  Kind kind(int variable) const { return kinds_[variable]; }
  PolynomialFamily family(int variable, int degree) const { return laws_[variable]->polynomials(degree); }
  const GaussQuadrature& rule(int variable, int n) const;  // one thread at a time

  Place place(int variable, double z) const;
  double standard(int variable, double u) const;  // z at a place in ]0, 1[
  // The sample with all variables at z.
  std::vector<double> sample(std::span<const double> z) const;

 private:
  const RandomModel& random_;
  std::vector<Kind> kinds_;
  std::vector<std::shared_ptr<const Distribution>> laws_;  // of z, up to scale and shift
  std::vector<PolynomialFamily> scales_;                   // center and scale alone
  mutable std::map<std::pair<int, int>, GaussQuadrature> rules_;
};

}  // namespace aleator::core
