#include "analysis/accumulate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "analysis/accuracy.hpp"
#include "analysis/missing.hpp"
#include "analysis/parallel.hpp"
#include "analysis/sort_columns.hpp"
#include "base/constants.hpp"

namespace aleator::core::analysis {

namespace {

constexpr std::size_t sketch_bytes = std::size_t(512) << 20;

// The error is half the width of Wilson's interval for one standard error: √(p (1−p)/n) of many, and not 0 when none of a few
// did, which would be certainty.
results::Estimate share(double count, double n) {
  const double p = count / n;
  return {p, std::sqrt(p * (1 - p) / n + 1 / (4 * n * n)) / (1 + 1 / n)};
}

}  // namespace

Accumulator::Accumulator(StatisticsRequest questions)
    : q_(std::move(questions)),
      points_(q_.times.size() * q_.channels.size()),
      moments_(points_),
      scalar_moments_(q_.scalars.size()),
      exceeded_(q_.limits.size() * q_.times.size()),
      exceeded_ever_(q_.limits.size()),
      square_sums_(q_.channels.size()) {
  if (q_.keep_all) {
    try {  // all that is planned: memory is taken when it is written to, and nothing has to move
      responses_.reserve(std::size_t(q_.samples) * points_);
    } catch (const std::exception&) {
      // more than the machine has: as much as it comes to
    }
  } else {
    const std::size_t k = QuantileSketch::buffer_for(points_ + q_.scalars.size(), q_.samples, sketch_bytes);
    sketch_.emplace(points_, k);
    scalar_sketch_.emplace(q_.scalars.size(), k);
  }
  if (q_.replicates > 1) {
    parts_.assign(std::size_t(q_.replicates), Moments(points_));
    scalar_parts_.assign(std::size_t(q_.replicates), Moments(q_.scalars.size()));
  }
  if (!q_.groups.empty()) shares_.emplace(q_.groups, q_.times, int(q_.channels.size()));
}

void Accumulator::note_convergence(std::span<const double> values) {
  const std::size_t nc = q_.channels.size();
  add_integrals_of_squares(q_.times, values, square_sums_);
  const double n = moments_.count(0);
  if (n < next_note_) return;
  next_note_ = std::max(n + 1, n * 1.01);
  noted_at_.push_back(n);
  for (std::size_t c = 0; c < nc; ++c) noted_.push_back(std::sqrt(square_sums_[c] / n));
}

void Accumulator::count_exceedances(std::span<const double> values, std::span<const double> limits) {
  const std::size_t nc = q_.channels.size(), nt = q_.times.size();
  for (std::size_t l = 0; l < q_.limits.size(); ++l) {
    const auto& limit = q_.limits[l];
    const double level = limits.empty() ? limit.value : limits[l];
    const double sign = limit.above ? 1 : -1;
    const double *const x = &values[std::size_t(limit.channel)], bound = sign * level;
    double *const counts = &exceeded_[l * nt], ever = 0;
    for (std::size_t t = 0; t < nt; ++t) {
      const double exceeds = sign * x[t * nc] > bound ? 1 : 0;
      counts[t] += exceeds;
      ever = exceeds > ever ? exceeds : ever;
    }
    // Between the times, too, where they resolve the function.
    const Reduction extreme = limit.above ? Reduction::maximum : Reduction::minimum;
    if (ever == 0 && sign * reduce({extreme}, q_.times, x, int(nc)) > bound) ever = 1;
    exceeded_ever_[l] += ever;
  }
}

std::vector<double> Accumulator::derive(std::span<const double> values, std::span<const double> levels) {
  std::vector<double> derived;
  for (std::size_t s = 0; s < q_.scalars.size(); ++s) {
    ReductionSettings settings = q_.scalars[s].settings;
    if (!levels.empty()) settings.level = levels[s];
    derived.push_back(reduce(settings, q_.times, values.data() + q_.scalars[s].channel, int(q_.channels.size())));
    if (!std::isfinite(derived[s])) continue;
    scalar_moments_.add(s, derived[s]);
    if (!scalar_parts_.empty()) scalar_parts_[replicate()].add(s, derived[s]);
  }
  return derived;
}

void Accumulator::add(bool ok, std::span<const double> values, std::span<const double> limits, std::span<const double> levels) {
  ++added_;
  if (q_.keep_all && ok) responses_.insert(responses_.end(), values.begin(), values.end());
  if (q_.keep_all && !ok) responses_.insert(responses_.end(), points_, nan);
  std::vector<double> derived(q_.scalars.size(), nan);
  // One value that is not finite would spoil the moments for good, and has no rank.
  const bool used = ok && points_ > 0 && all_finite(values);
  if (q_.keep_all) used_.push_back(used);
  if (used) {
    moments_.add(values);
    if (!parts_.empty()) parts_[replicate()].add(values);
    note_convergence(values);
    if (sketch_) sketch_->add(values);
    count_exceedances(values, limits);
    derived = derive(values, levels);
    // A level that was not crossed stands at the far end: quantiles of times then are those of all realizations.
    if (scalar_sketch_) {
      std::vector<double> ranked = derived;
      for (double& x : ranked)
        if (!std::isfinite(x)) x = std::numeric_limits<double>::infinity();
      scalar_sketch_->add(ranked);
    }
  }
  if (q_.keep_all) scalar_values_.insert(scalar_values_.end(), derived.begin(), derived.end());
}

namespace {

// The standard error of a mean of independent values: their scatter over √n.
double error_of_mean(std::span<const double> values) {
  const double n = double(values.size());
  double mean = 0, square = 0;
  for (const double x : values) mean += x / n;
  for (const double x : values) square += (x - mean) * (x - mean);
  return n > 1 ? std::sqrt(square / (n * (n - 1))) : nan;
}

}  // namespace

// An estimate from all realizations, with its error from the scatter of the same estimate between randomisations.
results::Estimate Accumulator::with_scatter(results::Estimate pooled, const std::vector<Moments>& parts, std::size_t i,
                                            results::Estimate (Moments::*of)(std::size_t) const) const {
  if (parts.empty()) return pooled;
  std::vector<double> values;
  for (const Moments& m : parts) values.push_back((m.*of)(i).value);
  return {pooled.value, error_of_mean(values)};
}

void Accumulator::sketch_band(std::size_t point, Band& band) const {
  const double p[] = {(1 - q_.confidence) / 2, (1 + q_.confidence) / 2}, n = moments_.count(point);
  const results::Range low = quantile_places(p[0], n, missing()), high = quantile_places(p[1], n, missing());
  const double places[] = {p[0], p[1], low.low, low.high, high.low, high.high};
  std::vector<double> within;
  for (const double x : places) within.push_back(std::clamp(x, 0.0, 1.0));
  const std::vector<results::Estimate> all = sketch_->quantiles(point, within);  // at once: each call merges the sketch
  const auto at = [&](double place) { return all[std::size_t(std::find(places, places + 6, place) - places)].value; };
  band = {all[0], all[1], quantiles_at(low, at), quantiles_at(high, at)};
}

// Of columns_at_once neighbouring points.
void Accumulator::finish_band(std::size_t first, std::span<Band> bands) const {
  if (sketch_) {
    for (std::size_t i = 0; i < bands.size(); ++i) sketch_band(first + i, bands[i]);
    return;
  }
  const double p_lower = (1 - q_.confidence) / 2, p_upper = (1 + q_.confidence) / 2, there = moments_.count(first);
  AlignedVector<double> columns(std::size_t(there) * columns_at_once);
  std::vector<double> column;
  const auto sorted = [&](std::size_t part, std::size_t parts, const auto& use) {
    std::size_t n = 0;
    for (std::size_t k = part; k < used_.size(); k += parts)
      if (used_[k]) std::copy_n(&responses_[k * points_ + first], bands.size(), &columns[columns_at_once * n++]);
    sort_columns(columns.data(), n);
    column.resize(n);
    for (std::size_t i = 0; i < bands.size() && n > 0; ++i) {
      for (std::size_t k = 0; k < n; ++k) column[k] = columns[columns_at_once * k + i];
      use(i);
    }
  };
  const auto at = [&](double p) { return quantile(column, p).value; };
  sorted(0, 1, [&](std::size_t i) {
    bands[i].lower = quantile(column, p_lower), bands[i].upper = quantile(column, p_upper);
    bands[i].lower_with_missing = quantiles_at(quantile_places(p_lower, there, missing()), at);
    bands[i].upper_with_missing = quantiles_at(quantile_places(p_upper, there, missing()), at);
  });
  if (parts_.empty()) return;
  std::vector<std::vector<double>> lows(bands.size()), highs(bands.size());
  for (std::size_t r = 0; r < parts_.size(); ++r)
    sorted(r, parts_.size(), [&](std::size_t i) { lows[i].push_back(at(p_lower)), highs[i].push_back(at(p_upper)); });
  for (std::size_t i = 0; i < bands.size(); ++i)
    bands[i].lower.error = error_of_mean(lows[i]), bands[i].upper.error = error_of_mean(highs[i]);
}

void Accumulator::finish_moments(results::StudyStatistics& out) const {
  const std::size_t nc = q_.channels.size(), nt = q_.times.size();
  for (std::size_t c = 0; c < nc; ++c) {
    results::ChannelStatistics s;
    for (std::size_t t = 0; t < nt; ++t) {
      const std::size_t i = t * nc + c;
      const results::Estimate mean = with_scatter(moments_.mean(i), parts_, i, &Moments::mean);
      results::Estimate std = with_scatter(moments_.standard_deviation(i), parts_, i, &Moments::standard_deviation);
      // Σ(x − m)²/n lacks the variance of the mean m, which is V/n of independent realizations alone: of a design it is known.
      if (const double n = moments_.count(i); !parts_.empty() && n > 1 && !std::isnan(mean.error))
        std.value = std::sqrt(std.value * std.value * (n - 1) / n + mean.error * mean.error);
      s.nominal.push_back(q_.nominal[i]);
      s.mean.push_back(mean.value);
      s.std.push_back(std.value);
      s.minimum.push_back(moments_.minimum(i));
      s.maximum.push_back(moments_.maximum(i));
      s.mean_error.push_back(mean.error);
      s.std_error.push_back(std.error);
    }
    out.channels.push_back(std::move(s));
  }
}

void Accumulator::finish_bands(results::StudyStatistics& out) const {
  const std::size_t nc = q_.channels.size();
  std::vector<Band> bands(points_, Band{{nan, nan}, {nan, nan}, {}, {}});
  tbb::task_arena(q_.threads > 0 ? q_.threads : tbb::task_arena::automatic).execute([&] {
    each_in_parallel((points_ + columns_at_once - 1) / columns_at_once, [&](std::size_t tile) {
      const std::size_t first = tile * columns_at_once, own = std::min(columns_at_once, points_ - first);
      finish_band(first, {&bands[first], own});
    });
  });
  for (std::size_t i = 0; i < points_; ++i) {
    results::ChannelStatistics& s = out.channels[i % nc];
    s.lower.push_back(bands[i].lower.value);
    s.upper.push_back(bands[i].upper.value);
    s.lower_error.push_back(bands[i].lower.error);
    s.upper_error.push_back(bands[i].upper.error);
    if (missing() == 0) continue;
    s.with_missing.lower.low.push_back(bands[i].lower_with_missing.low);
    s.with_missing.lower.high.push_back(bands[i].lower_with_missing.high);
    s.with_missing.upper.low.push_back(bands[i].upper_with_missing.low);
    s.with_missing.upper.high.push_back(bands[i].upper_with_missing.high);
  }
}

void Accumulator::finish_limits(results::StudyStatistics& out) const {
  const double n = double(out.realizations);
  for (std::size_t l = 0; l < q_.limits.size(); ++l) {
    results::LimitStatistics s;
    s.channel = q_.limits[l].channel;
    s.value = q_.limits[l].value;
    s.above = q_.limits[l].above;
    for (std::size_t t = 0; t < q_.times.size(); ++t) {
      const results::Estimate e = share(exceeded_[l * q_.times.size() + t], n);
      s.probability.push_back(e.value);
      s.error.push_back(e.error);
    }
    s.ever = share(exceeded_ever_[l], n);
    out.limits.push_back(std::move(s));
  }
}

void Accumulator::finish_scalars(results::StudyStatistics& out) const {
  const double p_lower = (1 - q_.confidence) / 2, p_upper = (1 + q_.confidence) / 2;
  const std::size_t ns = q_.scalars.size();
  for (std::size_t i = 0; i < ns; ++i) {
    const StatisticsRequest::Scalar& q = q_.scalars[i];
    results::ScalarStatistics s;
    s.name = q.name;
    s.unit = q.unit;
    s.kind = q.kind;
    s.channel = q_.channels[std::size_t(q.channel)];
    s.nominal = reduce(q.settings, q_.times, q_.nominal.data() + q.channel, int(q_.channels.size()));
    s.count = long(scalar_moments_.count(i));
    s.mean = with_scatter(scalar_moments_.mean(i), scalar_parts_, i, &Moments::mean);
    s.std = with_scatter(scalar_moments_.standard_deviation(i), scalar_parts_, i, &Moments::standard_deviation);
    s.minimum = s.count > 0 ? scalar_moments_.minimum(i) : nan;
    s.maximum = s.count > 0 ? scalar_moments_.maximum(i) : nan;
    std::vector<double> sorted;
    for (long k = 0; q_.keep_all && k < added_; ++k) {
      const double x = scalar_values_[std::size_t(k) * ns + i];
      s.values.push_back(x);
      if (used_[std::size_t(k)]) sorted.push_back(std::isfinite(x) ? x : std::numeric_limits<double>::infinity());
    }
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double p) { return scalar_sketch_ ? scalar_sketch_->quantile(i, p) : quantile(sorted, p); };
    s.lower = at(p_lower);
    s.upper = at(p_upper);
    if (missing() > 0) {
      const double there = double(out.realizations);
      const auto value = [&](double p) { return at(p).value; };
      s.lower_with_missing = quantiles_at(quantile_places(p_lower, there, missing()), value);
      s.upper_with_missing = quantiles_at(quantile_places(p_upper, there, missing()), value);
    }
    out.scalars.push_back(std::move(s));
  }
}

