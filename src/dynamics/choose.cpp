#include "dynamics/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/cancellation.hpp"
#include "dynamics/equilibrium.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/lane_engine.hpp"
#include "dynamics/start.hpp"

namespace aleator::core {

namespace {

// The first that `auto` considers, explicit or implicit.
const Integrator& considered(bool is_explicit) {
  return *std::find_if(integrators().begin(), integrators().end(),
                       [&](const Integrator& i) { return i.work > 0 && i.is_explicit == is_explicit; });
}

// Outputs of several realizations, in lanes.
class Trial {
 public:
  Trial(const Model& model, std::span<const Parameters> samples, const Settings& settings, Isa isa)
      : model_(model), engine_(model, samples, settings, isa), run_(engine_) {}

  // Empty for those that fail.
  std::vector<std::vector<double>> operator()(std::span<const Parameters> numbers, double step) {
    std::vector<std::vector<double>> out(numbers.size());
    for (size_t i = 0; i < numbers.size(); ++i) {
      // One at a time in all lanes: they may have breakpoints of their own, and there are few.
      const Realization<double> r = make_realization<double>(model_, numbers.subspan(i, 1));
      if (!engine_.fits(r)) continue;
      State<double> state;
      if (model_.settings.start_at_equilibrium) {
        Assembly<double> a(model_, r);
        state = equilibrium(a, assemble(a)).state;
      }
      const LaneRun::Start start{&r, model_.settings.start_at_equilibrium ? &state : nullptr};
      run_(std::span(&start, 1), false, cancellation_flag(), step);
      throw_if_cancelled();
      if (!run_.failed(0)) run_.outputs(0, out[i]);
    }
    return out;
  }

  // The largest relative difference (root mean square over time) of an output between steps of h and h/parts; infinite when a realization
  // fails, unless those are to be left out.
  double difference(std::span<const Parameters> numbers, double step, int parts, bool without_failed) {
    const auto coarse = (*this)(numbers, step), fine = (*this)(numbers, step / parts);
    const size_t channels = model_.channels.size();
    const auto norm = [&](const std::vector<double>& a, const std::vector<double>* b, size_t c) {
      double sum = 0;
      for (size_t i = c; i < a.size(); i += channels) sum += (a[i] - (b ? (*b)[i] : 0)) * (a[i] - (b ? (*b)[i] : 0));
      return std::sqrt(sum);
    };
    double worst = 0;
    for (size_t c = 0; c < channels; ++c) {
      double largest = 0;  // an output that vanishes in one realization is measured by the others
      for (const auto& x : fine) largest = std::max(largest, norm(x, nullptr, c));
      for (size_t k = 0; k < numbers.size(); ++k) {
        if (coarse[k].empty() || fine[k].empty()) {
          if (!without_failed) return HUGE_VAL;
          continue;
        }
        const double size = std::max(norm(fine[k], nullptr, c), 1e-3 * largest), d = norm(coarse[k], &fine[k], c);
        if (!(d <= 1e-13 * std::max(size, 1e-300))) worst = std::max(worst, std::isfinite(d) ? d / size : HUGE_VAL);
      }
    }
    return worst;
  }

