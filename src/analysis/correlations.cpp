#include "analysis/correlations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/ranks.hpp"
#include "analysis/time_integral.hpp"
#include "base/aligned.hpp"
#include "base/cancellation.hpp"
#include "base/constants.hpp"
#include "base/parallel.hpp"
#include "base/wide.hpp"
#include "numerics/dense.hpp"
#include "numerics/series.hpp"

namespace aleator::core::analysis {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using results::Correlations;
constexpr std::size_t most_points_at_once = 64, numbers_at_once = std::size_t(1) << 17;  // 1 MB: in the second-level cache
constexpr std::size_t most_numbers_kept = std::size_t(1) << 21;                          // 16 MB of each thread
constexpr Index ahead = 8;               // rows that are fetched before they are needed
constexpr double round_off = 1e-13;      // of a sum over many numbers, relative to the largest
constexpr double dependent = 1e-9;       // of the variance of ranks: what is left of a column that others give
constexpr double no_scatter = 1e-14;     // of the largest variance over time: round-off has no causes
constexpr double all_explained = 1e-12;  // of the variance of ranks of an output

// To sums of products of some columns with some others, all next to each other, four rows at a time.
template <std::size_t of_a, std::size_t of_b>
void add_products(const double* a, const double* b, std::size_t length, std::size_t rows, Four* sums, std::size_t stride) {
  const auto at = [](const double* x) { return reinterpret_cast<const FourAt*>(x); };
  Four own[of_a][of_b];
  for (std::size_t i = 0; i < of_a; ++i) std::copy_n(sums + i * stride, of_b, own[i]);
  for (std::size_t k = 0; k < rows; k += 4)
    for (std::size_t i = 0; i < of_a; ++i)
      for (std::size_t j = 0; j < of_b; ++j) own[i][j] += at(a + i * length + k)->numbers * at(b + j * length + k)->numbers;
  for (std::size_t i = 0; i < of_a; ++i) std::copy_n(own[i], of_b, sums + i * stride);
}

// Aᵀ B of few, long columns: every number of it is a sum of its own, in the same order whatever is beside it. Eigen would first copy A, for
// the few columns of B that fit into a cache.
ALEATOR_WIDE void multiply_transposed(const double* a, std::size_t of_a, const double* b, std::size_t of_b, std::size_t length,
                                      Four* sums, double* out) {
  constexpr std::size_t rows_at_once = 256;  // of all columns, in the first-level cache
  const std::size_t whole = length / 4 * 4;
  for (std::size_t from = 0; from < whole; from += rows_at_once) {
    const std::size_t rows = std::min(rows_at_once, whole - from);
    const auto block = [&](auto add, std::size_t i, std::size_t j) {
      add(a + i * length + from, b + j * length + from, length, rows, sums + i * of_b + j, of_b);
    };
    std::size_t i = 0;
    for (; i + 2 <= of_a; i += 2) {
      std::size_t j = 0;
      for (; j + 4 <= of_b; j += 4) block(add_products<2, 4>, i, j);
      for (; j < of_b; ++j) block(add_products<2, 1>, i, j);
    }
    for (std::size_t j = 0; i < of_a && j < of_b; ++j) block(add_products<1, 1>, i, j);
  }
  for (std::size_t i = 0; i < of_a; ++i)
    for (std::size_t j = 0; j < of_b; ++j) {
      const Four& s = sums[i * of_b + j];
      double sum = (s[0] + s[1]) + (s[2] + s[3]);
      for (std::size_t k = whole; k < length; ++k) sum += a[i * length + k] * b[j * length + k];
      out[i + j * of_a] = sum;
    }
}

MatrixXd transposed_times(const MatrixXd& a, const double* b, Index columns) {
  MatrixXd out(a.cols(), columns);
  AlignedVector<Four> sums(std::size_t(out.size()), Four{});
  multiply_transposed(a.data(), std::size_t(a.cols()), b, std::size_t(columns), std::size_t(a.rows()), sums.data(), out.data());
  return out;
}

// Mean 0; all of them 0 where they do not vary. Returns the length, √Σx². Four sums side by side, and one of what is left.
ALEATOR_WIDE double centred(std::span<double> x) {
  const std::size_t n = x.size(), whole = n / 8 * 8;
  double* const at = x.data();
  const auto four = [&](std::size_t k) -> FourAt& { return *reinterpret_cast<FourAt*>(at + k); };
  const auto sum = [](const Four& a, const Four& b) { return ((a[0] + b[0]) + (a[1] + b[1])) + ((a[2] + b[2]) + (a[3] + b[3])); };
  Four a{}, b{}, least{}, most{};
  for (std::size_t k = 0; k < whole; k += 8) {
    const Four u = four(k).numbers, v = four(k + 4).numbers;
    a += u, b += v;
    most = most < u ? u : most, most = most < v ? v : most;
    least = u < least ? u : least, least = v < least ? v : least;
  }
  double total = sum(a, b), size = 0;
  for (int i = 0; i < 4; ++i) size = std::max({size, most[i], -least[i]});
  for (std::size_t k = whole; k < n; ++k) total += at[k], size = std::max(size, std::abs(at[k]));
  const double mean = total / double(n);
  a = b = Four{};
  for (std::size_t k = 0; k < whole; k += 8) {
    const Four u = four(k).numbers - mean, v = four(k + 4).numbers - mean;
    four(k).numbers = u, four(k + 4).numbers = v;
    a += u * u, b += v * v;
  }
  double squares = sum(a, b);
  for (std::size_t k = whole; k < n; ++k) at[k] -= mean, squares += at[k] * at[k];
  const double length = std::sqrt(squares);
  // a constant differs from its mean by round-off
  if (length > round_off * size * std::sqrt(double(n))) return length;
  std::fill_n(at, n, 0.0);
  return 0;
}

// Mean 0 and length 1, so that products of columns are correlations; 0 where a column does not vary, which is false.
bool standardize(std::span<double> x) {
  const double length = centred(x);
  if (length == 0) return false;
  for (double& own : x) own /= length;
  return true;
}

}  // namespace