void Accumulator::bound_missing(results::StudyStatistics& out) const {
  const double there = double(out.realizations);
  for (results::ChannelStatistics& c : out.channels) bound_moments(c, there, missing());
  for (results::LimitStatistics& l : out.limits) bound_probabilities(l, there, missing());
}

results::StudyStatistics Accumulator::moments() const {
  results::StudyStatistics out;
  out.confidence = q_.confidence;
  out.realizations = points_ > 0 ? long(moments_.count(0)) : 0;
  out.missing = long(missing());
  finish_moments(out);
  for (results::ChannelStatistics& c : out.channels) c.accuracy = accuracy_of(q_.times, c);
  return out;
}

results::StudyStatistics Accumulator::finish() const {
  results::StudyStatistics out = moments();
  out.rank_error = sketch_ ? sketch_->rank_error() : 0;
  finish_bands(out);
  for (results::ChannelStatistics& c : out.channels) c.accuracy = accuracy_of(q_.times, c);
  finish_limits(out);
  finish_scalars(out);
  if (missing() > 0) bound_missing(out);
  const std::size_t nc = q_.channels.size();
  out.convergence.realizations = noted_at_;
  const double n = double(out.realizations);
  const bool add_end = !noted_at_.empty() && noted_at_.back() < n;
  if (add_end) out.convergence.realizations.push_back(n);
  for (std::size_t c = 0; c < nc; ++c) {
    std::vector<double>& curve = out.convergence.values.emplace_back();
    for (std::size_t i = 0; i < noted_at_.size(); ++i) curve.push_back(noted_[i * nc + c]);
    if (add_end) curve.push_back(std::sqrt(square_sums_[c] / n));
  }
  if (shares_) out.shares = shares_->finish();
  return out;
}

