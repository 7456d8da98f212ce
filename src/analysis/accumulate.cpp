#include "analysis/accumulate.hpp"

#include <tbb/info.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "analysis/accuracy.hpp"
#include "analysis/correction.hpp"
#include "analysis/exceedance.hpp"
#include "analysis/missing.hpp"
#include "analysis/replicates.hpp"
#include "analysis/select_columns.hpp"
#include "base/constants.hpp"
#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace aleator::core::analysis {

Accumulator::Accumulator(StatisticsRequest questions, Judges judges)
    : q_(std::move(questions)),
      points_(q_.times.size() * q_.channels.size()),
      moments_(points_),
      scalar_moments_(q_.scalars.size()),
      exceeded_(std::size_t(q_.replicates) * q_.limits.size() * q_.times.size()),
      exceeded_ever_(std::size_t(q_.replicates) * q_.limits.size()),
      square_sums_(q_.channels.size()),
      replicate_factor_(replicate_factor(std::size_t(q_.replicates))) {
  if (judges.n > 0) correction_ = std::make_shared<Correction>(q_, std::move(judges));
  if (q_.keep_all) {
    kept_ = std::make_shared<Kept>();
    std::vector<double>& responses = kept_->responses;
    try {  // all that is planned: memory is taken when it is written to, and nothing has to move
      responses.reserve(std::min(std::size_t(q_.samples) * points_, q_.held));
      prefer_large_pages(responses.data(), responses.capacity() * sizeof(double));
    } catch (const std::exception&) {
      // more than the machine has: as much as it comes to
    }
  } else if (q_.sketched) {
    const std::size_t k =
        q_.in_blocks ? QuantileSketch::buffer_for(points_ + q_.scalars.size(), sketch_bytes) : std::size_t(block_rows() + 3) / 4;
    sketch_.emplace(points_, k);
    scalar_sketch_.emplace(q_.scalars.size(), k);
  }
  if (q_.replicates > 1) {
    parts_.assign(std::size_t(q_.replicates), Moments(points_));
    scalar_parts_.assign(std::size_t(q_.replicates), Moments(q_.scalars.size()));
  }
  if (!q_.spectra.empty()) spectra_.emplace(q_.spectra, q_.times, q_.channels.size(), std::size_t(q_.replicates));
  if (!q_.groups.empty()) shares_.emplace(q_.groups, q_.times, int(q_.channels.size()));
  if (q_.in_blocks && block_rows() > 0) {
    block_.emplace_back(block_request());
    block_[0].begin_block(q_.first, q_.first);
  }
}

// [times][channels] as [channels][times]: what looks at one output after the other has its values side by side. Good until this thread asks again.
static const double* by_channels(std::span<const double> values, std::size_t nc) {
  if (nc <= 1) return values.data();
  static thread_local std::vector<double> own;
  if (own.size() < values.size()) own.resize(values.size());
  const std::size_t nt = values.size() / nc;
  if (nc == 2) {
    double *const first = own.data(), *const second = first + nt;
    for (std::size_t t = 0; t < nt; ++t) first[t] = values[2 * t], second[t] = values[2 * t + 1];
    return first;
  }
  for (std::size_t c = 0; c < nc; ++c)
    for (std::size_t t = 0; t < nt; ++t) own[c * nt + t] = values[t * nc + c];
  return own.data();
}

void Accumulator::note_convergence(const double* channels) {
  const std::size_t nc = q_.channels.size(), nt = q_.times.size();
  for (std::size_t c = 0; c < nc; ++c) note_square(c, integral_of_square(q_.times, channels + c * nt, 1));
  note_if_due();
}

void Accumulator::note_if_due() {
  const std::size_t nc = q_.channels.size();
  const double n = q_.in_blocks ? moments_.count(0) : double(rows_.count);
  if (n < next_note_) return;
  next_note_ = std::max(n + 1, n * 1.01);
  noted_at_.push_back(n);
  for (std::size_t c = 0; c < nc; ++c) noted_.push_back(std::sqrt(square_sums_[c] / n));
}

