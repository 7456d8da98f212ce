#include "inference/verify.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace aleator::core::inference {
namespace {

constexpr int most_rounds = 12;
constexpr double known = 0.05;  // an evaluation this near, in parts of the intervals, tells as much as another one

class Verifier {
 public:
  Verifier(const Function& f, Exploration& exploration, const VerifySettings& settings)
      : f_(f), explored_(exploration), settings_(settings), d_(exploration.at.size()) {}

  Verification run() {
    take_profiles();
    for (int round = 0; round < most_rounds && !result_.agreed; ++round) {
      const std::size_t before = explored_.values.size();
      const bool complete = look();
      const bool learnt = explored_.values.size() > before;
      if (complete && !learnt) {
        // Jumps of the function itself cannot be predicted; what is larger than a unit is none of them.
        const double tolerance = std::hypot(settings_.accuracy, std::min(2 * explored_.surrogate.noise(), 1.0));
        result_.agreed = result_.error <= tolerance;
        break;  // there is nothing more to learn
      }
      if (learnt) {
        learn();
        take_profiles();
      }
      if (!complete) break;
    }
    return std::move(result_);
  }

 private:
  void take_profiles() {
    const LogLikelihood hill = hill_of(explored_);
    result_.profiles.clear();
    result_.places = {explored_.at};
    for (std::size_t i = 0; i < d_; ++i) {
      result_.profiles.push_back(profile(hill, int(i), settings_.drop));
      const Profile& p = result_.profiles.back();
      result_.places.push_back(p.lower_at);
      result_.places.push_back(p.upper_at);
    }
  }

  // Number of the nearest evaluation if that is near enough, else −1.
  int nearest(const Place& x) const {
    int best = -1;
    double least = known;
    for (std::size_t k = 0; k < explored_.points.size(); ++k) {
      double far = 0;
      for (std::size_t i = 0; i < d_; ++i) {
        const Profile& p = result_.profiles[i];
        far = std::max(far, std::abs(explored_.points[k][i] - x[i]) / std::max(p.upper - p.lower, 1e-6));
      }
      if (far < least) least = far, best = int(k);
    }
    return best;
  }

  // Prediction and evaluation at a place, or at one that is as good; false when there is no evaluation left for it.
  bool compare(Place x, double& miss) {
    int k = nearest(x);
    if (k < 0) {
      if (int(explored_.values.size()) >= settings_.evaluations) return false;
      const double value = f_(x);
      explored_.points.push_back(x);
      explored_.values.push_back(value);
      k = int(explored_.values.size()) - 1;
      if (settings_.progress) settings_.progress(k + 1, explored_.largest);
    }
    const double value = explored_.values[std::size_t(k)];
    const double floor = explored_.largest - 3 * settings_.drop;  // how far below does not matter
    miss = std::max(std::isfinite(value) ? value : floor, floor) -
           std::max(explored_.surrogate.value(explored_.points[std::size_t(k)]), floor);
    return true;
  }

  // True: everywhere.
  bool look() {
    std::vector<Place> places = result_.places;
    for (std::size_t k = 1; k < result_.places.size(); ++k) {
      Place half = result_.places[k];
      for (std::size_t i = 0; i < d_; ++i) half[i] = (half[i] + explored_.at[i]) / 2;
      places.push_back(half);
    }
    double at_top = 0, largest = 0, square = 0;
    for (std::size_t k = 0; k < places.size(); ++k) {
      double miss = 0;
      if (!compare(places[k], miss)) return false;
      if (k == 0) at_top = miss;
      largest = std::max({largest, std::abs(miss), std::abs(miss - at_top)});
      square += miss * miss / double(places.size());
    }
    // The largest of many jumps is no measure of a surrogate that goes through their middle.
    result_.error = std::max(std::sqrt(square), largest - 3 * explored_.surrogate.noise());
    return true;
  }

  void learn() {
    Eigen::MatrixXd points(Eigen::Index(d_), Eigen::Index(explored_.points.size()));
    for (Eigen::Index i = 0; i < points.cols(); ++i)
      points.col(i) = Eigen::Map<const Eigen::VectorXd>(explored_.points[std::size_t(i)].data(), Eigen::Index(d_));
    explored_.surrogate = Surrogate(points, explored_.values, surrogate_depth(explored_.region_drop), &explored_.surrogate);
    climb();
  }

  // The maximum of the surrogate, from the best evaluations and from where it was.
  void climb() {
    std::vector<std::size_t> order(explored_.values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::erase_if(order, [&](std::size_t i) { return !std::isfinite(explored_.values[i]); });
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return explored_.values[a] > explored_.values[b]; });
    std::vector<Place> starts = {explored_.at};
    for (std::size_t i = 0; i < std::min<std::size_t>(6, order.size()); ++i) starts.push_back(explored_.points[order[i]]);
    const Function f = [&](std::span<const double> x) { return explored_.surrogate.value(x); };
    Maximum best;
    for (const Place& start : starts) {
      const Maximum found = maximise_locally(f, Box::unit(int(d_)), start, {.step = 0.02, .tolerance = 1e-5, .precision = 1e-6});
      if (best.at.empty() || found.value > best.value) best = found;
    }
    explored_.at = best.at;
    explored_.largest = best.value;
  }

  const Function& f_;
  Exploration& explored_;
  const VerifySettings& settings_;
  std::size_t d_;
  Verification result_;
};

}  // namespace

Verification verify(const Function& f, Exploration& exploration, const VerifySettings& settings) {
  return Verifier(f, exploration, settings).run();
}

}  // namespace aleator::core::inference
