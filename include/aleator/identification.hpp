// From measurements to the uncertainty that explains them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <aleator/study.hpp>

namespace aleator {

namespace core::inference {
struct IdentificationStudy;
}
namespace core::results {
struct Identification;
}

// What a study file of an identification says (docs/identification-file.md).
class IdentificationStudy {
 public:
  long samples = 0;      // realizations of each evaluation of the likelihood; 0: as the file says
  long evaluations = 0;  // of the likelihood, at most; 0: as the file says
  long long seed = -1;   // negative: as the file says
  LoadOptions load;

  const std::string& file() const;
  std::shared_ptr<const core::inference::IdentificationStudy> data;  // for the library itself
};

// Throw InputError. Files that a text refers to are relative to the folder of `file`.
IdentificationStudy read_identification(const std::string& file);
IdentificationStudy identification_from_text(const std::string& text, const std::string& file = "identify.yaml");
// With other specimens than the file says, or says nothing of: CSV files.
IdentificationStudy read_identification(const std::string& file, const std::vector<std::string>& specimens);

struct IdentifiedParameter {
  std::string name, unit;
  double written = 0;                           // in the model; NaN: nothing
  double from = 0, to = 0;                      // admissible range
  double estimate = 0;                          // most likely, or mode of the posterior
  double lower = 0, upper = 0;                  // confidence interval
  bool open_below = false, open_above = false;  // the end of the interval is that of the range
  double std = 0;                               // of the posterior, or standard error of least squares; NaN: not known
};

struct IdentificationResult {
  Outcome outcome = Outcome::complete;
  bool resumable = false;  // interrupted, and evaluations of the likelihood are kept in the folder
  std::string method;
  bool explained = false;  // whether the model explains the measurements
  std::string verdict;     // the same in words
  double p = 0;            // probability of data that fit no better, were the model right
  std::vector<IdentifiedParameter> parameters;
  std::vector<double> draws;  // [draw][parameter] from the posterior
  std::vector<std::string> warnings;
  long evaluations = 0;
  std::string file;   // results.h5 of the study at the estimate, nominal.h5 of least squares; empty: in memory
  StudyResult study;  // at the estimate; nothing of least squares
  std::shared_ptr<const core::results::Identification> data;  // for the library itself
};

// Options as of a study: folder (evaluations.csv, results), threads, resume, stop, on_note, on_progress, report. Data that cannot
// belong to the model are refused by InputError.
IdentificationResult identify(const IdentificationStudy& study, const RunOptions& options = {});

// --- measured data made by the model itself, to try identification on: there the truth is known ---

struct SyntheticData {
  long specimens = 20;
  std::vector<std::string> outputs;  // measured; empty: all
  std::vector<std::string> noise;    // "accel_z=0.5", "accel_z=2%" or "2%" of the rms of the nominal response
  long every = 1;                    // keep every Kth time
  double gaps = 0;                   // share of values that are missing
  bool irregular = false;            // times a little off those of the model
  std::uint64_t seed = 1;
};
struct SyntheticOutput {
  std::string name, unit;
  double noise = 0;  // standard deviation
};
// Writes specimen-001.csv … and truth.txt into options.folder. Returns what was measured; nothing when it was interrupted.
std::vector<SyntheticOutput> write_synthetic_data(const Model& model, const SyntheticData& data, const RunOptions& options);

}  // namespace aleator