std::vector<double> Accumulator::save() const {
  std::vector<double> to = {double(added_), next_note_, double(noted_at_.size())};
  moments_.save(to);
  scalar_moments_.save(to);
  for (const auto* all : {&parts_, &scalar_parts_})
    for (const Moments& m : *all) m.save(to);
  sketch_->save(to);
  scalar_sketch_->save(to);
  for (const auto* v : {&exceeded_, &exceeded_ever_, &square_sums_, &noted_at_, &noted_})
    to.insert(to.end(), v->begin(), v->end());
  if (shares_) shares_->save(to);
  return to;
}

void Accumulator::load(std::span<const double> state) {
  StateReader from(state);
  added_ = long(from.count(most_values));
  next_note_ = from.number();
  noted_at_.resize(from.size(from.left() / (1 + q_.channels.size())));
  noted_.resize(noted_at_.size() * q_.channels.size());
  moments_.load(from);
  scalar_moments_.load(from);
  for (auto* all : {&parts_, &scalar_parts_})
    for (Moments& m : *all) m.load(from);
  sketch_->load(from);
  scalar_sketch_->load(from);
  for (auto* v : {&exceeded_, &exceeded_ever_, &square_sums_, &noted_at_, &noted_}) from.numbers_into(*v);
  if (shares_) shares_->load(from);
  from.end();
  StateReader::require(missing() >= 0);
}

