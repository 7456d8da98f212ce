#include "propagation/expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/accuracy.hpp"
#include "analysis/chaos_statistics.hpp"
#include "base/cancellation.hpp"
#include "design/low_discrepancy.hpp"
#include "numerics/dense.hpp"

namespace aleator::core {

using analysis::Expansion;
using analysis::Truncation;

namespace {

constexpr int most_degree = 30;
constexpr double most_candidates = 1000;  // among which a sparse fit chooses: its time grows with their number
constexpr long evaluated_at_once = 256;

}  // namespace

Training training_of(const Task& task, const Germ& germ, const Plan& plan, const analysis::Accumulator& rows,
                     const results::StudyResult& result, long most) {
  const std::vector<double>& all = rows.responses();
  const size_t outputs = result.done > 0 ? all.size() / size_t(result.done) : 0;
  Training t;
  std::vector<long> good;
  for (long k = 0; k < result.done && long(good.size()) < most; ++k)
    if (result.ok[size_t(k)]) good.push_back(k);
  t.responses.resize(Eigen::Index(good.size()), Eigen::Index(outputs));
  for (size_t i = 0; i < good.size(); ++i) {
    throw_if_cancelled();
    const std::vector<double> places = places_of(task.random, plan, task.study.seed, good[i]);
    for (int v = 0; v < germ.size(); ++v) t.points.push_back(germ.standard(v, places[size_t(v)]));
    std::copy_n(&all[size_t(good[i]) * outputs], outputs, t.responses.row(Eigen::Index(i)).data());
  }
  return t;
}

std::pair<Training, Training> split(const Training& all, long folds, long fold, int variables) {
  const auto chosen = [&](bool judged) {
    Training t;
    std::vector<Eigen::Index> rows;
    for (long k = 0; k < all.size(); ++k)
      if ((k % folds == fold) == judged) rows.push_back(k);
    for (const Eigen::Index k : rows)
      t.points.insert(t.points.end(), all.points.begin() + k * variables, all.points.begin() + (k + 1) * variables);
    t.responses = all.responses(rows, Eigen::all);
    return t;
  };
  return {chosen(false), chosen(true)};
}

Truncation truncation_of(const ChaosSettings& settings, int variables, long realizations) {
  // (empty: least squares, of total degree)
  const double q = settings.basis == "tensor" ? Truncation::tensor : settings.basis == "hyperbolic" ? settings.q : 1;
  if (settings.order > 0) return {settings.order, q};
  // Least squares want twice as many realizations as terms; a sparse fit chooses among more.
  const double most =
      settings.coefficients == "sparse" ? std::min(most_candidates, 2.0 * double(realizations)) : 0.5 * double(realizations);
  Truncation t{1, q};
  while (t.degree < most_degree && analysis::count_terms(variables, {t.degree + 1, q}) <= most) ++t.degree;
  return t;
}

std::vector<PolynomialFamily> families_of(const Germ& germ, int degree) {
  std::vector<PolynomialFamily> families;
  for (int v = 0; v < germ.size(); ++v) families.push_back(germ.family(v, degree));
  return families;
}

namespace {

// How much of the variance of an average output is missed by an expansion at points left out of the fit.
double missed(const Expansion& e) {
  double missing = 0, count = 0;
  for (size_t i = 0; i < e.loo.size(); ++i)
    if (!std::isnan(e.loo[i])) missing += std::min(1.0, e.loo[i]), ++count;
  return count > 0 ? missing / count : 0;
}

}  // namespace

namespace {

// Polynomials of high degree have much of their second moment where no realization is, above all those of unbounded variables:
// their coefficients would be anything. So the degree in each variable is limited such that ΨᵀΨ/n of it alone, which would be
// the identity with enough realizations, keeps its smallest eigenvalue above this.
constexpr double least_eigenvalue = 0.3;

int seen_degree(const PolynomialFamily& family, std::span<const double> points, size_t first, size_t stride) {
  const int most = int(family.recurrence.size());
  const size_t n = points.size() / stride;
  Eigen::MatrixXd psi(Eigen::Index(n), most + 1);
  std::vector<double> values(size_t(most) + 1);
  for (size_t k = 0; k < n; ++k) {
    family.evaluate(points[k * stride + first], values);
    psi.row(Eigen::Index(k)) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), most + 1);
  }
  const Eigen::MatrixXd gram = dense::transposed_times(psi, psi) / double(n);
  int degree = 1;
  while (degree < most) {
    if (dense::symmetric_eigenvalues(gram.topLeftCorner(degree + 2, degree + 2))[0] < least_eigenvalue) break;
    ++degree;
  }
  return degree;
}

