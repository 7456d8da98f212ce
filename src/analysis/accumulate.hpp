// The statistics of a study, one realization after the other in their order: the same numbers whoever computed the
// realizations, on however many threads. They are sums over blocks of realizations, which are added in their order: any thread or process may
// make those of a block (accumulate_blocks.cpp).
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/control_variate.hpp"
#include "analysis/moments.hpp"
#include "analysis/quantiles.hpp"
#include "analysis/shares.hpp"
#include "analysis/spectra.hpp"
#include "analysis/stored_points.hpp"
#include "numerics/device_block.hpp"
#include "numerics/series.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

// What is asked.
struct StatisticsRequest {
  struct Limit {
    int channel;  // -1: of a scalar
    double value;
    bool above;
    int scalar = -1;  // -1: of a channel
  };
  struct Scalar {
    std::string name, unit, kind;
    int channel;  // 0 of a number made of parameters: it looks at none
    ReductionSettings settings;
  };
  std::vector<double> times;
  std::vector<std::string> channels, units;  // no units: outputs are not compared with each other
  std::vector<double> nominal;               // [times][channels]
  double confidence = 0.9;
  bool keep_all = true;
  std::size_t held = std::numeric_limits<std::size_t>::max();  // numbers of all responses at most, where the others can be read
  long samples = 0;                                            // planned
  long first = 0;                                              // the number of the first realization: of a part of a study not 0
  int threads = 0;                                             // of the final quantiles; 0: all
  // Independent randomisations of a design: realization k belongs to the (k mod replicates)-th, and standard errors come from
  // the scatter between them. 1: realizations are independent.
  int replicates = 1;
  std::vector<Limit> limits;
  std::vector<Scalar> scalars;
  std::vector<SpectrumSettings> spectra;
  std::vector<std::string> groups;  // of variance shares; none: not asked for
  bool in_blocks = true;            // as far as possible; false: this is a block
  bool sketched = true;             // of a block: false where its realizations are kept
};

class Correction;

constexpr std::size_t sketch_bytes = std::size_t(512) << 20;  // of the sketch of quantiles, at most

class Accumulator {
 public:
  // With judges what is added are evaluations of an expansion; bands, limits and scalars are corrected by them.
  explicit Accumulator(StatisticsRequest questions, Judges judges = {});

  // The next realization, [times][channels]. One with a value that is not finite is left out of all statistics, as a failed one.
  // Limits and reductions of its own are given where these are random. `kept`: by keep(), already.
  void add(bool ok, std::span<const double> values, std::span<const double> limits = {},
           std::span<const ReductionSettings> reductions = {}, bool kept = false);
  ShareEstimator* shares() { return shares_ ? &*shares_ : nullptr; }

  // Realizations of a block: those numbered from a multiple of it on. 0: it is not made of blocks.
  long block_rows() const;
  StatisticsRequest block_request() const;  // an accumulator of it may be given to any block
  // An accumulator of that: it begins with realization `first`, and what it is at the end is for append_block. `first_of_all`: of the whole.
  // `rows_stay`: values that are added stay where they are until the end.
  void begin_block(long first, long first_of_all, bool rows_stay = false);
  std::vector<double> finish_block();
  // Of such an accumulator: what a device is to make of a block for it; none: something else is asked for than it does.
  std::optional<DeviceBlock> block_on_device() const;
  std::optional<ColumnPick> picked_of_block(long first, long first_of_all) const;  // none: it wants all values
  // Instead of adding realizations: `told` [rows][lines] and sums of a whole block all of whose realizations are usable.
  std::vector<double> finish_block(const DeviceBlock& block, std::span<const double> told, std::span<const double> sums);
  // The next ones, a whole block of them. Throws DamagedState. Where realizations are kept, keep() was called for each of them.
  void append_block(std::span<const double> state);
  void keep(bool ok, std::span<const double> values);

  // Where realizations are kept, all of their points are gone through, some neighbouring ones of all realizations at a time: `also` sees them,
  // too, those of realization k at values + k stride.
  using Points = std::function<void(std::size_t first, std::size_t count, const double* values, std::size_t stride)>;
  results::StudyStatistics finish(const Points& also = {}) const;
  // Means, standard deviations and their errors alone, quickly.
  results::StudyStatistics moments() const;
  const StatisticsRequest& questions() const { return q_; }

  // All that was added, [added][times][channels], NaN where it failed; nothing where it is not kept, or no longer held.
  const std::vector<double>& responses() const { return kept_ ? kept_->responses : nothing_kept_; }
  // From here, where they are more than are held. Every one that is added must be there before anything is asked.
  void read_from(std::shared_ptr<const results::ResponseSource> source) { source_ = std::move(source); }
  bool are_held() const { return !released(); }
  const std::vector<char>& used() const {
    return kept_ ? kept_->used : none_used_;
  }  // [added] neither failed nor without a number
  // Neighbouring points of all realizations, held or read.
  struct Columns {
    StoredPoints own;
    const double* data = nullptr;
    std::size_t stride = 0;
    const double* row(std::size_t k) const { return data + k * stride; }
  };
  void find_columns(std::size_t first, std::size_t count, Columns& to) const;
  Columns all_columns() const {
    Columns all;
    find_columns(0, points_, all);
    return all;
  }
  std::vector<double> response(long realization) const;  // [times][channels]