void Accumulator::append(std::span<const double> state) {
  StatisticsRequest q = q_;
  q.first += added_;
  Accumulator later(std::move(q));
  later.load(state);
  // ((1/n) Σ ∫u² dt)^½ of the first n goes on from the sum of those before.
  const std::size_t nc = q_.channels.size();
  const double before = points_ > 0 ? moments_.count(0) : 0;
  for (std::size_t i = 0; i < later.noted_at_.size(); ++i) {
    const double own = later.noted_at_[i], n = before + own;
    if (n < next_note_) continue;
    next_note_ = std::max(n + 1, n * 1.01);
    noted_at_.push_back(n);
    for (std::size_t c = 0; c < nc; ++c) {
      const double value = later.noted_[i * nc + c];
      noted_.push_back(std::sqrt((square_sums_[c] + own * value * value) / n));
    }
  }
  added_ += later.added_;
  moments_.append(later.moments_);
  scalar_moments_.append(later.scalar_moments_);
  for (std::size_t r = 0; r < parts_.size(); ++r) {
    parts_[r].append(later.parts_[r]);
    scalar_parts_[r].append(later.scalar_parts_[r]);
  }
  if (sketch_ && later.sketch_) sketch_->append(*later.sketch_);
  if (scalar_sketch_ && later.scalar_sketch_) scalar_sketch_->append(*later.scalar_sketch_);
  const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  };
  add(exceeded_, later.exceeded_);
  add(exceeded_ever_, later.exceeded_ever_);
  add(square_sums_, later.square_sums_);
  if (shares_ && later.shares_) shares_->append(*later.shares_);
}

}  // namespace aleator::core::analysis