analysis::ChaosBasis without_unseen(const analysis::ChaosBasis& basis, const Training& training) {
  const size_t d = basis.families.size();
  std::vector<int> most, kept;
  for (size_t v = 0; v < d; ++v) most.push_back(seen_degree(basis.families[v], training.points, v, d));
  for (int k = 0; k < basis.terms; ++k) {
    const std::span<const int> degrees = basis.degrees_of(k);
    bool seen = true;
    for (size_t v = 0; v < d; ++v) seen = seen && degrees[v] <= most[v];
    if (seen) kept.push_back(k);
  }
  return selected(basis, kept);
}

}  // namespace

std::string better_basis(const ChaosSettings& settings, const Germ& germ, const Training& training, int channels) {
  if (germ.size() == 1) return "total-degree";
  ChaosSettings few = settings, all = settings;
  few.basis = "hyperbolic", all.basis = "total-degree";
  return missed(fit(few, germ, training, channels)) < missed(fit(all, germ, training, channels)) ? few.basis : all.basis;
}

Expansion fit(const ChaosSettings& settings, const Germ& germ, const Training& training, int channels) {
  if (settings.coefficients == "sparse" && settings.basis.empty()) {
    ChaosSettings few = settings, all = settings;
    few.basis = "hyperbolic", all.basis = "total-degree";
    Expansion by_degree = fit(all, germ, training, channels);
    if (germ.size() == 1) return by_degree;
    Expansion by_few = fit(few, germ, training, channels);
    return missed(by_few) < missed(by_degree) ? by_few : by_degree;
  }
  const Truncation truncation = truncation_of(settings, germ.size(), training.size());
  if (const double terms = analysis::count_terms(germ.size(), truncation); terms > 10 * most_candidates)
    throw NotPossible(
        fmt::format("an expansion of order {} in {} variables has {:.3g} terms; a smaller order, or a smaller q of "
                    "the hyperbolic basis, has fewer",
                    truncation.degree, germ.size(), terms));
  analysis::ChaosBasis basis = make_basis(families_of(germ, truncation.degree), truncation);
  if (settings.order == 0) basis = without_unseen(basis, training);
  if (settings.coefficients != "sparse" && training.size() < basis.terms)
    throw NotPossible(
        fmt::format("least squares of order {} have {} terms and need more realizations than the {} that are there, "
                    "better twice as many as terms; `coefficients: sparse` makes do with fewer",
                    truncation.degree, basis.terms, training.size()));
  if (settings.coefficients == "sparse") return sparse_least_squares(basis, training.points, training.responses, channels);
  return least_squares(basis, training.points, training.responses);
}

namespace {

// Evaluates the expansion at points that follow the law.
void evaluate_into(const Expansion& expansion, const Task& task, const Germ& germ, analysis::Accumulator& statistics) {
  const long n = task.study.chaos.evaluations;
  const LowDiscrepancy design("sobol", task.study.seed, n, 1, keys_of(task.random), 1);
  std::vector<double> points, limits, levels;
  for (long first = 0; first < n; first += evaluated_at_once) {
    throw_if_cancelled();
    points.clear();
    const long end = std::min(first + evaluated_at_once, n);
    for (long k = first; k < end; ++k)
      for (int v = 0; v < germ.size(); ++v) points.push_back(germ.standard(v, design.at(v, 0, k, 0.5)));
    const analysis::RowMatrix y = evaluate(expansion, points);
    for (long k = first; k < end; ++k) {
      limits.clear(), levels.clear();
      if (task.derived) {
        const Derived own = task.derived(germ.sample({&points[size_t(k - first) * size_t(germ.size())], size_t(germ.size())}));
        for (const Limit& l : own.limits) limits.push_back(l.value);
        for (const DerivedScalar& x : own.scalars) levels.push_back(x.settings.level);
      }
      statistics.add(true, {y.row(k - first).data(), size_t(y.cols())}, limits, levels);
    }
  }
}

// What is not in the expansion is a share e of the variance. As if it were independent of what is: the mean is off by √(e V/n),
// the standard deviation by e σ/2, a quantile q by e |q − μ|/2. What does not scatter is known; of a projection e is not.
void estimate_errors(const Expansion& expansion, size_t output, size_t t, results::ChannelStatistics& s) {
  const double e = expansion.scattered[output] == 0 ? 0 : expansion.loo[output], n = double(expansion.points);
  s.mean_error[t] = s.std[t] * std::sqrt(e / n);
  s.std_error[t] = s.std[t] * e / 2;
  s.lower_error[t] = std::hypot(s.mean_error[t], e / 2 * (s.lower[t] - s.mean[t]), s.lower_error[t]);
  s.upper_error[t] = std::hypot(s.mean_error[t], e / 2 * (s.upper[t] - s.mean[t]), s.upper_error[t]);
}

}  // namespace

