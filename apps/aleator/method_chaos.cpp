// polynomial-chaos: the response as a polynomial of the random variables.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "analysis/accuracy.hpp"
#include "analysis/chaos_statistics.hpp"
#include "chaos.hpp"
#include "design/quadrature.hpp"

namespace aleator::app {
namespace {

constexpr double most_points = 1e6;

class Chaos final : public Method {
 public:
  explicit Chaos(const Task& task) : task_(task), germ_(task.random) {
    if (task_.study.chaos.by_quadrature())
      place_quadrature();
    else
      plan_ = make_plan(task_.study, task_.random);
  }

  const Plan& plan() const override { return plan_; }
  bool needs_responses() const override { return true; }
  bool samples_the_law() const override { return !task_.study.chaos.by_quadrature(); }
  bool extends() const override { return !task_.study.chaos.by_quadrature(); }

  // A quadrature needs all of its points, whatever accuracy is asked for.
  long first_rows() const override { return grows() ? std::min(first_look, plan_.rows()) : plan_.rows(); }
  long enough(long done, const analysis::Accumulator& so_far, results::StudyResult& result) override {
    if (!grows() || done >= plan_.rows()) return done;
    return error_of(so_far, result) <= task_.study.accuracy ? done : std::min(2 * done, plan_.rows());
  }

  void conclude(const analysis::Questions& questions, const analysis::Accumulator& rows,
                results::StudyResult& result) const override {
    const analysis::Expansion e = task_.study.chaos.by_quadrature() ? projected(rows, result) : fitted(questions, rows, result);
    const results::Convergence convergence = result.statistics.convergence;
    result.statistics = statistics_of(e, task_, germ_, questions);
    if (samples_the_law()) result.statistics.convergence = convergence;
    result.chaos = as_result(e, task_, germ_, questions);
    tell(e, questions, result);
    if (task_.study.accuracy > 0 && task_.study.chaos.by_quadrature())
      result.evidence.push_back(
          "  whether the accuracy is reached is not known: a quadrature does not estimate its error; compare with a higher "
          "order, "
          "or use `coefficients: sparse`");
  }

 private:
  bool grows() const { return task_.study.accuracy > 0 && !task_.study.chaos.by_quadrature(); }

  // Of the standard deviation, the largest of the three, of any output; infinite while there are too few realizations for a fit.
  double error_of(const analysis::Accumulator& so_far, const results::StudyResult& result) const {
    const analysis::Questions& q = so_far.questions();
    try {
      const analysis::FitError error = leave_one_out_error(fitted(q, so_far, result), q.times, int(q.channels.size()));
      double worst = 0;
      for (const double x : error.integrated)
        if (!std::isnan(x)) worst = std::max(worst, x / 2);
      return worst;
    } catch (const NotPossible&) {
      return std::numeric_limits<double>::infinity();
    }
  }

  void place_quadrature() {
    const ChaosSettings& s = task_.study.chaos;
    const int d = germ_.size();
    const bool tensor = s.coefficients == "quadrature";
    const double points = tensor ? tensor_quadrature_size(d, s.order + 1) : smolyak_quadrature_size(d, s.order);
    if (points > most_points)
      throw std::invalid_argument(fmt::format("{} of order {} in {} variables takes {:.3g} realizations; {}", s.coefficients,
                                              s.order, d, points,
                                              tensor ? "use `coefficients: sparse-quadrature` or `sparse`, or a smaller order"
                                                     : "use `coefficients: sparse`, or a smaller order"));
    const GaussRule rule = [&](int variable, int n) -> const GaussQuadrature& { return germ_.rule(variable, n); };
    quadrature_ = tensor ? tensor_quadrature(d, s.order + 1, rule) : smolyak_quadrature(d, s.order, rule);
    std::vector<std::vector<double>> table;
    for (long k = 0; k < quadrature_.size(); ++k)
      table.push_back(germ_.sample({&quadrature_.points[size_t(k) * size_t(d)], size_t(d)}));
    plan_.samples = quadrature_.size();
    plan_.table = std::make_shared<const std::vector<std::vector<double>>>(std::move(table));
  }

  analysis::Expansion projected(const analysis::Accumulator& rows, const results::StudyResult& result) const {
    if (!result.failures.empty())
      throw NotPossible(
          fmt::format("a quadrature needs all of its {} realizations, and {} failed; `coefficients: sparse` or "
                      "`least-squares` can do without some",
                      plan_.samples, result.failures.size()));
    const ChaosSettings& s = task_.study.chaos;
    const analysis::Truncation truncation = truncation_of(s, germ_.size(), plan_.samples);
    const analysis::ChaosBasis basis = make_basis(families_of(germ_, s.order), truncation);
    const std::vector<double>& all = rows.responses();
    const Eigen::Map<const analysis::RowMatrix> y(all.data(), plan_.samples, Eigen::Index(all.size()) / plan_.samples);
    return project(basis, quadrature_.points, quadrature_.weights, y);
  }

  analysis::Expansion fitted(const analysis::Questions& questions, const analysis::Accumulator& rows,
                             const results::StudyResult& result) const {
    return app::fit(task_.study.chaos, germ_, training_of(task_, germ_, plan_, rows, result), int(questions.channels.size()));
  }

  static void tell(const analysis::Expansion& e, const analysis::Questions& questions, results::StudyResult& result) {
    result.evidence.push_back(fmt::format("expansion: {}", e.how));
    for (size_t c = 0; c < questions.channels.size(); ++c) {
      std::string words;
      for (const double share : result.chaos.decay[c]) words += fmt::format(" {:.1e}", share);
      const double loo = result.chaos.loo[c];
      result.evidence.push_back(
          fmt::format("  {}: {}variance by degree{}", questions.channels[c],
                      std::isnan(loo) ? "" : fmt::format("leave-one-out error {:.2g} of the variance, ", loo), words));
    }
  }

  Task task_;
  Germ germ_;
  Plan plan_;
  Quadrature quadrature_;
};

}  // namespace

std::unique_ptr<Method> make_chaos(const Task& task) { return std::make_unique<Chaos>(task); }

}  // namespace aleator::app