struct Correlator::Prepared {
  MatrixXd values, ranks;    // [rows][columns], standardised
  std::vector<char> varies;  // [columns]
  std::vector<Index> kept;   // columns of partial correlations; none when there are too few realizations
  MatrixXd inverse;          // R⁻¹ of the kept ones
};

namespace {

// L of XᵀX = L Lᵀ
MatrixXd gram_factor(const MatrixXd& x) {
  MatrixXd gram = dense::transposed_times(x, x);
  dense::cholesky(gram);
  return gram;
}

// "a.mass, b.mass": of which of the columns before it column j is a combination.
std::string named_parts(const MatrixXd& ranks, const std::vector<Index>& before, Index j,
                        const std::vector<std::string>& columns) {
  MatrixXd x(ranks.rows(), Index(before.size()));
  for (Index i = 0; i < x.cols(); ++i) x.col(i) = ranks.col(before[std::size_t(i)]);
  const VectorXd right = x.transpose() * ranks.col(j), share = dense::solve_cholesky(gram_factor(x), right);
  std::string names;
  for (Index i = 0; i < share.size(); ++i)
    if (std::abs(share[i]) > 1e-4) names += (names.empty() ? "" : ", ") + columns[std::size_t(before[std::size_t(i)])];
  return names;
}

// Columns one after the other (Gram–Schmidt, twice against round-off); one that is a combination of those before is left out.
std::vector<Index> independent_columns(const MatrixXd& ranks, Correlations& out) {
  std::vector<Index> kept;
  MatrixXd basis(ranks.rows(), ranks.cols());
  for (Index j = 0; j < ranks.cols(); ++j) {
    throw_if_cancelled();
    VectorXd x = ranks.col(j);
    if (x.isZero(0)) continue;  // constant
    const auto before = basis.leftCols(Index(kept.size()));
    for (int pass = 0; pass < 2; ++pass) x -= before * (before.transpose() * x).eval();
    if (x.squaredNorm() > dependent) {
      basis.col(Index(kept.size())) = x.normalized();
      kept.push_back(j);
    } else {
      out.determined_by[std::size_t(j)] = named_parts(ranks, kept, j, out.columns);
    }
  }
  return kept;
}

void integrate(Correlations::Measure& m, std::span<const double> weights, const std::vector<double>& variance) {
  double sum = 0, whole = 0;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    if (std::isnan(m.at_times[t])) continue;
    sum += weights[t] * m.at_times[t] * m.at_times[t] * variance[t];
    whole += weights[t] * variance[t];
  }
  m.integrated = whole > 0 ? std::sqrt(sum / whole) : nan;
}

}  // namespace

