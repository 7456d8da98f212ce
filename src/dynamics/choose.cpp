#include "dynamics/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
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
      : model_(model), engine_(model, samples, settings, isa), run_(engine_), judged_(model.channels.size(), true) {}

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

  // The largest relative difference (root mean square over time) of an output between steps of h and h/parts, and its channel; infinite when
  // a realization fails, unless those are to be left out.
  struct Difference {
    double value = 0;
    int channel = -1;
  };
  Difference difference(std::span<const Parameters> numbers, double step, int parts, bool without_failed) {
    const auto coarse = (*this)(numbers, step), fine = (*this)(numbers, step / parts);
    const size_t channels = model_.channels.size();
    const auto norm = [&](const std::vector<double>& a, const std::vector<double>* b, size_t c) {
      double sum = 0;
      for (size_t i = c; i < a.size(); i += channels) sum += (a[i] - (b ? (*b)[i] : 0)) * (a[i] - (b ? (*b)[i] : 0));
      return std::sqrt(sum);
    };
    std::vector<double> largest(channels);  // an output that vanishes in one realization is measured by the others …
    std::map<std::string, double>
        of_unit;  // … and one that vanishes in all by those of its unit: what is left of it is round-off
    for (size_t c = 0; c < channels; ++c) {
      for (const auto& x : fine) largest[c] = std::max(largest[c], norm(x, nullptr, c));
      double& all = of_unit[model_.channels[c].unit];
      all = std::max(all, largest[c]);
    }
    Difference worst;
    for (size_t c = 0; c < channels; ++c) {
      if (!judged_[c]) continue;
      const double least = std::max(1e-3 * largest[c], vanishing * of_unit[model_.channels[c].unit]);
      for (size_t k = 0; k < numbers.size(); ++k) {
        if (coarse[k].empty() || fine[k].empty()) {
          if (!without_failed) return {HUGE_VAL, -1};
          continue;
        }
        const double size = std::max(norm(fine[k], nullptr, c), least), d = norm(coarse[k], &fine[k], c);
        if (d <= 1e-13 * std::max(size, 1e-300)) continue;
        const double found = std::isfinite(d) ? d / size : HUGE_VAL;
        if (found > worst.value) worst = {found, int(c)};
      }
    }
    return worst;
  }
  void leave_out(int channel) { judged_[size_t(channel)] = false; }

 private:
  static constexpr double vanishing = 1e-9;
  const Model& model_;
  LaneEngine engine_;
  LaneRun run_;
  std::vector<char> judged_;  // [channels]
};

// The largest step with which outputs are as accurate as wanted.
class StepSearch {
 public:
  StepSearch(const Model& model, std::span<const Parameters> samples, std::span<const Parameters> others, const Settings& s,
             double rate, Isa isa)
      : model_(model),
        samples_(samples),
        others_(others),
        s_(s),
        order_(integrator(s).order),
        rate_(rate),
        trial_(model, samples, s, isa) {}

  // Begins with `start`, anew where an output had to be left out; `remarks` says which.
  double operator()(double start, std::vector<std::string>& remarks) {
    for (;;) {
      h_ = std::min(start, s_.duration), seen_.clear(), deaf_ = -1;
      const double found = search();
      if (deaf_ < 0) return found;
      trial_.leave_out(deaf_);
      const auto& [h, error] = seen_.back().second;
      remarks.push_back(
          fmt::format("'{}' is not looked at: it changes by {:.2g} of its size when steps of {:.1g} s are halved, and "
                      "shorter steps do not help; perhaps it is nothing but the error of time stepping",
                      model_.channels[size_t(deaf_)].name, error, h));
    }
  }

 private:
  using Difference = Trial::Difference;

  // To the next step. False: the output does not hear of steps.
  bool shrink(Difference found) {
    if (std::isfinite(found.value) && does_not_hear(found)) return false;
    const double factor =
        std::isfinite(found.value) ? std::clamp(0.9 * std::pow(s_.accuracy / found.value, 1 / order_), 0.2, 0.8) : 0.3;
    h_ *= factor;
    if (h_ < s_.duration / 1e8)
      throw SimulationError(fmt::format("no step of {} reaches an accuracy of {:g}; give a 'step', or a larger 'accuracy'",
                                        s_.integrator, s_.accuracy));
    return true;
  }