  // Everything that was accumulated, as numbers, when realizations are not kept.
  void save(const PutState& put) const;
  std::vector<double> save() const {
    std::size_t size = 0;
    save([&](std::span<const double> piece) { size += piece.size(); });
    std::vector<double> all;
    all.reserve(size);
    save(to_end_of(all));
    return all;
  }
  void load(std::span<const double> state);  // throws DamagedState
  // What another accumulator saved, of the realizations that follow: as if they had been added here, up to round-off and, of
  // quantiles, within rank_error. Throws DamagedState.
  void append(std::span<const double> state);

 private:
  // The quantiles at both ends of the band, and where they could be with the realizations that are missing.
  struct Band {
    results::Estimate lower, upper;
    results::Range lower_with_missing, upper_with_missing;
  };
  // Of neighbouring points from `first` on, which `x` begins with.
  void finish_band(std::size_t first, const double* x, std::size_t stride, std::span<Band> bands) const;
  void sketch_band(std::size_t point, Band& band) const;
  void bound_missing(results::StudyStatistics& out) const;
  double missing() const { return points_ > 0 ? double(added_) - moments_.count(0) : 0; }
  // Standard errors by the scatter between randomisations, where there are several.
  results::Estimate mean_of(const Moments& all, const std::vector<Moments>& parts, std::size_t i) const;
  results::Estimate std_of(const Moments& all, const std::vector<Moments>& parts, std::size_t i) const;
  template <class Share>
  auto share_of(const std::vector<double>& counts, std::size_t i, const Share& share) const;  // of [replicates][…]
  std::vector<double> ranks_below(std::size_t first, const double* x, std::size_t stride, std::span<const double> levels,
                                  double p) const;
  double scalar_quantile(std::size_t scalar, std::span<const double> sorted, double p) const;
  results::Estimate scalar_end(std::size_t scalar, std::span<const double> sorted, double p) const;
  void finish_bands(results::StudyStatistics& out, const Points& also) const;
  void finish_moments(results::StudyStatistics& out) const;
  void finish_limits(results::StudyStatistics& out) const;
  void finish_scalars(results::StudyStatistics& out) const;
  // Of one realization; `channels` is [channels][times].
  void count_exceedances(std::span<const double> values, const double* channels, std::span<const double> scalars,
                         std::span<const double> limits);
  void derive(const double* channels, std::span<const ReductionSettings> reductions, std::span<double> out);  // [scalars]
  void note_convergence(const double* channels);
  void note_square(std::size_t channel, double integral) { square_sums_[channel] += integral; }
  void note_if_due();
  void take_scalar(std::size_t scalar, double value);
  static std::vector<double> as_ranked(std::vector<double> scalars);
  void load(StateReader& from);
  void append(const Accumulator& later);
  std::size_t halvings_of_block(long first, long first_of_all) const;
  void settle_block(bool whole);
  void sum_scalars(std::size_t halvings);
  std::vector<const double*> rows_of_block() const;
  void clear_rows();
  void close_block();
  Accumulator with_block() const;
  std::vector<double> add_here(bool ok, std::span<const double> values, std::span<const double> limits,
                               std::span<const ReductionSettings> reductions);  // returns the scalars
  bool usable(bool ok, std::span<const double> values) const;
  void save_rows(const PutState& put) const;
  void load_rows(StateReader& from);
  void take_row(std::span<const double> values, const std::vector<double>& ranked);
  results::StudyStatistics finish_here(const Points& also) const;
  results::StudyStatistics moments_here() const;
  std::size_t replicate() const { return std::size_t(q_.first + added_ - 1) % std::size_t(q_.replicates); }  // of the last one

  // All realizations, as they come.
  struct Kept {
    std::vector<double> responses, scalar_values;  // [added][…]
    std::vector<char> used;                        // [added]: statistics rest on these
    bool released = false;                         // responses are no longer held
  };
  // Of a block that is not finished: [rows] of what is used.
  struct RowsOfBlock {
    bool stay = false;
    std::vector<const double*> at;    // where they stay; otherwise …
    std::vector<double> held;         // … [rows][points]
    std::vector<double> scalars;      // [rows][scalars], as they are ranked
    std::vector<double> replicates;   // [rows], when there are several
    std::vector<double> all_scalars;  // [added][scalars], where realizations are kept
    std::size_t count = 0;
  };
  bool released() const { return kept_ && kept_->released; }

  StatisticsRequest q_;
  std::size_t points_;
  long added_ = 0;  // also those that failed
  Moments moments_, scalar_moments_;
  std::vector<Moments> parts_, scalar_parts_;  // [replicates], when there are several
  std::shared_ptr<Kept> kept_;                 // none: statistics alone
  std::vector<double> nothing_kept_;
  std::vector<char> none_used_;
  std::shared_ptr<const results::ResponseSource> source_;
  std::optional<QuantileSketch> sketch_, scalar_sketch_;
  std::vector<double> exceeded_, exceeded_ever_;  // [replicates][limits][times], [replicates][limits]: counts
  std::vector<double> square_sums_;               // [channels] Σ_k ∫u² dt
  double next_note_ = 1;
  std::vector<double> noted_at_, noted_;  // n; [n][channels]
  std::optional<SpectrumEstimator> spectra_;
  std::optional<ShareEstimator> shares_;
  double replicate_factor_;  // of errors by their scatter
  std::shared_ptr<Correction> correction_;
  std::vector<Accumulator> block_;  // the one in the making; none: it is not made of blocks
  long first_of_all_ = 0;           // of a block
  RowsOfBlock rows_;                // likewise
};

}  // namespace aleator::core::analysis