Correlator::Correlator(std::vector<std::string> columns, std::span<const double> inputs, std::span<const char> used)
    : inputs_(std::make_unique<Prepared>()) {
  out_.columns = std::move(columns);
  const std::size_t d = out_.columns.size();
  out_.determined_by.resize(d);
  for (std::size_t k = 0; k < used.size(); ++k)
    if (used[k]) rows_.push_back(k);
  const Index n = Index(rows_.size());
  out_.realizations = long(n);
  Prepared& p = *inputs_;
  p.values.resize(n, Index(d));
  p.ranks.resize(n, Index(d));
  p.varies.resize(d);
  RankOrder order;
  for (Index j = 0; j < Index(d) && n > 0; ++j) {
    throw_if_cancelled();
    for (Index i = 0; i < n; ++i) p.values(i, j) = inputs[rows_[std::size_t(i)] * d + std::size_t(j)];
    const std::span<double> values{&p.values(0, j), std::size_t(n)}, own_ranks{&p.ranks(0, j), std::size_t(n)};
    order.ranks(values, own_ranks);
    p.varies[std::size_t(j)] = standardize(values);
    if (p.varies[std::size_t(j)])
      standardize(own_ranks);
    else
      p.ranks.col(j).setZero();
  }
  const auto error = [](double factor, double count) { return count > 3 ? std::sqrt(factor / (count - 3)) : nan; };
  out_.pearson_error = error(1, double(n));
  out_.spearman_error = error(1.06, double(n));
  if (n > Index(d) + 2) p.kept = independent_columns(p.ranks, out_);
  const Index m = Index(p.kept.size());
  out_.partial_rank_error = m > 0 ? error(1.06, double(n - m + 1)) : nan;
  MatrixXd kept_ranks(n, m);
  for (Index i = 0; i < m; ++i) kept_ranks.col(i) = p.ranks.col(p.kept[std::size_t(i)]);
  p.inverse = dense::solve_cholesky(gram_factor(kept_ranks), MatrixXd(MatrixXd::Identity(m, m)));
}

Correlator::~Correlator() = default;

// As many as fit into the cache; in fours, which are multiplied side by side; eight, a cache line of each row, as long as they are little memory.
std::size_t Correlator::points_at_once() const {
  const std::size_t n = std::max<std::size_t>(rows_.size(), 1);
  return std::clamp<std::size_t>(numbers_at_once / n / 4 * 4, 2 * n * 8 <= most_numbers_kept ? 8 : 4, most_points_at_once);
}

void Correlator::begin(std::size_t times, std::size_t channels) {
  const Correlations::Measure empty{std::vector<double>(times, nan), nan};
  making_.assign(channels,
                 {std::vector<double>(times), std::vector<Correlations::OfColumn>(out_.columns.size(), {empty, empty, empty})});
}

void Correlator::add(const double* values, std::size_t stride, std::size_t first, std::size_t count) {
  if (rows_.size() < 2) return;
  const std::size_t at_once = points_at_once(), tiles = (count + at_once - 1) / at_once;
  each_in_parallel(tiles, [&](std::size_t tile) {
    const std::size_t from = tile * at_once;
    add_tile(values + from, stride, first + from, std::min(at_once, count - from));
  });
}

void Correlator::end(std::span<const double> times) {
  const std::vector<double> weights = trapezoidal_weights(times);
  for (InTheMaking& channel : making_) {
    const std::vector<double>& variance = channel.variance;
    const double largest = variance.empty() ? 0 : *std::max_element(variance.begin(), variance.end());
    for (Correlations::OfColumn& c : channel.of)
      for (Correlations::Measure* m : {&c.pearson, &c.spearman, &c.partial_rank}) {
        for (std::size_t t = 0; t < times.size(); ++t)
          if (!(variance[t] > no_scatter * largest)) m->at_times[t] = nan;
        integrate(*m, weights, variance);
      }
    out_.of.push_back(std::move(channel.of));
  }
  making_.clear();
}

void Correlator::add_tile(const double* values, std::size_t stride, std::size_t first, std::size_t count) {
  const Prepared& p = *inputs_;
  const std::size_t n = rows_.size(), channels = making_.size();
  const Index m = Index(count);
  const auto of = [&](Index i) -> InTheMaking& { return making_[(first + std::size_t(i)) % channels]; };
  const auto time = [&](Index i) { return (first + std::size_t(i)) / channels; };
  // Memory that stays with the thread, as far as it is little: to get it anew from the system takes as long as to fill it.
  static thread_local std::vector<double> kept;
  static thread_local RankOrder order;
  std::vector<double> own;
  std::vector<double>& numbers = 2 * n * count <= most_numbers_kept ? kept : own;
  if (numbers.size() < 2 * n * count) numbers.resize(2 * n * count);
  double *const y = numbers.data(), *const ranks = y + n * count;
  for (std::size_t i = 0; i < n; ++i) {
    const double* const row = values + rows_[i] * stride;
    if (i + ahead < n)  // no processor guesses which row is the next
      for (std::size_t at = 0; at < count; at += 8) __builtin_prefetch(values + rows_[i + ahead] * stride + at);
    for (std::size_t c = 0; c < count; ++c) y[c * n + i] = row[c];
  }
  std::vector<double> length(count), rank_length(count);
  for (std::size_t c = 0; c < count; ++c) {
    const std::span<double> x{y + c * n, n}, x_ranks{ranks + c * n, n};
    order.ranks(x, x_ranks);
    rank_length[c] = centred(x_ranks);
    length[c] = centred(x);
    of(Index(c)).variance[time(Index(c))] = length[c] * length[c] / double(n - 1);
  }
  const auto bounded = [](double r) { return std::clamp(r, -1.0, 1.0); };  // round-off
  MatrixXd pearson = transposed_times(p.values, y, m), spearman = transposed_times(p.ranks, ranks, m);
  for (Index t = 0; t < m; ++t) {
    pearson.col(t) /= length[std::size_t(t)] > 0 ? length[std::size_t(t)] : 1;
    spearman.col(t) /= rank_length[std::size_t(t)] > 0 ? rank_length[std::size_t(t)] : 1;
  }
  for (std::size_t j = 0; j < out_.columns.size(); ++j) {
    if (!p.varies[j]) continue;
    for (Index t = 0; t < m; ++t) {
      of(t).of[j].pearson.at_times[time(t)] = bounded(pearson(Index(j), t));
      of(t).of[j].spearman.at_times[time(t)] = bounded(spearman(Index(j), t));
    }
  }
  MatrixXd s(Index(p.kept.size()), m);  // of the kept ones
  for (Index i = 0; i < s.rows(); ++i) s.row(i) = spearman.row(p.kept[std::size_t(i)]);
  const MatrixXd b = dense::times(p.inverse, s);
  for (Index t = 0; t < m; ++t) {
    const double rest = std::max(0.0, 1 - s.col(t).dot(b.col(t)));
    for (Index i = 0; i < b.rows(); ++i) {
      // when the others explain all of an output, what is left for this one is round-off
      if (rest < all_explained && std::abs(b(i, t)) < std::sqrt(all_explained)) continue;
      const double r = b(i, t) / std::sqrt(rest * p.inverse(i, i) + b(i, t) * b(i, t));
      of(t).of[std::size_t(p.kept[std::size_t(i)])].partial_rank.at_times[time(t)] = bounded(r);
    }
  }
}

