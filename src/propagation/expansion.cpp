#include "propagation/expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/accuracy.hpp"
#include "analysis/chaos_statistics.hpp"
#include "analysis/replicates.hpp"
#include "base/cancellation.hpp"
#include "base/constants.hpp"
#include "design/low_discrepancy.hpp"
#include "numerics/dense.hpp"

namespace aleator::core {

using analysis::Expansion;
using analysis::Truncation;

namespace {

constexpr int most_degree = 30;
constexpr double most_candidates = 1000;  // among which a sparse fit chooses: its time grows with their number
constexpr long evaluated_at_once = 256;
constexpr double most_missed = 0.1;  // of the variance of a scalar

}  // namespace

Training training_of(const Task& task, const Germ& germ, const Plan& plan, const analysis::Accumulator& rows,
                     const results::StudyResult& result, long most) {
  const size_t outputs = result.done > 0 ? rows.questions().times.size() * rows.questions().channels.size() : 0;
  Training t;
  std::vector<long> good;
  for (long k = 0; k < result.done && long(good.size()) < most; ++k)
    if (result.ok[size_t(k)]) good.push_back(k);
  t.responses.resize(Eigen::Index(good.size()), Eigen::Index(outputs));
  for (size_t i = 0; i < good.size(); ++i) {
    throw_if_cancelled();
    const std::vector<double> places = places_of(task.random, plan, task.study.seed, good[i]);
    for (int v = 0; v < germ.size(); ++v) t.points.push_back(germ.standard(v, places[size_t(v)]));
    const std::vector<double> response = rows.response(good[i]);
    std::copy(response.begin(), response.end(), t.responses.row(Eigen::Index(i)).data());
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

// Limits and reductions of the realization at z, where they are random.
void put_derived(const Task& task, const Germ& germ, const double* z, std::vector<double>& limits,
                 std::vector<ReductionSettings>& reductions) {
  if (!task.derived) return;
  const Derived own = task.derived(germ.sample({z, size_t(germ.size())}));
  for (const Limit& l : own.limits) limits.push_back(l.value);
  for (const DerivedScalar& x : own.scalars) reductions.push_back(x.settings);
}

constexpr int evaluated_replicates = 8;  // randomisations of the sequence of evaluations: their scatter is the error

// Evaluates the expansion at points that follow the law.
void evaluate_into(const Expansion& expansion, const Task& task, const Germ& germ, analysis::Accumulator& statistics) {
  const long n = task.study.chaos.evaluations;
  const LowDiscrepancy design("sobol", task.study.seed, n, evaluated_replicates, keys_of(task.random), 1);
  std::vector<double> points, limits;
  std::vector<ReductionSettings> reductions;
  for (long first = 0; first < n; first += evaluated_at_once) {
    throw_if_cancelled();
    points.clear();
    const long end = std::min(first + evaluated_at_once, n);
    for (long k = first; k < end; ++k)
      for (int v = 0; v < germ.size(); ++v) points.push_back(germ.standard(v, design.at(v, 0, k, 0.5)));
    const analysis::RowMatrix y = evaluate(expansion, points);
    for (long k = first; k < end; ++k) {
      limits.clear(), reductions.clear();
      put_derived(task, germ, &points[size_t(k - first) * size_t(germ.size())], limits, reductions);
      statistics.add(true, {y.row(k - first).data(), size_t(y.cols())}, limits, reductions);
    }
  }
}

// What is not in the expansion is a share e of the variance, as its judges see it: the standard deviation lacks e σ/2. Coefficients of
// a fit have errors, which the jackknife tells. Otherwise, as if what is missed were independent of what is not, they have errors
// of √(e V/n): so have the mean and, as δσ = Σ C_k δC_k/σ, the standard deviation.
void put_errors(const std::vector<double>& e, const Evidence& evidence, size_t nc, results::StudyStatistics& s) {
  const double n = double(evidence.judges.n);
  const bool fitted = !evidence.mean_error.empty();
  for (size_t output = 0; output < e.size(); ++output) {
    results::ChannelStatistics& c = s.channels[output % nc];
    const size_t t = output / nc;
    const double of_coefficients = c.std[t] * std::sqrt(e[output] / n);
    c.mean_error[t] = fitted ? evidence.mean_error[output] : of_coefficients;
    c.std_error[t] = std::hypot(c.std[t] * e[output] / 2, fitted ? evidence.std_error[output] : of_coefficients);
  }
}

// With fits T_j that each lack one of g parts, the error of T is √((g − 1)/g Σ (T_j − T̄)²), of g − 1 degrees of freedom.
template <class F>
double jackknife(const F& of_fold) {
  static const double factor = (folds - 1) * analysis::replicate_factor(folds);
  std::vector<double> own;
  for (size_t f = 0; f < size_t(folds); ++f) own.push_back(of_fold(f));
  return factor * analysis::scatter_of_mean(own);
}

constexpr long evaluated_parts = 1024;  // evaluations of each fit to a part: the same points, differences are of the fits alone

// Mean and standard deviation of the scalars of an expansion.
analysis::Moments scalars_of(const Expansion& expansion, const Task& task, const Germ& germ,
                             const analysis::StatisticsRequest& q) {
  const LowDiscrepancy design("sobol", task.study.seed, evaluated_parts, 1, keys_of(task.random), 1);
  analysis::Moments moments(q.scalars.size());
  std::vector<double> z, limits;
  std::vector<ReductionSettings> reductions;
  for (long k = 0; k < evaluated_parts; ++k) {
    z.clear(), limits.clear(), reductions.clear();
    for (int v = 0; v < germ.size(); ++v) z.push_back(germ.standard(v, design.at(v, 0, k, 0.5)));
    put_derived(task, germ, z.data(), limits, reductions);
    const analysis::RowMatrix y = evaluate(expansion, z);
    for (size_t i = 0; i < q.scalars.size(); ++i) {
      const ReductionSettings& settings = reductions.empty() ? q.scalars[i].settings : reductions[i];
      const double x = reduce(settings, q.times, y.data() + q.scalars[i].channel, int(q.channels.size()));
      if (std::isfinite(x)) moments.add(i, x);
    }
  }
  return moments;
}

void add_errors_of_scalars(const std::vector<Expansion>& parts, const Task& task, const Germ& germ,
                           const analysis::StatisticsRequest& q, results::StudyStatistics& s) {
  if (parts.empty() || q.scalars.empty()) return;
  std::vector<analysis::Moments> of;
  for (const Expansion& e : parts) of.push_back(scalars_of(e, task, germ, q));
  const auto add = [](double& error, double more) { error = std::isnan(more) ? error : std::hypot(error, more); };
  for (size_t i = 0; i < q.scalars.size(); ++i) {
    add(s.scalars[i].mean.error, jackknife([&](size_t f) { return of[f].mean(i).value; }));
    add(s.scalars[i].std.error, jackknife([&](size_t f) { return of[f].standard_deviation(i).value; }));
  }
}

// Without judges nothing is known about errors, but of what is made of parameters.
void forget_errors(results::StudyStatistics& s) {
  for (results::ChannelStatistics& c : s.channels)
    for (auto* errors : {&c.mean_error, &c.std_error, &c.lower_error, &c.upper_error})
      std::fill(errors->begin(), errors->end(), nan);
  const auto exact = [&](const results::ScalarStatistics& x) { return x.channel.empty(); };
  for (results::LimitStatistics& l : s.limits) {
    if (l.scalar >= 0 && exact(s.scalars[size_t(l.scalar)])) continue;
    std::fill(l.error.begin(), l.error.end(), nan);
    l.ever.error = nan;
    l.ever.interval = {};
  }
  for (results::ScalarStatistics& x : s.scalars)
    if (!exact(x)) x.mean.error = x.std.error = x.lower.error = x.upper.error = nan;
}

// Mean square differences of judges, relative to the variance of the expansion; 0 where nothing scatters.
std::vector<double> missed_by(const analysis::Judges& judges, const std::vector<double>& variance) {
  std::vector<double> e(variance.size(), 0.0);
  for (size_t k = 0; k < judges.model.size(); ++k) {
    const double d = judges.model[k] - judges.expansion[k];
    e[k % e.size()] += d * d / double(judges.n);
  }
  for (size_t i = 0; i < e.size(); ++i) e[i] = variance[i] > 0 ? e[i] / variance[i] : 0;
  return e;
}

// Realizations beside what an expansion that has not seen them says: `errors` [n][outputs] is the difference.
analysis::Judges judges_of(const Task& task, const Germ& germ, const Training& training, const analysis::RowMatrix& errors) {
  analysis::Judges out;
  if (errors.rows() == 0) return out;
  out.n = training.size();
  const analysis::RowMatrix said = training.responses - errors;
  out.model.assign(training.responses.data(), training.responses.data() + training.responses.size());
  out.expansion.assign(said.data(), said.data() + said.size());
  for (long k = 0; k < out.n; ++k)
    put_derived(task, germ, &training.points[size_t(k) * size_t(germ.size())], out.limits, out.reductions);
  return out;
}

}  // namespace

Evidence evidence_of(const Task& task, const Germ& germ, const Training& beside, const Expansion& expansion) {
  return {judges_of(task, germ, beside, beside.responses - evaluate(expansion, beside.points)), {}, {}, {}};
}

Evidence evidence_of(const Task& task, const Germ& germ, const Training& training, const Expansion& fit, const Validation& v) {
  if (v.differences.rows() == 0) return {judges_of(task, germ, training, fit.left_out), {}, {}, {}};
  return {judges_of(task, germ, training, v.differences), v.mean_error, v.std_error, v.parts};
}

Validation validate(const ChaosSettings& settings, const Germ& germ, const Training& training, int channels) {
  Validation v;
  if (training.size() < 4 * folds) return v;
  std::vector<std::vector<double>> means, stds;  // [folds][outputs]
  analysis::RowMatrix differences(training.responses.rows(), training.responses.cols());
  try {
    for (int f = 0; f < folds; ++f) {
      const auto [fitted, judged] = split(training, folds, f, germ.size());
      Expansion& e = v.parts.emplace_back(fit(settings, germ, fitted, channels));
      e.left_out.resize(0, 0);
      differences(Eigen::seq(f, Eigen::last, folds), Eigen::all) = judged.responses - evaluate(e, judged.points);
      means.push_back(analysis::mean(e));
      stds.push_back(analysis::variance(e));
      for (double& x : stds.back()) x = std::sqrt(x);
    }
  } catch (const NotPossible&) {  // fewer realizations than terms
    return {};
  } catch (const std::invalid_argument&) {
    return {};
  }
  v.differences = std::move(differences);
  for (size_t output = 0; output < means[0].size(); ++output) {
    v.mean_error.push_back(jackknife([&](size_t f) { return means[f][output]; }));
    v.std_error.push_back(jackknife([&](size_t f) { return stds[f][output]; }));
  }
  return v;
}

results::StudyStatistics moments_of(const Expansion& expansion, const Evidence& evidence, const analysis::StatisticsRequest& q) {
  const std::vector<double> mean = analysis::mean(expansion), variance = analysis::variance(expansion);
  const size_t nc = q.channels.size();
  results::StudyStatistics s;
  s.realizations = expansion.points;
  s.channels.resize(nc);
  for (size_t i = 0; i < mean.size(); ++i) {
    results::ChannelStatistics& c = s.channels[i % nc];
    c.nominal.push_back(q.nominal[i]);
    c.mean.push_back(mean[i]);
    c.std.push_back(std::sqrt(variance[i]));
    c.mean_error.push_back(nan), c.std_error.push_back(nan);
  }
  if (evidence.judges.n > 1) put_errors(missed_by(evidence.judges, variance), evidence, nc, s);
  analysis::settle(q.times, q.units, s);
  return s;
}

results::StudyStatistics statistics_of(const Expansion& expansion, const Task& task, const Germ& germ,
                                       analysis::StatisticsRequest questions, const Evidence& evidence) {
  const std::vector<double> times = questions.times;
  const size_t nc = questions.channels.size();
  const std::vector<double> mean = analysis::mean(expansion), variance = analysis::variance(expansion);
  const std::vector<double> missed = missed_by(evidence.judges, variance);
  questions.groups.clear();
  questions.first = 0;
  questions.replicates = evaluated_replicates;
  questions.samples = task.study.chaos.evaluations;
  questions.keep_all = double(questions.samples) * double(times.size() * nc) < 1e8;
  analysis::Accumulator evaluated(questions, evidence.judges);
  evaluate_into(expansion, task, germ, evaluated);
  results::StudyStatistics s = evaluated.finish();
  for (results::ScalarStatistics& x : s.scalars) x.values.clear();  // of no realizations
  for (size_t t = 0; t < times.size(); ++t)
    for (size_t c = 0; c < nc; ++c) {
      s.channels[c].mean[t] = mean[t * nc + c];
      s.channels[c].std[t] = std::sqrt(variance[t * nc + c]);
    }
  add_errors_of_scalars(evidence.parts, task, germ, questions, s);
  if (evidence.judges.n > 1)
    put_errors(missed, evidence, nc, s);
  else
    forget_errors(s);
  std::vector<int> group_of_variable;
  for (const Variable& v : task.random.variables()) group_of_variable.push_back(v.group);
  s.shares = analysis::shares(expansion, task.random.groups(), group_of_variable, times, int(nc));
  s.shares.realizations = 0;  // no pairs
  analysis::settle(times, questions.units, s);
  s.realizations = expansion.points;
  return s;
}

void take_sampled_scalars(const SampledScalars& sampled, results::StudyResult& result) {
  for (size_t i = 0; i < sampled.scalars.size(); ++i) {
    results::ScalarStatistics& s = result.statistics.scalars[i];
    const double missed = s.missed;
    if (!(missed > most_missed)) continue;
    std::vector<double> values = std::move(s.values);
    s = sampled.scalars[i];
    s.values = std::move(values);
    for (size_t l = 0; l < sampled.limits.size(); ++l)
      if (sampled.limits[l].scalar == int(i)) result.statistics.limits[l] = sampled.limits[l];
    result.evidence.push_back(
        fmt::format("  {}: statistics of the realizations themselves, because its expansion misses {:.3g} % of its variance",
                    s.name, 100 * missed));
  }
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