// A scalar that has no value passes no limit: comparisons with NaN are false.
void Accumulator::count_exceedances(std::span<const double> values, const double* channels, std::span<const double> scalars,
                                    std::span<const double> limits) {
  const std::size_t nt = q_.times.size(), first = replicate() * q_.limits.size();
  if (correction_) correction_->add(values, scalars, limits);
  for (std::size_t l = 0; l < q_.limits.size(); ++l) {
    const auto& limit = q_.limits[l];
    const double level = limits.empty() ? limit.value : limits[l];
    const double sign = limit.above ? 1 : -1;
    if (limit.scalar >= 0) {
      exceeded_ever_[first + l] += sign * scalars[std::size_t(limit.scalar)] > sign * level ? 1 : 0;
      continue;
    }
    const double* const x = channels + std::size_t(limit.channel) * nt;
    bool ever = count_above(x, nt, sign, level, &exceeded_[(first + l) * nt]);
    ever = ever || extreme_passes(q_.times, x, 1, level, limit.above);
    exceeded_ever_[first + l] += ever ? 1 : 0;
  }
}

void Accumulator::derive(const double* channels, std::span<const ReductionSettings> reductions, std::span<double> out) {
  for (std::size_t s = 0; s < q_.scalars.size(); ++s) {
    const ReductionSettings& settings = reductions.empty() ? q_.scalars[s].settings : reductions[s];
    out[s] = reduce(settings, q_.times, channels + std::size_t(q_.scalars[s].channel) * q_.times.size(), 1);
    if (correction_ && std::isfinite(out[s])) out[s] = correction_->take_scalar(s, out[s]);
    take_scalar(s, out[s]);
  }
}

void Accumulator::take_scalar(std::size_t scalar, double value) {
  if (!std::isfinite(value)) return;
  scalar_moments_.add(scalar, value);
  if (!scalar_parts_.empty()) scalar_parts_[replicate()].add(scalar, value);
}

// A level that was not crossed stands at the far end: quantiles of times then are those of all realizations.
std::vector<double> Accumulator::as_ranked(std::vector<double> scalars) {
  for (double& x : scalars)
    if (!std::isfinite(x)) x = std::numeric_limits<double>::infinity();
  return scalars;
}

void Accumulator::add(bool ok, std::span<const double> values, std::span<const double> limits,
                      std::span<const ReductionSettings> reductions, bool kept) {
  Accumulator& sums = block_.empty() ? *this : block_[0];
  const std::vector<double> scalars = sums.add_here(ok, values, limits, reductions);
  if (kept_ && !kept) keep(ok, values);
  if (kept_) kept_->scalar_values.insert(kept_->scalar_values.end(), scalars.begin(), scalars.end());
  if (!block_.empty() && (sums.q_.first + sums.added_) % block_rows() == 0) close_block();
}

void Accumulator::keep(bool ok, std::span<const double> values) {
  if (!kept_) return;
  std::vector<double>& responses = kept_->responses;
  if (source_ && responses.size() + points_ > q_.held) kept_->released = true, std::vector<double>().swap(responses);
  if (!kept_->released && ok) responses.insert(responses.end(), values.begin(), values.end());
  if (!kept_->released && !ok) responses.insert(responses.end(), points_, nan);
  kept_->used.push_back(usable(ok, values));
}

// One value that is not finite would spoil the moments for good, and has no rank.
bool Accumulator::usable(bool ok, std::span<const double> values) const { return ok && points_ > 0 && all_finite(values); }

std::vector<double> Accumulator::add_here(bool ok, std::span<const double> values, std::span<const double> limits,
                                          std::span<const ReductionSettings> reductions) {
  ++added_;
  std::vector<double> derived(q_.scalars.size(), nan);
  if (usable(ok, values)) {
    const double* const channels = by_channels(values, q_.channels.size());
    derive(channels, reductions, derived);
    take_row(values, as_ranked(derived));
    note_convergence(channels);
    if (spectra_) spectra_->add(values, replicate());
    count_exceedances(values, channels, derived, limits);
  }
  if (!q_.in_blocks && !q_.sketched) rows_.all_scalars.insert(rows_.all_scalars.end(), derived.begin(), derived.end());
  return derived;
}

