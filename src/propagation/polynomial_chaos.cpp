// polynomial-chaos: the response as a polynomial of the random variables.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "analysis/chaos_statistics.hpp"
#include "analysis/time_integral.hpp"
#include "propagation/expansion.hpp"
#include "propagation/quadrature_ladder.hpp"
#include "results/evidence.hpp"

namespace aleator::core {
namespace {

constexpr double most_points = 1e6;

class Chaos final : public Method {
 public:
  explicit Chaos(const Task& task) : task_(task), germ_(task.random) {
    decide();
    if (task_.study.chaos.by_quadrature())
      place_quadrature();
    else
      plan_ = sampling_plan(task_.study, task_.random);
  }

  const Plan& plan() const override { return plan_; }
  bool needs_responses() const override { return true; }
  bool samples_the_law() const override { return !task_.study.chaos.by_quadrature(); }
  bool extends() const override { return !task_.study.chaos.by_quadrature(); }

  // A quadrature needs all of its points, whatever accuracy is asked for.
  long first_rows() override { return grows() ? std::min(first_look, plan_.rows()) : plan_.rows(); }
  long enough(long done, const analysis::Accumulator& so_far, results::StudyResult& result) override {
    const long most = std::min(plan_.rows(), limit_);
    if (!grows() || done >= most) return done;
    return is_accurate(so_far, result) ? done : std::min(2 * done, most);
  }
  void limit(long rows) override { limit_ = rows; }

  void conclude(const analysis::StatisticsRequest& questions, const analysis::Accumulator& rows,
                results::StudyResult& result) const override {
    const bool by_quadrature = task_.study.chaos.by_quadrature();
    Fitted f = by_quadrature ? Fitted{projected(rows, result), {}} : fitted(questions, rows, result);
    const analysis::Expansion& e = f.expansion;
    const results::StudyStatistics of_rows = result.statistics;
    result.statistics = statistics_of(e, task_, germ_, questions, f.evidence);
    result.statistics.missing = of_rows.missing;
    if (samples_the_law()) result.statistics.convergence = of_rows.convergence;
    result.chaos = as_result(e, task_, germ_, questions);
    tell(e, questions, result);
    take_sampled_scalars({of_rows.scalars, of_rows.limits}, result);
    if (samples_the_law()) compare_scatter(of_rows, questions, result);
    if (task_.study.accuracy > 0 && task_.study.chaos.by_quadrature())
      result.evidence.push_back(
          "  whether the accuracy is reached is not known: a quadrature does not estimate its error; compare with a higher "
          "order, or use `coefficients: sparse`");
  }

 private:
  // What the user left open.
  void decide() {
    ChaosSettings& s = task_.study.chaos;
    if (s.coefficients.empty()) s.coefficients = germ_.size() <= 3 && !(task_.study.accuracy > 0) ? "quadrature" : "sparse";
    if (!s.by_quadrature()) return;
    if (s.basis.empty()) s.basis = s.coefficients == "quadrature" ? "tensor" : "total-degree";
    if (s.order == 0)
      for (s.order = 1; s.order < 30 && points_of(s.order + 1) <= double(task_.study.samples);) ++s.order;
    if (points_of(s.order) > most_points)
      throw std::invalid_argument(
          fmt::format("{} of order {} in {} variables takes {:.3g} realizations; use `coefficients: {}sparse`, "
                      "or a smaller order",
                      s.coefficients, s.order, germ_.size(), points_of(s.order),
                      s.coefficients == "quadrature" ? "sparse-quadrature` or `" : ""));
  }
  double points_of(int order) const { return GermQuadrature::size(germ_, task_.study.chaos.coefficients == "quadrature", order); }

  bool grows() const { return task_.study.accuracy > 0 && !task_.study.chaos.by_quadrature(); }

  // A fit, and what tells its errors.
  struct Fitted {
    analysis::Expansion expansion;
    Evidence evidence;
  };
  Fitted fitted(const analysis::StatisticsRequest& q, const analysis::Accumulator& rows,
                const results::StudyResult& result) const {
    const int nc = int(q.channels.size());
    const Training training = training_of(task_, germ_, plan_, rows, result);
    ChaosSettings settings = task_.study.chaos;
    if (settings.coefficients == "sparse" && settings.basis.empty()) settings.basis = better_basis(settings, germ_, training, nc);
    Fitted f{core::fit(settings, germ_, training, nc), {}};
    f.evidence = evidence_of(task_, germ_, training, f.expansion, validate(settings, germ_, training, nc));
    return f;
  }

