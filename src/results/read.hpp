// Reads what results files hold.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "results/run.hpp"
#include "results/study.hpp"

namespace aleator::core::results {

class Hdf5Input;  // users of this need not know HDF5
struct Count;

using aleator::ReadError;

class StudyReader {
 public:
  enum class Accept { study, any, part };  // any: also nominal.h5, the result of `aleator simulate`; part: that alone

  // A results file, or the folder of a study: results.h5 in it, or partial.h5 of an interrupted one. Throws ReadError.
  explicit StudyReader(const std::string& path, Accept accept = Accept::study);
  ~StudyReader();

  static void trust_files();  // from now on, also read files without a checksum
  // The file that would be read. Throws ReadError.
  static std::string file_of(const std::string& path, Accept accept);

  const std::string& path() const;
  bool is_study() const { return study_; }
  bool complete() const;                     // of a study
  bool rows_follow_law() const;              // they are a sample; older files do not tell, and count as one
  int replicates() const;                    // randomisations of their design; older files do not tell: 1
  long samples() const;                      // realizations kept
  std::vector<std::string> outputs() const;  // names of the channels, in their order; none twice
  std::vector<double> time() const;

  // Where it comes from. Texts are empty where there are none.
  Provenance provenance() const;
  std::string title() const;  // of the model; may be empty
  std::string model_file() const;
  std::string method() const;
  std::map<std::string, std::string> settings() const;  // what was in force
  std::string setting(const std::string& name) const;
  std::uint64_t seed() const;
  double planned() const;  // realizations
  double done() const;
  std::vector<std::string> evidence() const;
  std::string identity() const;  // of everything that determines a realization; empty: it cannot be extended
  std::vector<long> stages() const;

  // What was drawn, and what failed.
  bool has_inputs() const;
  std::vector<InputColumn> columns() const;
  std::vector<std::string> column_names() const;
  long input_rows() const;             // 0 when only statistics were kept
  std::vector<double> inputs() const;  // [sample][column]
  std::vector<double> inputs(long realization) const;
  std::vector<double> status() const;  // [sample] 0: it did not fail
  bool has_failed_inputs() const;      // of earlier versions there are none
  std::vector<Failure> failures() const;
  std::vector<double> failed_times() const;   // [failure] NaN in files of earlier versions
  std::vector<double> failed_inputs() const;  // [failure][column]

  // What was computed: of one output, by realization and time.
  bool has_responses(const std::string& output) const;
  std::vector<double> responses(const std::string& output) const;  // [sample][time]
  std::vector<double> responses(const std::string& output, long first, long count) const;
  std::vector<double> response(const std::string& output, long realization) const;     // [time]
  std::vector<double> responses_at(const std::string& output, long time_index) const;  // [sample]

  // Statistics. A column is &ChannelStatistics::mean, say.
  using StatisticsColumn = std::vector<double> ChannelStatistics::*;
  double confidence() const;
  double realizations() const;  // that statistics rest on
  double rank_error() const;
  bool has_statistics(const std::string& output, StatisticsColumn column) const;
  std::vector<double> statistics(const std::string& output, StatisticsColumn column) const;
  ChannelStatistics statistics(const std::string& output) const;  // all there are; the others are empty
  Accuracy accuracy(const std::string& output) const;             // NaN where it is not known
  std::string unit(const std::string& output) const;
  enum class Bounded { mean, std, lower, upper };
  std::optional<Ranges> with_missing(const std::string& output, Bounded what) const;         // none: no realization failed
  std::optional<LimitStatistics> limit(const std::string& output, bool above) const;         // without its channel
  std::optional<LimitStatistics> scalar_limit(const std::string& scalar, bool above) const;  // without its scalar
  std::vector<std::string> scalars() const;                                                  // names
  bool has_scalar(const std::string& name) const;
  ScalarStatistics scalar(const std::string& name) const;  // without values
  bool has_scalar_values(const std::string& name) const;
  std::vector<double> scalar_values(const std::string& name) const;  // [sample]
  std::vector<std::string> spectra() const;                          // outputs that have one
  Spectrum spectrum(const std::string& output) const;                // without its channel
  std::string spectrum_unit(const std::string& output) const;
  bool has_convergence(const std::string& output) const;
  std::vector<long> convergence_counts() const;
  std::vector<double> convergence(const std::string& output) const;  // [counts]
  std::string convergence_unit(const std::string& output) const;