// Of a block values are added up at its end.
void Accumulator::take_row(std::span<const double> values, const std::vector<double>& ranked) {
  if (q_.in_blocks) {
    moments_.add(values);
    if (!parts_.empty()) parts_[replicate()].add(values);
    if (sketch_) sketch_->add(values), scalar_sketch_->add(ranked);
    return;
  }
  ++rows_.count;
  if (rows_.stay) {
    rows_.at.push_back(values.data());
  } else {
    rows_.held.reserve(std::size_t(block_rows()) * points_);
    rows_.held.insert(rows_.held.end(), values.begin(), values.end());
  }
  if (q_.sketched) rows_.scalars.insert(rows_.scalars.end(), ranked.begin(), ranked.end());
  if (!parts_.empty()) rows_.replicates.push_back(double(replicate()));
}

void Accumulator::find_columns(std::size_t first, std::size_t count, Columns& to) const {
  to.data = released() ? to.own.read(*source_, used().size(), first, count) : responses().data() + first;
  to.stride = released() ? count : points_;
}

std::vector<double> Accumulator::response(long k) const {
  std::vector<double> out(points_);
  if (released())
    source_->read(std::size_t(k), 1, 0, points_, out.data());
  else
    std::copy_n(responses().begin() + k * long(points_), points_, out.begin());
  return out;
}

results::Estimate Accumulator::mean_of(const Moments& all, const std::vector<Moments>& parts, std::size_t i) const {
  if (parts.empty()) return all.mean(i);
  std::vector<double> values;
  for (const Moments& m : parts) values.push_back(m.mean(i).value);
  return {all.mean(i).value, replicate_factor_ * scatter_of_mean(values)};
}

// Of a randomisation: the mean square about the mean of all, V_r; δσ = δV/2σ. Σ(x − m)²/n lacks the variance of the mean m, which is
// V/n of independent realizations alone: of a design it is the scatter between its randomisations.
results::Estimate Accumulator::std_of(const Moments& all, const std::vector<Moments>& parts, std::size_t i) const {
  const results::Estimate pooled = all.standard_deviation(i);
  if (parts.empty() || std::isnan(pooled.value)) return pooled;
  std::vector<double> means, squares;
  for (const Moments& m : parts) {
    means.push_back(m.mean(i).value);
    squares.push_back(m.mean_square_about(i, all.mean(i).value));
  }
  const double n = all.count(i), of_mean = scatter_of_mean(means), s = pooled.value;
  const double value = std::isnan(of_mean) ? s : std::sqrt(s * s * (n - 1) / n + of_mean * of_mean);
  return {value, s > 0 ? replicate_factor_ * scatter_of_mean(squares) / (2 * s) : 0};
}

template <class Share>
auto Accumulator::share_of(const std::vector<double>& counts, std::size_t i, const Share& share) const {
  const std::size_t replicates = std::size_t(q_.replicates), stride = counts.size() / replicates;
  std::vector<double> own, there;
  for (std::size_t r = 0; r < replicates; ++r) {
    own.push_back(counts[r * stride + i]);
    there.push_back(replicates > 1 ? parts_[r].count(0) : moments_.count(0));
  }
  return share(own, there, replicate_factor_);
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
  if (!correction_) return;
  const auto quantile_at = [&](double x) { return sketch_->quantile(point, x).value; };
  for (int end = 0; end < 2; ++end) {
    const Correction::Moved m = correction_->band(point, p[end], n, quantile_at);
    const double ranks = std::hypot(ranks_of_quantile(n, p[end]), m.ranks);
    (end == 0 ? band.lower : band.upper) = sketch_->quantiles(point, {&m.p, 1}, {&ranks, 1})[0];
  }
}

