// univariate-reduction: the response as a sum of functions of one variable each (Rahman & Xu 2004),
//   y(z) ≈ Σ_i y(μ, …, z_i, …, μ) − (N − 1) y(μ),
// through the mean μ of the standard variables. Moments are those of N one-dimensional Gauss rules: mean m = y(μ) + Σ (m_i − y(μ)),
// variance Σ V_i. With n points, Σ_k w_k y_i² − m_i² is the sum of the squared coefficients of the orthonormal polynomials of degrees 1 to
// n − 1 that pass through the points: so the sum is kept as an expansion without products, and bands, limits, scalars and Sobol indices
// come from that. What variables do together is not in it: realizations drawn beside it tell how much that is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/accuracy.hpp"
#include "analysis/chaos_statistics.hpp"
#include "base/constants.hpp"
#include "propagation/expansion.hpp"

namespace aleator::core {
namespace {

constexpr double doubtful = 0.05;  // of the variance that is missed: the standard deviation is wrong by half of it

class UnivariateReduction final : public Method {
 public:
  explicit UnivariateReduction(const Task& task) : task_(task), germ_(task.random) {
    const size_t d = size_t(germ_.size());
    const int n = task_.study.univariate.order;
    for (int v = 0; v < germ_.size(); ++v) {
      const GaussQuadrature& rule = germ_.rule(v, n);
      double mean = 0;
      for (size_t k = 0; k < rule.nodes.size(); ++k) mean += rule.weights[k] * rule.nodes[k];
      mean_.push_back(mean);
    }
    std::vector<std::vector<double>> table = {germ_.sample(mean_)};
    for (size_t v = 0; v < d; ++v) {
      const GaussQuadrature& rule = germ_.rule(int(v), n);
      for (const double z : rule.nodes) {
        if (is_mean(v, z)) {
          rows_.push_back(0);  // the middle of a rule with an odd number of points
          continue;
        }
        std::vector<double> at = mean_;
        at[v] = z;
        rows_.push_back(long(table.size()));
        table.push_back(germ_.sample(at));
      }
    }
    nodes_ = long(table.size());
    draw_checks();
    for (long k = 0; k < task_.study.univariate.checks; ++k) table.push_back(germ_.sample({&checks_[size_t(k) * d], d}));
    plan_ = plan_of(std::move(table));
  }

  const Plan& plan() const override { return plan_; }
  bool needs_responses() const override { return true; }
  bool samples_the_law() const override { return false; }
  bool extends() const override { return false; }

  void conclude(const analysis::StatisticsRequest& q, const analysis::Accumulator& rows,
                results::StudyResult& result) const override {
    refuse_failures(result);
    const analysis::Accumulator::Columns all = rows.all_columns();
    const Eigen::Map<const analysis::RowMatrix> y(all.data, plan_.samples, Eigen::Index(all.stride));
    const analysis::Expansion e = reduced(y);
    const Training beside = checks(y, result);
    const Evidence evidence = beside.size() > 1 ? evidence_of(task_, germ_, beside, e) : Evidence{};
    const double missing = double(result.statistics.missing);
    result.statistics = statistics_of(e, task_, germ_, q, evidence);
    result.statistics.missing = long(missing);
    put_errors(evidence.judges, q, result.statistics);
    result.chaos = as_result(e, task_, germ_, q);
    tell(e, beside, q, result);
  }

 private:
  bool is_mean(size_t v, double z) const { return std::abs(z - mean_[v]) < 1e-9; }

  // Realizations of the random law: a Latin hypercube, in which every variable is everywhere.
  void draw_checks() {
    DesignSettings design;
    design.name = "latin-hypercube";
    design.samples = task_.study.univariate.checks;
    design.seed = task_.study.seed;
    design.shared_variables = true;
    const Plan plan = make_plan(design, task_.random);
    for (long k = 0; k < design.samples; ++k) {
      const std::vector<double> places = places_of(task_.random, plan, design.seed, k);
      for (int v = 0; v < germ_.size(); ++v) checks_.push_back(germ_.standard(v, places[size_t(v)]));
    }
  }

  void refuse_failures(const results::StudyResult& result) const {
    const long failed = std::count_if(result.failures.begin(), result.failures.end(),
                                      [&](const results::Failure& f) { return f.realization < nodes_; });
    if (failed > 0)
      throw NotPossible(
          fmt::format("a reduction needs all of its {} realizations on the axes of the random variables, and {} "
                      "failed; sampling tolerates failures",
                      nodes_, failed));
  }

