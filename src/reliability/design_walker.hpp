// One search for a design point, as a sequence of batches: points() are to be simulated, take() gets what they gave.
#pragma once

#include <optional>
#include <vector>

#include "numerics/dense.hpp"
#include "reliability/design_point.hpp"

namespace aleator::core::reliability {

// Pushes the limit away from a point that is known: e − s (r² − |u − centre|²)² within r.
struct Bulge {
  std::vector<double> centre;
  double radius = 0, strength = 0;
  double at(const std::vector<double>& u) const;
};
Bulge bulge_on(const DesignPoint& point);

class DesignWalker {
 public:
  DesignWalker(std::size_t limit, std::vector<double> start, std::vector<Bulge> bulges, int iterations, std::uint64_t seed);

  bool deformed() const { return !bulges_.empty(); }
  bool done() const { return phase_ == Phase::done; }
  std::vector<Point> points() const;
  void take(const std::vector<Response>& responses);

  const DesignPoint& result() const { return found_; }
  DesignSearch::End end() const { return end_; }
  std::optional<double> at_start() const { return at_start_; }  // excess
  static constexpr double reach = 10;

 private:
  enum class Phase { gradient, line, probe, done };
  std::optional<double> value(const std::vector<double>& u, const Response& r) const;
  void take_gradient(const std::vector<Response>& responses);
  void take_line(const std::vector<Response>& responses);
  void take_probe(const std::vector<Response>& responses);
  void step();
  void give_up();
  void learn_curvature();
  void choose_direction();
  void stop(DesignSearch::End end, bool converged);
  std::vector<std::vector<double>> candidates() const;
  std::vector<std::vector<double>> probes() const;

  std::size_t limit_;
  std::vector<Bulge> bulges_;
  int left_;  // iterations
  std::uint64_t seed_;
  Phase phase_ = Phase::gradient;
  bool central_ = false, probed_ = false, small_steps_ = false;
  bool safe_seen_ = false, failure_seen_ = false, at_limit_ = false, settled_ = false;
  std::vector<double> u_, gradient_, direction_;
  std::vector<double> last_u_, last_gradient_;  // where the last step began
  dense::MatrixXd hessian_;                     // of ½|u|² − μ e, by BFGS updates
  double e_ = 0, slope_ = 0, penalty_ = 0, multiplier_ = 0;
  std::optional<double> at_start_;
  DesignPoint found_;
  DesignSearch::End end_ = DesignSearch::End::far;
};

}  // namespace aleator::core::reliability