Interval correlation_interval(double r, double error, double sigmas) {
  const double z = std::atanh(r);
  return {std::tanh(z - sigmas * error), std::tanh(z + sigmas * error)};
}

StudyCorrelations::StudyCorrelations(const results::StudyResult& study, std::span<const char> usable)
    : times_(study.nominal.time) {
  std::vector<std::string> columns;
  for (const results::InputColumn& c : study.columns) columns.push_back(c.name);
  const std::size_t d = columns.size(), channels = study.nominal.channels.size();
  if (d == 0 || channels == 0 || times_.empty() || usable.empty()) return;
  std::vector<char> used(usable.begin(), usable.end());
  used.resize(std::min(used.size(), study.inputs.size() / d));
  for (std::size_t k = 0; k < used.size(); ++k) used[k] = used[k] && all_finite({&study.inputs[k * d], d});
  all_.emplace(std::move(columns), study.inputs, used);
  all_->begin(times_.size(), channels);
}

void StudyCorrelations::add(std::size_t first, std::size_t count, const double* values, std::size_t stride) {
  if (all_) all_->add(values, stride, first, count);
}

results::Correlations StudyCorrelations::finish(const results::StudyStatistics& statistics) {
  if (!all_) return {};
  all_->end(times_);
  results::Correlations out = all_->finish();
  for (std::size_t c = 0; c < std::min(out.of.size(), statistics.channels.size()); ++c)
    if (!statistics.channels[c].varies)
      for (results::Correlations::OfColumn& of : out.of[c])
        for (results::Correlations::Measure* m : {&of.pearson, &of.spearman, &of.partial_rank})
          *m = {std::vector<double>(times_.size(), nan), nan};
  return out;
}

results::Correlations correlations(const results::StudyReader& file) {
  const std::vector<std::string> columns = file.column_names();
  const std::vector<double> inputs = file.inputs(), status = file.status();
  const std::vector<double> times = file.time();
  const std::size_t d = columns.size(), nt = times.size();
  if (d == 0) return {};
  if (file.samples() == 0 || inputs.size() < status.size() * d)
    throw results::ReadError(file.path(), "it keeps only statistics, no realizations to correlate");
  std::vector<char> used;
  for (std::size_t k = 0; k < status.size(); ++k) used.push_back(status[k] == 0 && all_finite({&inputs[k * d], d}));
  // one output in memory at a time; a first pass finds the realizations that have all of them
  const auto each_output = [&](const auto& f) {
    for (const std::string& name : file.outputs()) {
      const std::vector<double> values = file.responses(name);
      if (values.size() != used.size() * nt) throw results::ReadError(file.path(), "the responses of " + name + " are damaged");
      f(values);
    }
  };
  each_output([&](const std::vector<double>& values) {
    for (std::size_t k = 0; k < used.size(); ++k) used[k] = used[k] && all_finite(std::span(values).subspan(k * nt, nt));
  });
  Correlator all(columns, inputs, used);
  each_output([&](const std::vector<double>& values) { all.add(times, values.data()); });
  return all.finish();
}

}  // namespace aleator::core::analysis