  // An output whose error does not halve when steps that resolve the fastest motion become ten times shorter. (What is known of that motion is how
  // it starts: steps are a thousandth of the duration at most.)
  bool does_not_hear(Difference found) {
    for (const auto& [channel, before] : seen_)
      if (channel == found.channel && before.first * std::max(rate_, 300 / s_.duration) <= 0.3 && h_ <= 0.1 * before.first &&
          found.value > 0.5 * before.second)
        deaf_ = channel;
    seen_.push_back({found.channel, {h_, found.value}});
    return deaf_ >= 0;
  }

  Difference nominal(int parts) { return trial_.difference(std::span(&model_.nominal, 1), h_, parts, false); }
  // The error of h, from its difference to that of h/2.
  Difference whole(Difference d, double missed = 1) const { return {missed * d.value / (1 - std::pow(0.5, order_)), d.channel}; }

  double search() {
    for (Difference found; (found = whole(nominal(2))).value > s_.accuracy;)
      if (!shrink(found)) return h_;
    // A vibration that is fast compared with both steps is damped by both, and their difference does not show it: the nominal model is compared
    // with much smaller steps, and what halving missed there is taken to be missed elsewhere.
    double missed = 1, left = 0;  // the largest error that was accepted
    for (;;) {
      const Difference half = whole(nominal(2)), found = nominal(16);
      left = found.value;
      if (half.value > 0 && std::isfinite(found.value / half.value)) missed = std::clamp(found.value / half.value, missed, 30.0);
      if (found.value <= s_.accuracy) break;
      if (!shrink(found)) return h_;
    }
    for (const std::span<const Parameters> numbers : {samples_, others_}) {
      int patience = 4;  // for a realization that fails: perhaps no step helps it
      Difference found;
      while ((found = whole(trial_.difference(numbers, h_, 2, patience <= 0), missed)).value > s_.accuracy) {
        if (!shrink(found)) return h_;
        if (!std::isfinite(found.value)) --patience;
      }
      left = std::max(left, found.value);
    }
    // Realizations that were not looked at may be a little worse: a step a tenth shorter has an error 0.9^order as large.
    return left > 0.6 * s_.accuracy ? 0.9 * h_ : h_;
  }

  const Model& model_;
  std::span<const Parameters> samples_, others_;
  Settings s_;
  double order_, rate_;  // rate: of the fastest motion
  Trial trial_;
  double h_ = 0;
  std::vector<std::pair<int, std::pair<double, double>>> seen_;  // channel, step and error, of this pass
  int deaf_ = -1;
};

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
  Choice c{model.settings, {}, {}};
  Settings& s = c.settings;
  const bool any_integrator = integrator_is_open(s);
  if (!any_integrator && integrator(s).chooses_steps) {
    if (s.accuracy > 0 && !(s.tolerance > 0)) s.tolerance = std::min(1e-6, 1e-3 * s.accuracy);
    s.accuracy = 0;  // nothing is open any more: who gets these settings does not choose again
    return c;
  }
  double rate = fastest_rate(model, model.nominal);
  for (const Parameters& n : samples) rate = std::max(rate, fastest_rate(model, n));
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
    s.step = round_down(StepSearch(model, samples, others, s, rate, isa)(longest, c.remarks));
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
    std::vector<std::string> of_it;
    tried.integrator = m.method->name;
    tried.step = StepSearch(model, samples, others, tried, rate, isa)(m.start, of_it);
    const double work = s.duration / tried.step * m.method->work;
    if (work < least) best = tried, least = work, c.remarks = of_it;
  }
  s = best;
  s.step = round_down(s.step);
  c.reasons.push_back(fmt::format("the fastest motion is {:.3g} rad/s; {} needs {:.0f} steps for an accuracy of {:g}", rate,
                                  s.integrator, std::ceil(s.duration / s.step), s.accuracy));
  s.accuracy = 0;
  return c;
}

}  // namespace aleator::core
