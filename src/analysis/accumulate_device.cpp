// Blocks of realizations that a device has simulated and added up. It tells of each realization what scalars, limits and the curve of convergence look
// at, and of all together moments, sorted values and counts; what is made of these here is bitwise what is made of the realizations.
#include <algorithm>
#include <cmath>

#include "analysis/accumulate.hpp"
#include "numerics/sampled.hpp"

namespace aleator::core::analysis {
namespace {

constexpr long rows_of_kernels[] = {64, 128, 256};

bool is_recorded(const ReductionSettings& s, std::span<const double> times) {
  if (s.reduction == Reduction::value) return true;
  switch (s.reduction) {
    case Reduction::maximum:
    case Reduction::minimum:
    case Reduction::largest_magnitude:
    case Reduction::final:
    case Reduction::rms:
    case Reduction::average:
      return !s.weighting && Sampled{times, nullptr, 1}.within(s.from, s.to).count() == times.size();
    default:
      return false;
  }
}

// As reduce() does it.
double told_scalar(const ReductionSettings& s, const RecordedSeries::Channel& c, double span, const double* told) {
  switch (s.reduction) {
    case Reduction::maximum:
      return told[c.largest] + 0.0;
    case Reduction::minimum:
      return -(told[c.least] + 0.0);
    case Reduction::largest_magnitude:
      return std::max({0.0, told[c.largest] + 0.0, told[c.least] + 0.0});
    case Reduction::final:
      return told[c.first + RecordedSeries::last];
    case Reduction::rms:
      return std::sqrt(told[c.first + RecordedSeries::square] / span);
    case Reduction::average:
      return told[c.first + RecordedSeries::integral] / span;
    default:
      return s.level;
  }
}

}  // namespace

std::optional<DeviceBlock> Accumulator::block_on_device() const {
  const long rows = block_rows();
  const std::vector<double>& t = q_.times;
  if (!sketch_ || correction_ || spectra_ || q_.replicates != 1 ||
      std::ranges::find(rows_of_kernels, rows) == std::end(rows_of_kernels))
    return std::nullopt;
  if (t.size() < fewest_times_recorded || t.size() * q_.channels.size() > 65535 ||
      std::ranges::adjacent_find(t, std::greater_equal<>()) != t.end())
    return std::nullopt;
  std::vector<RecordedSeries::Wanted> wanted(q_.channels.size());
  const auto want = [&](int channel, bool largest, bool least) {
    RecordedSeries::Wanted& w = wanted[std::size_t(channel)];
    w.largest = w.largest || largest, w.least = w.least || least;
  };
  for (const StatisticsRequest::Scalar& s : q_.scalars) {
    if (!is_recorded(s.settings, t)) return std::nullopt;
    const bool magnitude = s.settings.reduction == Reduction::largest_magnitude;
    want(s.channel, magnitude || s.settings.reduction == Reduction::maximum,
         magnitude || s.settings.reduction == Reduction::minimum);
  }
  DeviceBlock block{int(rows), int(t.size()), {}, {}};
  for (const StatisticsRequest::Limit& l : q_.limits) {
    if (l.scalar >= 0) continue;
    want(l.channel, l.above, !l.above);
    block.limits.push_back({l.channel, l.value, l.above});
  }
  block.series = record_series(t, wanted, largest_usable);
  return block;
}

std::optional<ColumnPick> Accumulator::picked_of_block(long first, long first_of_all) const {
  const std::size_t halvings = halvings_of_block(first, first_of_all);
  if (halvings == 0) return std::nullopt;
  const auto block = first / block_rows();
  return ColumnPick{std::uint32_t(QuantileSketch::first_of_block(double(block), halvings)), 1u << halvings};
}

std::vector<double> Accumulator::finish_block(const DeviceBlock& block, std::span<const double> told,
                                              std::span<const double> sums) {
  const std::size_t nc = q_.channels.size(), nt = q_.times.size(), rows = std::size_t(block.rows),
                    lines = std::size_t(block.series.lines);
  const double span = q_.times.back() - q_.times.front();
  std::vector<double> scalars(q_.scalars.size());
  for (std::size_t k = 0; k < rows; ++k) {
    const double* const own = told.data() + k * lines;
    ++added_, ++rows_.count;
    for (std::size_t s = 0; s < scalars.size(); ++s) {
      const StatisticsRequest::Scalar& q = q_.scalars[s];
      scalars[s] = told_scalar(q.settings, block.series.channels[std::size_t(q.channel)], span, own);
      take_scalar(s, scalars[s]);
    }
    const std::vector<double> ranked = as_ranked(scalars);
    rows_.scalars.insert(rows_.scalars.end(), ranked.begin(), ranked.end());
    for (std::size_t c = 0; c < nc; ++c) note_square(c, own[block.series.channels[c].first + RecordedSeries::square]);
    note_if_due();
    for (std::size_t l = 0; l < q_.limits.size(); ++l) {
      const StatisticsRequest::Limit& limit = q_.limits[l];
      const double sign = limit.above ? 1 : -1;
      const RecordedSeries::Channel& channel = block.series.channels[std::size_t(std::max(limit.channel, 0))];
      const double x =
          limit.scalar >= 0 ? sign * scalars[std::size_t(limit.scalar)] : own[limit.above ? channel.largest : channel.least];
      exceeded_ever_[l] += x > sign * limit.value ? 1 : 0;
    }
  }
  const ColumnSums columns{block.rows, int(points_), int(nc), int(nt), block.limits};
  moments_.set(double(rows), sums.data());
  const double* counts = sums.data() + columns.first_count();
  for (std::size_t l = 0; l < q_.limits.size(); ++l) {
    if (q_.limits[l].scalar >= 0) continue;
    for (std::size_t t = 0; t < nt; ++t) exceeded_[l * nt + t] += counts[t];
    counts += nt;
  }
  const std::size_t halvings = halvings_of_block(q_.first, first_of_all_);
  const QuantileSketch::Block to = sketch_->begin_block(rows, halvings);
  for (std::size_t j = 0; j < to.to.size(); ++j)
    std::copy_n(sums.data() + columns.first_sorted() + long(j * points_), points_, to.to[j]);
  sum_scalars(halvings);
  clear_rows();
  return save();
}

}  // namespace aleator::core::analysis