results::StudyStatistics statistics_of(const Expansion& expansion, const Task& task, const Germ& germ,
                                       analysis::StatisticsRequest questions) {
  const std::vector<double> times = questions.times;
  const size_t nc = questions.channels.size();
  questions.groups.clear();
  questions.replicates = 1;
  questions.samples = task.study.chaos.evaluations;
  questions.keep_all = double(questions.samples) * double(times.size() * nc) < 1e8;
  analysis::Accumulator evaluated(questions);
  evaluate_into(expansion, task, germ, evaluated);
  results::StudyStatistics s = evaluated.finish();
  for (results::ScalarStatistics& x : s.scalars) x.values.clear();  // of no realizations
  const std::vector<double> mean = analysis::mean(expansion), variance = analysis::variance(expansion);
  for (size_t t = 0; t < times.size(); ++t)
    for (size_t c = 0; c < nc; ++c) {
      const size_t output = t * nc + c;
      s.channels[c].mean[t] = mean[output];
      s.channels[c].std[t] = std::sqrt(variance[output]);
      estimate_errors(expansion, output, t, s.channels[c]);
    }
  for (results::ChannelStatistics& c : s.channels) c.accuracy = analysis::accuracy_of(times, c);
  std::vector<int> group_of_variable;
  for (const Variable& v : task.random.variables()) group_of_variable.push_back(v.group);
  s.shares = analysis::shares(expansion, task.random.groups(), group_of_variable, times, int(nc));
  s.shares.realizations = 0;  // no pairs
  s.realizations = expansion.points;
  return s;
}

results::Chaos as_result(const Expansion& expansion, const Task& task, const Germ& germ,
                         const analysis::StatisticsRequest& questions) {
  const char* const kinds[] = {"value", "normal", "uniform"};
  results::Chaos r;
  for (int v = 0; v < germ.size(); ++v) {
    const PolynomialFamily& f = expansion.basis.families[size_t(v)];
    const Variable& variable = task.random.variables()[size_t(v)];
    const Quantity& q = task.random.quantities()[size_t(variable.quantity)];
    results::Chaos::Variable& to = r.variables.emplace_back();
    to.name = variable.name;
    to.family = f.name;
    to.germ = kinds[int(germ.kind(v))];
    to.center = f.center;
    to.scale = f.scale;
    for (const auto& abc : f.recurrence) to.recurrence.insert(to.recurrence.end(), abc.begin(), abc.end());
    if (!q.scalar) continue;
    const Law law = q.scalar->law();
    to.law = law.words;
    to.lower = law.cut_lower;
    to.upper = law.cut_upper;
    if (variable.alone) to.law_name = law.name;
    for (const Argument& a : law.parameters) {
      to.parameters.push_back(a.name);
      to.values.push_back(a.value);
    }
  }
  r.how = expansion.how;
  r.points = expansion.points;
  r.degrees = expansion.basis.degrees;
  r.coefficients.assign(expansion.coefficients.data(), expansion.coefficients.data() + expansion.coefficients.size());
  const int nc = int(questions.channels.size());
  r.loo = analysis::leave_one_out_error(expansion, questions.times, nc).integrated;
  r.decay = analysis::decay(expansion, questions.times, nc);
  return r;
}

}  // namespace aleator::core
