#include "design/optimised_hypercube.hpp"

#include <algorithm>
#include <numeric>

#include "base/cancellation.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

namespace {

constexpr std::uint64_t key = quantity_key("optimised hypercube");

double repulsion(double square) {
  const double four = square * square, eight = four * four;
  return 1 / (eight * eight);
}

// Columns of points, and the repulsion each point feels from all others.
class Points {
 public:
  Points(int dimension, long size, std::uint64_t seed) : n_(size), d_(dimension), x_(n_ * d_), felt_(n_), change_(n_) {
    std::vector<double> order(n_);
    std::vector<std::size_t> at(n_);
    for (std::size_t c = 0; c < d_; ++c) {
      Stream stream(seed, c, key, 1);
      for (double& o : order) o = stream.uniform();
      std::iota(at.begin(), at.end(), std::size_t(0));
      std::sort(at.begin(), at.end(),
                [&](std::size_t a, std::size_t b) { return order[a] != order[b] ? order[a] < order[b] : a < b; });
      for (std::size_t k = 0; k < n_; ++k) x_[c * n_ + k] = (double(at[k]) + stream.uniform()) / double(n_);
    }
    refresh();
  }

  double energy() const { return energy_; }
  std::size_t most_crowded() const { return std::max_element(felt_.begin(), felt_.end()) - felt_.begin(); }
  double at(std::size_t row, std::size_t column) const { return x_[column * n_ + row]; }

  // Sums anew, as differences leave round-off behind.
  void refresh() {
    energy_ = 0;
    for (std::size_t k = 0; k < n_; ++k) {
      throw_if_cancelled();
      felt_[k] = 0;
      for (std::size_t m = 0; m < n_; ++m)
        if (m != k) felt_[k] += repulsion(square(k, m));
      energy_ += 0.5 * felt_[k];
    }
  }

  // What would change if two points exchanged one coordinate; exchange() does it.
  double consider(std::size_t a, std::size_t b, std::size_t column) {
    const double* x = &x_[column * n_];
    const double xa = x[a], xb = x[b];
    double of_a = 0, of_b = 0;
    for (std::size_t m = 0; m < n_; ++m) {
      change_[m] = 0;
      if (m == a || m == b) continue;
      const double before_a = square(a, m), before_b = square(b, m);
      const double to_a = (x[m] - xa) * (x[m] - xa), to_b = (x[m] - xb) * (x[m] - xb);
      const double da = repulsion(before_a - to_a + to_b) - repulsion(before_a);
      const double db = repulsion(before_b - to_b + to_a) - repulsion(before_b);
      of_a += da, of_b += db;
      change_[m] = da + db;
    }
    change_[a] = of_a, change_[b] = of_b;
    return of_a + of_b;
  }
  void exchange(std::size_t a, std::size_t b, std::size_t column) {
    std::swap(x_[column * n_ + a], x_[column * n_ + b]);
    for (std::size_t m = 0; m < n_; ++m) felt_[m] += change_[m], energy_ += 0.5 * change_[m];
  }

 private:
  double square(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (std::size_t c = 0; c < d_; ++c) {
      const double e = x_[c * n_ + a] - x_[c * n_ + b];
      sum += e * e;
    }
    return sum;
  }

  std::size_t n_, d_;
  std::vector<double> x_;              // [column][row]
  std::vector<double> felt_, change_;  // [row]
  double energy_ = 0;
};

std::vector<double> by_rows(const Points& points, long size, int dimension) {
  std::vector<double> out;
  out.reserve(std::size_t(size) * std::size_t(dimension));
  for (long k = 0; k < size; ++k)
    for (int c = 0; c < dimension; ++c) out.push_back(points.at(std::size_t(k), std::size_t(c)));
  return out;
}

}  // namespace

// Exchanges at random, every second one of the most crowded point; worse ones are accepted up to a threshold that falls to zero
// (threshold accepting, Dueck and Scheuer 1990: annealing without logarithms, whose last digit depends on the machine).
std::vector<double> optimised_hypercube(int dimension, long size, std::uint64_t seed) {
  Points points(dimension, size, seed);
  std::vector<double> best = by_rows(points, size, dimension);
  if (size < 3) return best;
  const double work = double(size) * dimension;  // of one exchange
  const long exchanges = std::max(200L, std::min(60000L, long(1.5e8 / work)));
  double least = points.energy();
  Stream stream(seed, 0, key, 2);
  const auto any = [&](long n) { return std::min(std::size_t(n) - 1, std::size_t(stream.uniform() * double(n))); };
  for (long k = 0; k < exchanges; ++k) {
    throw_if_cancelled();
    if (k % size == size - 1) points.refresh();
    const std::size_t a = k % 2 ? any(size) : points.most_crowded(), b = any(size), column = any(dimension);
    const double threshold = 0.5 * (1 - 1.25 * double(k) / double(exchanges));  // of the energy; downhill for the last fifth
    const double change = a == b ? 0 : points.consider(a, b, column);
    if (a == b || !(change < std::max(0.0, threshold * stream.uniform()) * points.energy())) continue;
    points.exchange(a, b, column);
    if (points.energy() < least) least = points.energy(), best = by_rows(points, size, dimension);
  }
  return best;
}

}  // namespace aleator::core