// Of columns_at_once neighbouring points.
void Accumulator::finish_band(std::size_t first, const double* x, std::size_t stride, std::span<Band> bands) const {
  if (sketch_) {
    for (std::size_t i = 0; i < bands.size(); ++i) sketch_band(first + i, bands[i]);
    return;
  }
  const double p_lower = (1 - q_.confidence) / 2, p_upper = (1 + q_.confidence) / 2, there = moments_.count(first);
  if (there == 0) return;
  std::vector<const double*> rows;
  for (std::size_t k = 0; k < used().size(); ++k)
    if (used()[k]) rows.push_back(x + k * stride);
  // Twice the error of independent realizations to both sides, and what failed ones could make of it.
  std::vector<SelectedColumns::Window> windows;
  for (const double p : {p_lower, p_upper}) {
    const results::Range places = quantile_places(p, there, missing());
    const double wide = 2 * ranks_of_quantile(there, p) + 2, last = there - 1;
    const auto rank = [&](double place) { return std::size_t(std::clamp(place, 0.0, last)); };
    windows.push_back({rank(std::min(p, places.low) * last - wide), rank(std::max(p, places.high) * last + wide)});
  }
  const SelectedColumns columns(rows, bands.size(), windows);
  std::vector<double> lower, upper;
  for (std::size_t i = 0; i < bands.size(); ++i)
    lower.push_back(quantile(columns, i, p_lower, 0).value), upper.push_back(quantile(columns, i, p_upper, 0).value);
  const std::vector<double> ranks_lower = ranks_below(first, x, stride, lower, p_lower),
                            ranks_upper = ranks_below(first, x, stride, upper, p_upper);
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const auto at = [&](double p) { return quantile(columns, i, p, 0).value; };
    const auto end = [&](double p, double ranks) {
      double place = p;
      ranks = ranks_of_quantile(there, p, ranks);
      if (correction_) {
        const Correction::Moved m = correction_->band(first + i, p, there, at);
        place = m.p, ranks = std::hypot(ranks, m.ranks);
      }
      return quantile(columns, i, place, ranks);
    };
    bands[i].lower = end(p_lower, ranks_lower[i]), bands[i].upper = end(p_upper, ranks_upper[i]);
    bands[i].lower_with_missing = quantiles_at(quantile_places(p_lower, there, missing()), at);
    bands[i].upper_with_missing = quantiles_at(quantile_places(p_upper, there, missing()), at);
  }
}

// Errors of the numbers of values below a level at neighbouring points.
std::vector<double> Accumulator::ranks_below(std::size_t first, const double* x, std::size_t stride,
                                             std::span<const double> levels, double p) const {
  const double n = moments_.count(first);
  if (parts_.empty()) return std::vector<double>(levels.size(), std::sqrt(n * p * (1 - p)));
  const std::size_t replicates = parts_.size();
  std::vector<double> below(levels.size() * replicates), there;  // [points][replicates]
  for (std::size_t k = 0; k < used().size(); ++k) {
    if (!used()[k]) continue;
    const double* const own = x + k * stride;
    const std::size_t r = (std::size_t(q_.first) + k) % replicates;
    for (std::size_t i = 0; i < levels.size(); ++i) below[i * replicates + r] += own[i] <= levels[i] ? 1 : 0;
  }
  for (const Moments& m : parts_) there.push_back(m.count(first));
  std::vector<double> out;
  for (std::size_t i = 0; i < levels.size(); ++i)
    out.push_back(ranks_by_replicates(std::span(below).subspan(i * replicates, replicates), there, replicate_factor_));
  return out;
}

