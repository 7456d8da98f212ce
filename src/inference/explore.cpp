#include "inference/explore.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "results/identification.hpp"

namespace aleator::core::inference {
namespace {

class Explorer {
 public:
  Explorer(const Function& f, int dimensions, const ExploreSettings& settings)
      : f_(f), d_(dimensions), settings_(settings), drop_(settings.region_drop), limit_(settings.evaluations - 1) {
    if (drop_ <= 0) drop_ = results::confidence_drop(0.95, d_);
    depth_ = surrogate_depth(drop_);
    result_.region_drop = drop_;
  }

  Exploration run() {
    scan();
    if (finite() && result_.values.size() > 1) {
      fit();
      climb();
      fill();
      settle();
    }
    return std::move(result_);
  }

 private:
  bool over() const { return result_.stopped || int(result_.values.size()) >= limit_; }
  bool finite() const { return best_ >= 0; }
  double largest() const { return result_.values[best_]; }

  // False when there is nothing to spend any more.
  bool evaluate(const Place& x) {
    if (settings_.stop != nullptr && *settings_.stop) result_.stopped = true;
    if (over()) return false;
    const double value = f_(x);
    result_.points.push_back(x);
    result_.values.push_back(value);
    if (std::isfinite(value) && (best_ < 0 || value > largest())) best_ = int(result_.values.size()) - 1;
    if (settings_.progress) settings_.progress(int(result_.values.size()), finite() ? largest() : -INFINITY);
    return true;
  }

  void scan() {
    if (!settings_.start.empty()) evaluate(settings_.start);
    const EvenPlaces place(d_);
    for (int i = 0; !over() && (i < (settings_.scan > 0 ? settings_.scan : 2 + 6 * d_) || !finite()); ++i) evaluate(place(i));
  }

  void fit() {
    Eigen::MatrixXd points(d_, Eigen::Index(result_.points.size()));
    for (Eigen::Index i = 0; i < points.cols(); ++i)
      points.col(i) = Eigen::Map<const Eigen::VectorXd>(result_.points[i].data(), d_);
    // The lengths are looked for from scratch now and then.
    const bool anew = ++fits_ % 8 == 1;
    result_.surrogate = Surrogate(points, result_.values, depth_, anew ? nullptr : &result_.surrogate);
  }