 private:
  const Model& model_;
  LaneEngine engine_;
  LaneRun run_;
};

// The largest step with which outputs are as accurate as wanted.
double find_step(const Model& model, std::span<const Parameters> samples, std::span<const Parameters> others, const Settings& s,
                 double start, Isa isa) {
  const double order = integrator(s).order, least = s.duration / 1e8;
  Trial trial(model, samples, s, isa);
  double h = std::min(start, s.duration);
  const auto shrink = [&](double found) {
    const double factor = std::isfinite(found) ? std::clamp(0.9 * std::pow(s.accuracy / found, 1 / order), 0.2, 0.8) : 0.3;
    h *= factor;
    if (h < least)
      throw SimulationError(fmt::format("no step of {} reaches an accuracy of {:g}; give a 'step', or a larger 'accuracy'",
                                        s.integrator, s.accuracy));
  };
  const double whole = 1 / (1 - std::pow(0.5, order));  // the error of h, from its difference to that of h/2
  const auto nominal = [&](int parts) { return trial.difference(std::span(&model.nominal, 1), h, parts, false); };
  for (double found; (found = whole * nominal(2)) > s.accuracy;) shrink(found);
  // A vibration that is fast compared with both steps is damped by both, and their difference does not show it: the nominal model is compared with
  // much smaller steps, and what halving missed there is taken to be missed elsewhere.
  double missed = 1, left = 0;  // the largest error that was accepted
  for (double half = 0, found = 0;; shrink(found)) {
    half = whole * nominal(2), left = found = nominal(16);
    if (half > 0 && std::isfinite(found / half)) missed = std::clamp(found / half, missed, 30.0);
    if (found <= s.accuracy) break;
  }
  for (const std::span<const Parameters> numbers : {samples, others}) {
    int patience = 4;  // for a realization that fails: perhaps no step helps it
    double found;
    while ((found = missed * whole * trial.difference(numbers, h, 2, patience <= 0)) > s.accuracy) {
      shrink(found);
      if (!std::isfinite(found)) --patience;
    }
    left = std::max(left, found);
  }
  // Realizations that were not looked at may be a little worse: a step a tenth shorter has an error 0.9^order as large.
  return left > 0.6 * s.accuracy ? 0.9 * h : h;
}

// Steps that are adapted to their error.
void adapt(Settings& s, const Integrator& method) {
  s.integrator = method.name;
  s.step_tolerance = s.tolerance > 0 ? s.tolerance : method.step_tolerance;
}

double round_down(double h) {  // two digits are enough, and read better
  const double unit = std::pow(10, std::floor(std::log10(h)) - 1);
  return std::floor(h / unit * (1 + 1e-12)) * unit;
}

}  // namespace

double fastest_rate(const Model& model, const Parameters& numbers) {
  const Realization<double> r = make_realization<double>(model, std::span(&numbers, 1));
  Assembly<double> a(model, r);
  State<double> s = assemble(a);
  Index1<double> index1(a, Index1Solver::matrix);
  index1.evaluate(s, Side::right);
  index1.accelerations(s);
  // C and K, bordered by constraints that are left out below. Exact: differences of v̇ would be lost in round-off where springs are stiff.
  const auto tangent = [&](double damping, double stiffness) {
    a.tangent(0, damping, stiffness, s.accelerations.data(), s.lambda.data(), nullptr);
    return a.values();
  };
  const AlignedVector<double> C = tangent(1, 0), K = tangent(0, 1);
  const SparsePattern& pattern = model.structure.pattern;
  const int n = model.structure.dofs;
  std::vector<double> q(n), v(n), x(model.structure.size);
  std::mt19937_64 random(1);
  for (double& y : q) y = 2 * double(random() >> 11) * 0x1p-53 - 1;
  for (double& y : v) y = 2 * double(random() >> 11) * 0x1p-53 - 1;
  const auto norm = [](const std::vector<double>& y) {
    double sum = 0;
    for (const double z : y) sum += z * z;
    return std::sqrt(sum);
  };
  // δq̇ = δv, M δv̇ = −C δv − K δq − Gᵀδλ, G δv̇ = 0; vibrations have pairs ± iω, so growth is taken over two steps, and averaged.
  constexpr int iterations = 40, counted = 16;
  double log_growth = 0;
  for (int k = 0; k < iterations; ++k) {
    const double size = norm(v);
    if (!(size > 0) || !std::isfinite(size)) return 0;
    for (int i = 0; i < n; ++i) q[i] /= size, v[i] /= size;
    std::fill(x.begin(), x.end(), 0.0);
    for (int c = 0; c < n; ++c)
      for (int e = pattern.column_start[c]; e < pattern.column_start[c + 1]; ++e)
        if (pattern.row[e] < n) x[pattern.row[e]] -= C[e] * v[c] + K[e] * q[c];
    index1.solver().solve(x.data());
    q = v;
    std::copy_n(x.begin(), n, v.begin());
    if (k >= iterations - counted) log_growth += std::log(std::max(norm(v), 1e-300));
  }
  return std::exp(log_growth / counted);
}

std::optional<Settings> instead(const Settings& s) {
  if (!(s.step_tolerance > 0) || !integrator(s).is_explicit) return {};
  Settings out = s;
  out.integrator = considered(false).name;
  return out;
}

bool integrator_is_open(const Settings& s) { return s.integrator == "auto"; }
bool is_open(const Settings& s) { return integrator_is_open(s) || s.accuracy > 0; }

Choice choose(const Model& model, std::span<const Parameters> samples, std::span<const Parameters> others, Isa isa) {
  Choice c{model.settings, {}};
  Settings& s = c.settings;
  const bool any_integrator = integrator_is_open(s);
  if (!any_integrator && integrator(s).chooses_steps) {
    if (s.accuracy > 0 && !(s.tolerance > 0)) s.tolerance = std::min(1e-6, 1e-3 * s.accuracy);
    s.accuracy = 0;  // nothing is open any more: who gets these settings does not choose again
    return c;
  }
  double rate = 0;
  if (any_integrator) {
    rate = fastest_rate(model, model.nominal);
    for (const Parameters& n : samples) rate = std::max(rate, fastest_rate(model, n));
  }
  if (!(s.accuracy > 0)) {
    const double stable = considered(true).stable;
    const bool explicit_is_stable = rate * s.step < stable;
    adapt(s, considered(explicit_is_stable));
    c.reasons.push_back(explicit_is_stable
                            ? rate > 0 ? fmt::format("the fastest motion, {:.3g} rad/s, is slow compared with the step", rate)
                                       : "nothing vibrates"
                            : fmt::format("the fastest motion, {:.3g} rad/s, is fast compared with the step: an explicit "
                                          "method would need steps below {:.2g} s",
                                          rate, stable / rate));
    return c;
  }
  const double longest = std::min(s.duration / 10, 20 * s.output_step);
  if (!any_integrator) {
    s.step = round_down(find_step(model, samples, others, s, longest, isa));
    c.reasons.push_back(
        fmt::format("the largest step with which outputs change by less than {:g} when it is halved", s.accuracy));
    s.accuracy = 0;
    return c;
  }
  // By the work: explicit steps are bounded by stability, implicit ones are dear.
  struct Candidate {
    const Integrator* method;
    double start;  // the first step that is tried
    double least;  // work
  };
  std::vector<Candidate> candidates;
  for (const Integrator& method : integrators()) {
    if (!(method.work > 0)) continue;
    const double start = method.is_explicit && rate > 0 ? std::min(longest, method.stable / rate) : longest;
    candidates.push_back({&method, start, s.duration / start * method.work});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.least < b.least; });
  Settings best = s;
  double least = HUGE_VAL;
  for (const Candidate& m : candidates) {
    if (m.least >= least) continue;
    Settings tried = s;
    tried.integrator = m.method->name;
    tried.step = find_step(model, samples, others, tried, m.start, isa);
    const double work = s.duration / tried.step * m.method->work;
    if (work < least) best = tried, least = work;
  }
  s = best;
  s.step = round_down(s.step);
  c.reasons.push_back(fmt::format("the fastest motion is {:.3g} rad/s; {} needs {:.0f} steps for an accuracy of {:g}", rate,
                                  s.integrator, std::ceil(s.duration / s.step), s.accuracy));
  s.accuracy = 0;
  return c;
}

}  // namespace aleator::core