  // By cause. `what` is the name of a dataset or an attribute in layout.md: "first", "mu_star"; "first" of integrals.
  enum class Causes { sobol, correlations, screening };
  bool has(Causes kind) const;
  std::vector<std::string> causes(Causes kind) const;  // names of groups, columns or variables
  std::vector<std::string> determined_by() const;      // [columns] of correlations
  double number(Causes kind, const std::string& what) const;
  bool has_curves(Causes kind, const std::string& output, const std::string& what) const;
  std::vector<double> curves(Causes kind, const std::string& output, const std::string& what) const;     // [cause][time]
  std::vector<double> integrals(Causes kind, const std::string& output, const std::string& what) const;  // [cause]

  // An expansion.
  bool has_chaos() const;
  bool has_chaos(const std::string& output) const;
  Chaos chaos() const;                                                      // without coefficients
  std::vector<double> chaos_coefficients(const std::string& output) const;  // [term][time]
  void check_chaos_coefficients(const std::string& output) const;           // they are there and fit

  // Distributions of what is random.
  std::optional<ColumnLaw> column_law(const std::string& column) const;
  std::vector<QuantityLaw> quantity_laws() const;
  std::vector<FieldSummary> fields() const;
  std::vector<ProcessSummary> processes() const;

  // What is drawn. All numbers are finite.
  static constexpr long nominal = -1;
  bool has_motion() const;
  std::vector<long> kept_motions() const;                         // realizations whose motion is there
  std::vector<std::string> frames() const;                        // names, in the order of the poses
  std::vector<double> poses(long realization) const;              // [time][frame][7], as they are
  std::vector<double> all_poses() const;                          // [kept_motions()][time][frame][7]; none without such
  Run motion(long realization = nominal) const;                   // time, bodies and poses
  std::vector<Connection> connections(std::size_t frames) const;  // between so many frames
  std::vector<ObservedPoint> points(std::size_t frames) const;    // likewise
  std::vector<double> gravity() const;                            // empty: the file does not say

  bool has_identification() const;
  std::string identified_unit(const std::string& output) const;  // of what was measured

  // By its place in the file, for what is not above: parts of studies, tests.
  // What layout.md gives a shape has this shape, otherwise ReadError.
  bool has(const std::string& object) const;
  std::vector<std::string> children(const std::string& group) const;  // in the order they were written; none if it is no group
  std::vector<double> numbers(const std::string& dataset) const;      // all of it, by rows
  std::vector<long> counts(const std::string& dataset) const;         // whole numbers, none negative
  std::vector<double> row(const std::string& dataset, long k) const;
  std::vector<double> column(const std::string& dataset, long k) const;
  std::vector<long> extent(const std::string& dataset) const;  // along each dimension
  std::vector<double> rows(const std::string& dataset, long first, long count,
                           long stride = 1) const;  // of any number of dimensions
  std::vector<std::string> texts(const std::string& dataset) const;
  std::vector<std::string> attributes(const std::string& object) const;  // their names
  bool has_attribute(const std::string& object, const std::string& name) const;
  double number_attribute(const std::string& object, const std::string& name) const;
  long count_attribute(const std::string& object, const std::string& name) const;  // a whole number, not negative
  std::vector<long> counts_attribute(const std::string& object, const std::string& name) const;
  std::uint64_t whole_attribute(const std::string& object, const std::string& name) const;
  std::vector<double> numbers_attribute(const std::string& object, const std::string& name) const;
  std::string text_attribute(const std::string& object, const std::string& name) const;  // empty where it is absent
  std::vector<std::string> texts_attribute(const std::string& object, const std::string& name) const;

 private:
  std::vector<double> slice(const std::string& dataset, int along, long k) const;  // a row (0) or a column (1)
  void check_shape(const std::string& object, const std::string& attribute, const std::vector<long>& found) const;
  long length(const Count& count) const;
  std::string group_of(Causes kind) const;
  LimitStatistics limit_at(const std::string& group, bool above) const;
  std::vector<LawNumber> law_numbers(const std::string& group, const std::string& prefix) const;
  double number_or_nan(const std::string& object, const std::string& name) const;  // NaN where it is absent
  std::vector<long> as_counts(const std::vector<double>& values, const std::string& what) const;

  std::unique_ptr<Hdf5Input> file_;
  bool study_ = true;
  mutable std::map<const Count*, long> lengths_;  // those that were asked for
};

}  // namespace aleator::core::results