  // Evaluated places from the best downwards.
  std::vector<Place> best_places(size_t count) const {
    std::vector<size_t> order(result_.values.size());
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [&](size_t i) { return !std::isfinite(result_.values[i]); });
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return result_.values[a] > result_.values[b]; });
    std::vector<Place> places;
    for (size_t i = 0; i < std::min(count, order.size()); ++i) places.push_back(result_.points[order[i]]);
    return places;
  }

  // Where the surrogate plus some of its standard deviations is largest.
  Maximum most_promising(double deviations) const {
    std::vector<Place> starts = best_places(4);
    if (!lookout_.empty()) starts.push_back(lookout_);
    for (int i = 0; i < 2 + d_; ++i) {
      starts.emplace_back(d_);
      for (double& v : starts.back()) v = settings_.uniform();
    }
    const Surrogate& s = result_.surrogate;
    const Function hope = [&](std::span<const double> x) {
      return s.value(x) + (deviations > 0 ? deviations * s.deviation(x) : 0);
    };
    Maximum best;
    for (const Place& start : starts) {
      const Maximum found = maximise_locally(hope, Box::unit(d_), start, {.step = 0.05, .tolerance = 1e-4, .precision = 1e-5});
      if (best.at.empty() || found.value > best.value) best = found;
    }
    return best;
  }

  void climb() {
    const int most = settings_.evaluations / 2;
    for (int step = 1, good = 0; good < 2 && int(result_.values.size()) < most; ++step) {
      const bool bold = step % 3 == 0;
      const Maximum next = most_promising(bold ? 2 : 0);
      const double before = largest();
      if (!evaluate(next.at)) return;
      fit();
      if (bold) continue;
      const bool predicted = std::abs(result_.values.back() - next.value) < 0.3;
      good = predicted && largest() < before + 0.1 ? good + 1 : 0;
    }
  }

  void fill() {
    const int batch = 4 + 2 * d_;
    while (!over() && !result_.accurate) {
      const std::vector<Place> places = places_in_region(batch);
      std::vector<double> predicted;
      for (const Place& x : places) predicted.push_back(result_.surrogate.value(x));
      size_t done = 0;
      while (done < places.size() && evaluate(places[done])) ++done;
      judge({predicted.data(), done});
      fit();
      const Maximum top = most_promising(0);
      if (evaluate(top.at)) fit();
    }
  }

  std::vector<Place> places_in_region(int count) {
    const Surrogate& s = result_.surrogate;
    const double top = most_promising(0).value, floor = top - 1.5 * drop_;
    // Also where it may reach that far: the region may go on where nothing was evaluated yet.
    const Inside inside = [&](std::span<const double> x) {
      const double value = s.value(x);
      return value >= floor || s.deviation(x) >= floor - value;
    };
    std::vector<Place> within = best_places(result_.values.size());
    std::erase_if(within, [&](const Place& x) { return !inside(x); });
    if (within.empty()) within = best_places(1);
    const std::vector<Place> candidates = walk_region(inside, within, 40 * count, settings_.uniform);
    look_around(candidates, top - drop_);
    return spread_out(candidates, result_.points, count, settings_.uniform);
  }

  // Where the surrogate is highest among the candidates, and how well it thinks to know what is, or may be, above the floor.
  void look_around(const std::vector<Place>& candidates, double floor) {
    double sum = 0, highest = -INFINITY;
    int count = 0;
    for (const Place& x : candidates) {
      const double value = result_.surrogate.value(x), deviation = result_.surrogate.deviation(x);
      if (value > highest) highest = value, lookout_ = x;
      if (value + deviation >= floor) sum += deviation * deviation, ++count;
    }
    doubt_ = std::sqrt(sum / std::max(1, count));
  }

  // What was predicted of the last evaluations, against what they gave; together with those of the batch before.
  void judge(std::span<const double> predicted) {
    const size_t first = result_.values.size() - predicted.size();
    const double floor = largest() - drop_;
    std::vector<double> misses;
    for (size_t i = 0; i < predicted.size(); ++i) {
      const double value = result_.values[first + i];
      if (value >= floor || predicted[i] >= floor)
        misses.push_back((std::isfinite(value) ? value : floor - drop_) - predicted[i]);
    }
    std::vector<double> both = misses;
    both.insert(both.end(), misses_.begin(), misses_.end());
    if (both.empty()) return;
    result_.error = std::sqrt(std::inner_product(both.begin(), both.end(), both.begin(), 0.0) / double(both.size()));
    // Jumps of the function itself cannot be predicted; the surrogate goes through their middle, nearer than they are large.
    const double jumps = result_.surrogate.noise();
    result_.accurate = result_.error <= std::hypot(settings_.accuracy, 1.5 * jumps) &&
                       doubt_ <= std::hypot(2 * settings_.accuracy, 0.6 * jumps) && !misses_.empty() &&
                       both.size() > predicted.size() / 2;
    misses_ = misses;
  }

  // The maximum is that of the surrogate, which learns from an evaluation there. The best of all evaluations is none: among hundreds
  // it is where the function happens to jump up, and profiles would then rise above their own maximum.
  void settle() {
    limit_ = settings_.evaluations;
    if (!result_.stopped) places_in_region(4 + 2 * d_);
    Maximum top = most_promising(0);
    if (evaluate(top.at)) {
      result_.evaluated = result_.values.back();
      fit();
      top.value = result_.surrogate.value(top.at);
      // Elsewhere only if it is better by more than the surrogate's ripples: along a flat ridge it would wander to an end.
      const Maximum other = most_promising(0);
      if (other.value > top.value + settings_.accuracy) top = other;
    }
    result_.at = top.at;
    result_.largest = top.value;
  }

  const Function& f_;
  const int d_;
  const ExploreSettings& settings_;
  double drop_, depth_ = 0;
  int limit_;      // of evaluations: the last one is kept to verify the maximum
  int best_ = -1;  // number of the best evaluation
  int fits_ = 0;
  Place lookout_;               // where the surrogate was highest when the region was walked through
  double doubt_ = 0;            // standard deviation of the surrogate in the region, by its own account
  std::vector<double> misses_;  // of the last batch, inside the region
  Exploration result_;
};

}  // namespace

double surrogate_depth(double region_drop) { return std::max(20.0, 5 * region_drop); }

Exploration explore(const Function& f, int dimensions, const ExploreSettings& settings) {
  assert(dimensions > 0 && settings.evaluations > 2 && settings.uniform);
  assert(settings.start.empty() || int(settings.start.size()) == dimensions);
  return Explorer(f, dimensions, settings).run();
}

}  // namespace aleator::core::inference