void Accumulator::finish_moments(results::StudyStatistics& out) const {
  const std::size_t nc = q_.channels.size(), nt = q_.times.size();
  for (std::size_t c = 0; c < nc; ++c) {
    results::ChannelStatistics s;
    for (std::size_t t = 0; t < nt; ++t) {
      const std::size_t i = t * nc + c;
      const results::Estimate mean = mean_of(moments_, parts_, i), std = std_of(moments_, parts_, i);
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

void Accumulator::finish_bands(results::StudyStatistics& out, const Points& also) const {
  const std::size_t nc = q_.channels.size();
  std::vector<Band> bands(points_, Band{{nan, nan}, {nan, nan}, {}, {}});
  // What is not held comes in blocks of points.
  const std::size_t tiles = (points_ + columns_at_once - 1) / columns_at_once, rows = std::max<std::size_t>(used().size(), 1);
  const std::size_t at_once = released() ? std::max<std::size_t>(results::response_block / rows / columns_at_once, 1) : tiles;
  // More threads than cores gain nothing here, and TBB would print a warning about them.
  const int threads = q_.threads > 0 ? std::min(q_.threads, tbb::info::default_concurrency()) : tbb::task_arena::automatic;
  Columns x;
  for (std::size_t from = 0; from < tiles; from += at_once) {
    const std::size_t first = from * columns_at_once, count = std::min(at_once * columns_at_once, points_ - first);
    tbb::task_arena(threads).execute([&] {
      find_columns(first, count, x);
      each_in_parallel((count + columns_at_once - 1) / columns_at_once, [&](std::size_t tile) {
        const std::size_t at = tile * columns_at_once;
        finish_band(first + at, x.data ? x.data + at : nullptr, x.stride,
                    {&bands[first + at], std::min(columns_at_once, count - at)});
      });
      if (also && x.data) also(first, count, x.data, x.stride);
    });
  }
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
  for (std::size_t l = 0; l < q_.limits.size(); ++l) {
    results::LimitStatistics s;
    s.channel = q_.limits[l].channel;
    s.value = q_.limits[l].value;
    s.above = q_.limits[l].above;
    s.scalar = q_.limits[l].scalar;
    for (std::size_t t = 0; s.scalar < 0 && t < q_.times.size(); ++t) {
      results::Estimate e = share_of(exceeded_, l * q_.times.size() + t, analysis::share_of);
      if (correction_) e = correction_->probability(l, t, e);
      s.probability.push_back(e.value);
      s.error.push_back(e.error);
    }
    s.ever = share_of(exceeded_ever_, l, probability_of);
    if (correction_) s.ever = with_interval(correction_->ever(l, s.ever), double(added_));
    out.limits.push_back(std::move(s));
  }
}

double Accumulator::scalar_quantile(std::size_t i, std::span<const double> sorted, double p) const {
  return scalar_sketch_ ? scalar_sketch_->quantile(i, p).value : quantile(sorted, p, 0).value;
}

// A limit of the band of a scalar.
results::Estimate Accumulator::scalar_end(std::size_t i, std::span<const double> sorted, double p) const {
  const double there = moments_.count(0);
  double ranks = std::sqrt(there * p * (1 - p)), place = p;
  if (const std::size_t parts = scalar_parts_.size(); parts > 0 && !scalar_sketch_) {
    const double level = scalar_quantile(i, sorted, p);
    std::vector<double> below(parts), all(parts);
    for (std::size_t k = 0; k < used().size(); ++k) {
      if (!used()[k]) continue;
      const std::size_t r = (std::size_t(q_.first) + k) % parts;
      const double x = kept_->scalar_values[k * q_.scalars.size() + i];
      ++all[r], below[r] += x <= level || (!std::isfinite(x) && level == infinity) ? 1 : 0;
    }
    ranks = ranks_by_replicates(below, all, replicate_factor_);
  }
  ranks = ranks_of_quantile(there, p, ranks);
  if (correction_) {
    const auto at = [&](double x) { return scalar_quantile(i, sorted, x); };
    const Correction::Moved m = correction_->scalar_band(i, p, there, at);
    place = m.p, ranks = std::hypot(ranks, m.ranks);
  }
  return scalar_sketch_ ? scalar_sketch_->quantiles(i, {&place, 1}, {&ranks, 1})[0] : quantile(sorted, place, ranks);
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
    if (q.settings.reduction != Reduction::value) s.channel = q_.channels[std::size_t(q.channel)];
    s.nominal = reduce(q.settings, q_.times, q_.nominal.data() + q.channel, int(q_.channels.size()));
    s.count = long(scalar_moments_.count(i));
    s.mean = mean_of(scalar_moments_, scalar_parts_, i);
    s.std = std_of(scalar_moments_, scalar_parts_, i);
    s.minimum = s.count > 0 ? scalar_moments_.minimum(i) : nan;
    s.maximum = s.count > 0 ? scalar_moments_.maximum(i) : nan;
    std::vector<double> sorted;
    for (long k = 0; kept_ && k < added_; ++k) {
      s.values.push_back(kept_->scalar_values[std::size_t(k) * ns + i]);
      if (kept_->used[std::size_t(k)]) sorted.push_back(std::isfinite(s.values.back()) ? s.values.back() : infinity);
    }
    std::sort(sorted.begin(), sorted.end());
    const double there = double(out.realizations);
    const auto value = [&](double p) { return scalar_quantile(i, sorted, p); };
    s.lower = scalar_end(i, sorted, p_lower);
    s.upper = scalar_end(i, sorted, p_upper);
    if (const double share = double(s.count) / there; correction_ && s.count > 1) {
      s.std = correction_->scalar_std(i, s.std, s.mean.value, share);
      s.mean = correction_->scalar_mean(i, s.mean, share);
      s.missed = correction_->missed(i);
    }
    if (missing() > 0) {
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

results::StudyStatistics Accumulator::moments() const { return block_.empty() ? moments_here() : with_block().moments_here(); }

results::StudyStatistics Accumulator::finish(const Points& also) const {
  return block_.empty() ? finish_here(also) : with_block().finish_here(also);
}

results::StudyStatistics Accumulator::moments_here() const {
  results::StudyStatistics out;
  out.confidence = q_.confidence;
  out.realizations = points_ > 0 ? long(moments_.count(0)) : 0;
  out.missing = long(missing());
  finish_moments(out);
  settle(q_.times, q_.units, out);
  return out;
}

results::StudyStatistics Accumulator::finish_here(const Points& also) const {
  results::StudyStatistics out = moments_here();
  out.rank_error = sketch_ ? sketch_->rank_error() : 0;
  finish_bands(out, also);
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
  if (spectra_) out.spectra = spectra_->finish(q_.nominal);
  if (shares_) out.shares = shares_->finish();
  settle(q_.times, q_.units, out);
  return out;
}

void Accumulator::save(const PutState& put) const {
  const double head[] = {double(added_), next_note_, double(noted_at_.size())};
  put(head);
  moments_.save(put);
  scalar_moments_.save(put);
  for (const auto* all : {&parts_, &scalar_parts_})
    for (const Moments& m : *all) m.save(put);
  if (sketch_) sketch_->save(put), scalar_sketch_->save(put);
  for (const auto* v : {&exceeded_, &exceeded_ever_, &square_sums_, &noted_at_, &noted_}) put(*v);
  if (spectra_) spectra_->save(put);
  if (shares_) shares_->save(put);
  if (!q_.in_blocks) save_rows(put);
  if (!block_.empty()) block_[0].save(put);
}

void Accumulator::load(std::span<const double> state) {
  StateReader from(state);
  load(from);
  from.end();
}

void Accumulator::load(StateReader& from) {
  added_ = long(from.count(most_values));
  next_note_ = from.number();
  noted_at_.resize(from.size(from.left() / (1 + q_.channels.size())));
  noted_.resize(noted_at_.size() * q_.channels.size());
  moments_.load(from);
  scalar_moments_.load(from);
  for (auto* all : {&parts_, &scalar_parts_})
    for (Moments& m : *all) m.load(from);
  if (sketch_) sketch_->load(from), scalar_sketch_->load(from);
  for (auto* v : {&exceeded_, &exceeded_ever_, &square_sums_, &noted_at_, &noted_}) from.numbers_into(*v);
  if (spectra_) spectra_->load(from);
  if (shares_) shares_->load(from);
  if (!q_.in_blocks) load_rows(from);
  StateReader::require(missing() >= 0);
  if (block_.empty()) return;
  block_[0].begin_block(q_.first + added_, q_.first);
  block_[0].load(from);
  StateReader::require(block_[0].added_ < block_rows() && (points_ == 0 || block_[0].moments_.count(0) == 0));
}

void Accumulator::append(std::span<const double> state) {
  StatisticsRequest q = q_;
  q.first += added_ + (block_.empty() ? 0 : block_[0].added_);
  Accumulator later(std::move(q));
  later.load(state);
  if (block_.empty()) return append(later);
  close_block();
  append(later.with_block());
  block_[0].begin_block(q_.first + added_, q_.first);
}

void Accumulator::append(const Accumulator& later) {
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
  if (spectra_) spectra_->append(*later.spectra_);
  if (shares_ && later.shares_) shares_->append(*later.shares_);
}

}  // namespace aleator::core::analysis
