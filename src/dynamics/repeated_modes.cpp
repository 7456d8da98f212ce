#include "dynamics/repeated_modes.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core {
namespace {

using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double same = 1e-6;  // of eigenvalues: their size times this
// Of the length of a shape, what is left of it across the others: that it is none of them, and that it is round-off.
constexpr double different = 0.3, dependent = 1e-6;

std::complex<double> product(const VectorXcd& a, const VectorXcd& b, const VectorXd& w) {
  return a.conjugate().cwiseProduct(w).cwiseProduct(b).sum();
}
double length(const VectorXcd& a, const VectorXd& w) { return std::sqrt(a.cwiseAbs2().dot(w)); }

// Unit vectors that are orthogonal to each other (Gram and Schmidt, twice: round-off).
class Span {
 public:
  explicit Span(const VectorXd& weights) : w_(weights) {}
  VectorXcd projection(const VectorXcd& x) const {
    VectorXcd out = VectorXcd::Zero(x.size());
    for (const VectorXcd& u : units_) out += product(u, x, w_) * u;
    return out;
  }
  bool add(const VectorXcd& x, double least) {  // unless it lies in those that are there
    const double whole = length(x, w_);
    VectorXcd rest = x - projection(x);
    rest -= projection(rest);
    const double left = length(rest, w_);
    if (!(left > least * whole)) return false;
    units_.push_back(rest / left);
    return true;
  }

 private:
  const VectorXd& w_;
  std::vector<VectorXcd> units_;
};

// Its largest component is 1.
VectorXcd scaled(const VectorXcd& shape) {
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  return shape / shape(largest);
}

}  // namespace

std::vector<std::vector<int>> repeated(const std::vector<std::complex<double>>& eigenvalues) {
  std::vector<std::vector<int>> out;
  std::vector<char> taken(eigenvalues.size(), 0);
  for (size_t i = 0; i < eigenvalues.size(); ++i) {
    if (taken[i]) continue;
    std::vector<int> group{int(i)};
    for (size_t k = i + 1; k < eigenvalues.size(); ++k)
      if (!taken[k] && std::abs(eigenvalues[k] - eigenvalues[i]) < same * std::abs(eigenvalues[i]))
        group.push_back(int(k)), taken[k] = 1;
    if (group.size() > 1) out.push_back(std::move(group));
  }
  return out;
}

void turn_towards(std::vector<VectorXcd>& shapes, const std::vector<int>& which, const std::vector<VectorXcd>& targets,
                  const VectorXd& weights) {
  Span all(weights), chosen(weights);
  for (const int i : which)
    if (!all.add(shapes[size_t(i)], dependent)) return;
  struct Candidate {
    double part, least;  // of the target that lies in the span
    VectorXcd shape;
  };
  std::vector<Candidate> candidates;
  for (const VectorXcd& target : targets) {
    VectorXcd inside = all.projection(target);
    const double part = length(inside, weights) / length(target, weights);
    if (part > 0.1) candidates.push_back({part, different, std::move(inside)});
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.part > b.part; });
  for (const int i : which) candidates.push_back({0, dependent, shapes[size_t(i)]});
  size_t next = 0;
  for (const Candidate& c : candidates)
    if (next < which.size() && chosen.add(c.shape, c.least)) shapes[size_t(which[next++])] = scaled(c.shape);
}

void turn_towards(std::vector<Mode>& modes, const std::vector<VectorXcd>& targets, const VectorXd& weights) {
  std::vector<std::complex<double>> eigenvalues;
  for (const Mode& m : modes) eigenvalues.push_back(m.rigid ? 0.0 : m.eigenvalue);  // 0 is like no other
  for (const std::vector<int>& group : repeated(eigenvalues)) {
    std::vector<VectorXcd> shapes;
    std::vector<int> which;
    for (const int i : group) which.push_back(int(shapes.size())), shapes.push_back(modes[size_t(i)].shape);
    turn_towards(shapes, which, targets, weights);
    for (size_t k = 0; k < group.size(); ++k) modes[size_t(group[k])].shape = std::move(shapes[k]);
  }
}

}  // namespace aleator::core