  // Coefficients of degree j of variable v: Σ_k w_k y(z_k) p_j(z_k).
  analysis::Expansion reduced(const Eigen::Map<const analysis::RowMatrix>& y) const {
    const int d = germ_.size(), n = task_.study.univariate.order;
    analysis::Expansion e;
    e.basis.families = families_of(germ_, n - 1);
    e.basis.terms = 1 + d * (n - 1);
    e.basis.degrees.assign(size_t(e.basis.terms) * size_t(d), 0);
    e.coefficients = analysis::RowMatrix::Zero(e.basis.terms, y.cols());
    e.coefficients.row(0) = y.row(0);
    std::vector<double> p(static_cast<size_t>(n));
    for (int v = 0; v < d; ++v) {
      const GaussQuadrature& rule = germ_.rule(v, n);
      for (int k = 0; k < n; ++k) {
        const auto change = y.row(rows_[size_t(v * n + k)]) - y.row(0);
        e.basis.families[size_t(v)].evaluate(rule.nodes[size_t(k)], p);
        e.coefficients.row(0) += rule.weights[size_t(k)] * change;
        for (int j = 1; j < n; ++j) e.coefficients.row(term(j, v)) += rule.weights[size_t(k)] * p[size_t(j)] * change;
      }
      for (int j = 1; j < n; ++j) e.basis.degrees[size_t(term(j, v)) * size_t(d) + size_t(v)] = j;
    }
    e.loo.assign(size_t(y.cols()), nan);
    e.scattered = e.loo;
    e.points = nodes_;
    e.how = fmt::format("univariate reduction, {} Gauss points in each of {} variables", n, d);
    return e;
  }
  // By degree, then by variable: the order of ChaosBasis.
  Eigen::Index term(int degree, int variable) const { return 1 + Eigen::Index(degree - 1) * germ_.size() + variable; }

  Training checks(const Eigen::Map<const analysis::RowMatrix>& y, const results::StudyResult& result) const {
    Training t;
    std::vector<Eigen::Index> good;
    const size_t d = size_t(germ_.size());
    for (long k = nodes_; k < plan_.samples; ++k) {
      if (!result.ok[size_t(k)]) continue;
      good.push_back(k);
      const auto z = checks_.begin() + long(size_t(k - nodes_) * d);
      t.points.insert(t.points.end(), z, z + long(d));
    }
    t.responses = y(good, Eigen::all);
    return t;
  }

  // With the mean square D² of what it misses at n realizations: were that independent of the rest, the variance would be V + D². Unlike
  // relative errors this holds, too, where all of the scatter is due to variables together, and V is 0.
  static void put_errors(const analysis::Judges& judges, const analysis::StatisticsRequest& q, results::StudyStatistics& s) {
    if (judges.n < 2) return;
    const size_t nc = q.channels.size(), outputs = nc * q.times.size();
    std::vector<double> square(outputs), model(outputs);
    for (size_t k = 0; k < judges.model.size(); ++k) {
      square[k % outputs] += std::pow(judges.model[k] - judges.expansion[k], 2) / double(judges.n);
      model[k % outputs] = std::max(model[k % outputs], std::abs(judges.model[k]));
    }
    std::vector<char> differs(nc);
    for (size_t i = 0; i < outputs; ++i) {
      results::ChannelStatistics& c = s.channels[i % nc];
      const double std = c.std[i / nc], of_few = std::sqrt(square[i] / double(judges.n));
      c.mean_error[i / nc] = of_few;
      c.std_error[i / nc] = std::hypot(std::sqrt(std * std + square[i]) - std, of_few);
      differs[i % nc] |= std::sqrt(square[i]) > analysis::round_off * model[i];
    }
    analysis::settle(q.times, q.units, s);
    for (size_t c = 0; c < nc; ++c) s.channels[c].varies = s.channels[c].varies || differs[c];
  }

  void tell(const analysis::Expansion& e, const Training& beside, const analysis::StatisticsRequest& q,
            results::StudyResult& result) const {
    const size_t nc = q.channels.size();
    result.evidence.push_back(fmt::format(
        "{}: {} realizations; mean and standard deviation are those of a sum of functions of one variable each; band, "
        "limits and scalars are those of that sum, evaluated {} times{}",
        e.how, nodes_, task_.study.chaos.evaluations, beside.size() > 1 ? " and corrected by those that check it" : ""));
    if (beside.size() < 2)
      return result.evidence.push_back(
          "  no errors are stated: nothing tells what the variables do together; `univariate: {checks: 20}` does");
    const std::vector<double> missed = held_out_error(e, beside.points, beside.responses, q.times, int(nc)).integrated;
    result.evidence.push_back(fmt::format("  variance that it misses, at {} realizations beside it:", beside.size()));
    for (size_t c = 0; c < nc; ++c) {
      if (!result.statistics.channels[c].varies || std::isnan(missed[c])) {
        result.evidence.push_back(fmt::format("  {}: does not vary", q.channels[c]));
        continue;
      }
      result.evidence.push_back(
          fmt::format("  {}: {:.2g} %{}", q.channels[c], 100 * missed[c],
                      missed[c] > doubtful
                          ? ": do not trust it: variables act together, or more points are needed (`univariate: {order: 9}`); "
                            "polynomial-chaos and sampling know both"
                          : ""));
    }
  }

  Task task_;
  Germ germ_;
  std::vector<double> mean_;    // of z
  std::vector<long> rows_;      // [variables][points] of the plan
  long nodes_ = 0;              // rows of the reduction; those that check it follow
  std::vector<double> checks_;  // [checks][variables] of z
  Plan plan_;
};

}  // namespace

extern const MethodKind univariate_reduction_method;
constinit const MethodKind univariate_reduction_method = {
    .name = "univariate-reduction",
    .make = [](const Task& task) -> std::unique_ptr<Method> { return std::make_unique<UnivariateReduction>(task); },
    .design = [](const Study&) -> std::string { return "latin-hypercube"; },
    .sensitivity = MethodKind::Sensitivity::always,
    .to_accuracy = false,
    .shared_variables = true,
};

}  // namespace aleator::core
