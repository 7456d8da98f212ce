// first-order: linearised about the mean of what is random. The cheapest answer: two realizations per random number.
#include <fmt/format.h>

#include <cmath>

#include "analysis/accuracy.hpp"
#include "analysis/first_order.hpp"
#include "design/germ.hpp"
#include "propagation/method.hpp"
#include "uncertainty/distribution_module.hpp"

namespace aleator::core {
namespace {

constexpr long drawn = 16384;    // samples that mean and covariance of blocks come from; nothing is simulated
constexpr double step = 0.05;    // of differences, in standard deviations: truncation 4e-4 of the third derivative's part
constexpr double curved = 0.25;  // a shift of the mean by curvature, in standard deviations, worth a warning

class FirstOrder final : public Method {
 public:
  explicit FirstOrder(const Task& task) : task_(task) {
    refuse_processes(task.random, "a linearisation");
    find_moments();
    std::vector<std::vector<double>> table = {mean_};
    for (size_t j = 0; j < mean_.size(); ++j) {
      steps_.push_back(possible_step(j, step * std::sqrt(variance(j))));
      for (const double sign : {1.0, -1.0}) table.push_back(moved(j, sign * steps_[j]));
    }
    plan_ = plan_of(std::move(table));
  }

  const Plan& plan() const override { return plan_; }
  bool needs_responses() const override { return true; }
  bool samples_the_law() const override { return false; }
  bool extends() const override { return false; }

  void conclude(const analysis::StatisticsRequest& q, const analysis::Accumulator& rows,
                results::StudyResult& result) const override {
    if (!result.failures.empty())
      throw NotPossible(
          fmt::format("a linearisation needs all of its {} realizations, and {} failed", plan_.samples, result.failures.size()));
    std::vector<double> variances;
    for (size_t j = 0; j < mean_.size(); ++j) variances.push_back(variance(j));
    const analysis::Accumulator::Columns all = rows.all_columns();
    const analysis::Linearisation linear = analysis::linearise({all.data, size_t(plan_.samples) * all.stride}, steps_, variances);
    const double quantile = distribution_module().normal_quantile((1 + q.confidence) / 2);
    std::vector<int> group_of;
    for (const Quantity& x : task_.random.quantities()) group_of.insert(group_of.end(), x.columns.size(), x.group);
    result.statistics = first_order_statistics(linear, covariance_, group_of, task_.random.groups(), q.times, q.nominal,
                                               int(q.channels.size()), q.confidence, quantile);
    result.statistics.realizations = plan_.samples;
    analysis::settle(q.times, q.units, result.statistics);
    tell(linear, q, result);
  }

 private:
  double variance(size_t j) const { return covariance_[j * mean_.size() + j]; }

  // The inertia of a body scales with its mass: causes that are independent of each other are the mass, and the inertia of a
  // body of mean mass. So moving a mass moves the inertia along.
  const Quantity* inertia_beside(const Quantity& mass) const {
    for (const Quantity& q : task_.random.quantities())
      if (mass.is_mass() && q.inertia && q.body == mass.body) return &q;
    return nullptr;
  }

  void find_moments() {
    const RandomModel& random = task_.random;
    const size_t n = random.columns().size();
    Study study = task_.study;
    study.method = int(random.variables().size()) <= distribution_module().most_dimensions("sobol") ? "sobol" : "monte-carlo";
    study.samples = drawn;
    study.replicates = 1;
    study.sensitivity = false;
    const Plan plan = sampling_plan(study, random);
    std::vector<std::vector<double>> samples;
    for (long k = 0; k < drawn; ++k) samples.push_back(sample_of(random, plan, study.seed, k));
    mean_.assign(n, 0);
    for (const auto& x : samples)
      for (size_t j = 0; j < n; ++j) mean_[j] += x[j] / double(drawn);
    for (const Quantity& q : random.quantities())
      if (const Quantity* inertia = inertia_beside(q)) {
        const size_t first = size_t(inertia->first_column);
        std::vector<double> mean(inertia->columns.size());
        for (auto& x : samples)
          for (size_t i = 0; i < mean.size(); ++i) {
            x[first + i] *= mean_[size_t(q.first_column)] / x[size_t(q.first_column)];
            mean[i] += x[first + i] / double(drawn);
          }
        std::copy(mean.begin(), mean.end(), mean_.begin() + long(first));
      }
    covariance_.assign(n * n, 0);
    for (const auto& x : samples)
      for (size_t a = 0; a < n; ++a)
        for (size_t b = 0; b < n; ++b) covariance_[a * n + b] += (x[a] - mean_[a]) * (x[b] - mean_[b]) / double(drawn);
  }

  std::vector<double> moved(size_t j, double by) const {
    std::vector<double> x = mean_;
    x[j] += by;
    for (const Quantity& q : task_.random.quantities())
      if (size_t(q.first_column) == j)
        if (const Quantity* inertia = inertia_beside(q))
          for (size_t i = 0; i < inertia->columns.size(); ++i) x[size_t(inertia->first_column) + i] *= x[j] / mean_[j];
    return x;
  }

  // Not every tensor is the inertia of a body: where both sides make a mechanism.
  double possible_step(size_t j, double by) const {
    for (int attempt = 0; attempt < 4; ++attempt, by /= 10) {
      try {
        for (const double sign : {1.0, -1.0}) realize(task_.model, task_.random.overrides(moved(j, sign * by)));
        return by;
      } catch (const input::InputError&) {
        continue;
      }
    }
    return by;  // the realization will say what is wrong
  }

  static void tell(const analysis::Linearisation& linear, const analysis::StatisticsRequest& q, results::StudyResult& result) {
    result.evidence.push_back(
        "first order: the response is linearised about the mean; the band is that of a normal distribution; the only "
        "error estimate is the curvature:");
    const size_t nc = q.channels.size();
    for (size_t c = 0; c < nc; ++c) {
      if (!result.statistics.channels[c].varies) {
        result.evidence.push_back(fmt::format("  {}: does not vary", q.channels[c]));
        continue;
      }
      double shift = 0, scatter = 0;
      for (size_t t = 0; t < q.times.size(); ++t) {
        shift = std::max(shift, std::abs(linear.shift[t * nc + c]));
        scatter = std::max(scatter, result.statistics.channels[c].std[t]);
      }
      const double ratio = scatter > 0 ? shift / scatter : 0;
      result.evidence.push_back(fmt::format("  {}: curvature would shift the mean by {:.2g} of the standard deviation{}",
                                            q.channels[c], ratio, ratio > curved ? ": do not trust it" : ""));
    }
  }

  Task task_;
  Plan plan_;
  std::vector<double> mean_, covariance_, steps_;
};

}  // namespace

extern const MethodKind first_order_method;
constinit const MethodKind first_order_method = {
    .name = "first-order",
    .make = [](const Task& task) -> std::unique_ptr<Method> { return std::make_unique<FirstOrder>(task); },
    .design = [](const Study&) -> std::string { return "monte-carlo"; },
    .sensitivity = MethodKind::Sensitivity::always,
    .to_accuracy = false,
};

}  // namespace aleator::core
