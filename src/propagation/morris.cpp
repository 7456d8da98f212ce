// morris: which quantities matter at all, from trajectories that change one variable at a time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/screening.hpp"
#include "base/constants.hpp"
#include "base/rounded.hpp"
#include "base/text_table.hpp"
#include "design/morris.hpp"
#include "propagation/method.hpp"

namespace aleator::core {
namespace {

class Morris final : public Method {
 public:
  explicit Morris(const Task& task) : task_(task) {
    const RandomModel& random = task_.random;
    for (const Variable& v : random.variables()) names_.push_back(v.name);
    // A block without variables of its own is one: it is drawn in one of two ways in a trajectory.
    for (const std::string& block : random.unmapped()) names_.push_back(block);
    design_ = {int(names_.size()), task_.study.screening.levels, task_.study.screening.trajectories, task_.study.seed};
    std::vector<std::vector<double>> table;
    for (long row = 0; row < design_.rows(); ++row) table.push_back(sample_at(row));
    plan_ = plan_of(std::move(table));
  }

  const Plan& plan() const override { return plan_; }
  bool needs_responses() const override { return true; }
  bool samples_the_law() const override { return false; }
  bool extends() const override { return false; }

  void conclude(const analysis::StatisticsRequest& q, const analysis::Accumulator& rows,
                results::StudyResult& result) const override {
    analysis::ScreeningEstimator estimator(names_, q.times, int(q.channels.size()));
    for (long row = 0; row < design_.rows(); ++row)
      estimator.add(design_.changed(row), design_.step(row), result.ok[size_t(row)] != 0, rows.response(row));
    result.screening = estimator.finish();
    const results::StudyStatistics of_rows = rows.moments();
    for (size_t c = 0; c < q.channels.size(); ++c)
      for (results::Screening::OfVariable& x : result.screening.of[c])
        if (!of_rows.channels[c].varies) x.integrated_mu_star = {nan, nan}, x.integrated_sigma = nan;
    tell(q, result);
  }

 private:
  std::vector<double> sample_at(long row) const {
    const RandomModel& random = task_.random;
    const std::vector<double> u = design_.point(row);
    std::vector<int> copies(random.groups().size(), 0);
    for (size_t b = 0; b < random.unmapped().size(); ++b)
      for (const Quantity& q : random.quantities())
        if (q.name == random.unmapped()[b]) copies[size_t(q.group)] = u[random.variables().size() + b] < 0.5 ? 0 : 1;
    const long trajectory = row / (design_.variables + 1);
    return random.sample(task_.study.seed, std::uint64_t(trajectory), copies,
                         [&](int variable, int, double) { return Place{u[size_t(variable)]}; });
  }

  void tell(const analysis::StatisticsRequest& q, results::StudyResult& result) const {
    result.evidence.push_back(
        fmt::format("morris: elementary effects of {} trajectories, integrated over time, relative to the scatter between them; "
                    "interactions: "
                    "curvature and interactions with other variables",
                    design_.trajectories));
    TextTable table(2);
    table.row({"output", "variable", "effect", "interactions"});
    for (size_t c = 0; c < q.channels.size(); ++c) {
      const auto& of = result.screening.of[c];
      std::vector<size_t> order(of.size());
      std::iota(order.begin(), order.end(), size_t(0));
      const auto size = [&](size_t v) {
        return std::isnan(of[v].integrated_mu_star.value) ? -1 : of[v].integrated_mu_star.value;
      };
      std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return size(a) > size(b); });
      if (!order.empty() && size(order[0]) < 0) {
        table.row({q.channels[c], "does not vary"});
        continue;
      }
      for (const size_t v : order) {
        const auto& x = of[v];
        table.row({v == order[0] ? q.channels[c] : "", names_[v],
                   with_error(x.integrated_mu_star.value, x.integrated_mu_star.error),
                   fmt::format("{:.2g}", x.integrated_sigma)});
      }
    }
    for (const std::string& line : table.lines(page_width - 2)) result.evidence.push_back("  " + line);
  }

  Task task_;
  std::vector<std::string> names_;
  MorrisDesign design_;
  Plan plan_;
};

}  // namespace

extern const MethodKind morris_method;
constinit const MethodKind morris_method = {
    .name = "morris",
    .make = [](const Task& task) -> std::unique_ptr<Method> { return std::make_unique<Morris>(task); },
    .design = [](const Study&) -> std::string { return "monte-carlo"; },
    .to_accuracy = false,
};

}  // namespace aleator::core