  bool is_accurate(const analysis::Accumulator& so_far, const results::StudyResult& result) const {
    try {
      const Fitted f = fitted(so_far.questions(), so_far, result);
      return reached(task_.study, accuracy_goals(task_.study, task_.model),
                     moments_of(f.expansion, f.evidence, so_far.questions()))
          .enough;
    } catch (const NotPossible&) {  // too few realizations for a fit
      return false;
    }
  }

  void place_quadrature() {
    const ChaosSettings& s = task_.study.chaos;
    quadrature_ = GermQuadrature::make(germ_, s.coefficients == "quadrature", s.order);
    plan_ = plan_of(quadrature_.samples(germ_));
  }

  analysis::Expansion projected(const analysis::Accumulator& rows, const results::StudyResult& result) const {
    if (!result.failures.empty())
      throw NotPossible(
          fmt::format("a quadrature needs all of its {} realizations, and {} failed; `coefficients: sparse` or "
                      "`least-squares` tolerate failures",
                      plan_.samples, result.failures.size()));
    const analysis::Accumulator::Columns all = rows.all_columns();
    const Eigen::Map<const analysis::RowMatrix> y(all.data, plan_.samples, Eigen::Index(all.stride));
    return quadrature_.expansion(germ_, truncation_of(task_.study.chaos, germ_.size(), plan_.samples), y);
  }

  // Where no realization is, above all in the tails of unbounded laws, a fit may be anything, and its standard deviation with it;
  // leaving out realizations does not show that. The realizations' own standard deviation does.
  static void compare_scatter(const results::StudyStatistics& of_rows, const analysis::StatisticsRequest& q,
                              results::StudyResult& result) {
    const std::vector<double> w = analysis::trapezoidal_weights(q.times);
    for (size_t c = 0; c < q.channels.size(); ++c) {
      const std::vector<double>&own = result.statistics.channels[c].std, &sampled = of_rows.channels[c].std;
      double difference = 0, size = 0;
      for (size_t t = 0; t < w.size(); ++t) difference += w[t] * std::abs(own[t] - sampled[t]), size += w[t] * sampled[t];
      if (!result.statistics.channels[c].varies) continue;
      if (result.chaos.loo[c] > 0.01 && difference > std::max(0.02, 3 * of_rows.channels[c].accuracy.std) * size)
        result.evidence.push_back(
            fmt::format("  {}: its standard deviation differs from that of its own realizations by {:.2g} %: do "
                        "not trust it; use a quadrature or sampling",
                        q.channels[c], 100 * difference / size));
    }
  }

  static void tell(const analysis::Expansion& e, const analysis::StatisticsRequest& questions, results::StudyResult& result) {
    std::vector<char> varies;
    for (size_t c = 0; c < questions.channels.size(); ++c)
      varies.push_back(result.statistics.channels[c].varies && !result.chaos.decay[c].empty() &&
                       !std::isnan(result.chaos.decay[c][0]));
    result.evidence.push_back(
        fmt::format("polynomial chaos: {}", analysis::expansion_summary(result.chaos, questions.channels, varies)));
    result.evidence.push_back(fmt::format("  {}", e.how));
    for (size_t c = 0; c < questions.channels.size(); ++c) {  // details
      std::string words;
      for (const double share : result.chaos.decay[c]) words += fmt::format(" {:.1e}", share);
      result.evidence.push_back(varies[c]
                                    ? fmt::format("{}{}: {}; variance by degree{}", results::detail_mark, questions.channels[c],
                                                  analysis::expansion_verdict(result.chaos, c), words)
                                    : fmt::format("{}{}: does not vary", results::detail_mark, questions.channels[c]));
    }
    if (e.left_out.rows() == 0)
      result.evidence.push_back(
          "  no standard errors are stated: a quadrature does not estimate its error; compare two orders, or use auto");
  }

  Task task_;
  Germ germ_;
  Plan plan_;
  long limit_ = std::numeric_limits<long>::max();  // rows
  GermQuadrature quadrature_;
};

}  // namespace

extern const MethodKind polynomial_chaos_method;
constinit const MethodKind polynomial_chaos_method = {
    .name = "polynomial-chaos",
    .make = [](const Task& task) -> std::unique_ptr<Method> { return std::make_unique<Chaos>(task); },
    .design = [](const Study& s) -> std::string { return s.chaos.design; },
    .sensitivity = MethodKind::Sensitivity::always,
    .shared_variables = true,
};

}  // namespace aleator::core
