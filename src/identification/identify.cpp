#include "identification/identify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "inference/read_measurements.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

using Way = inference::IdentificationStudy::Method;

inference::Uniform uniforms(std::uint64_t seed, const std::string& purpose) {
  return [stream = Stream(seed, 0, quantity_key(purpose))]() mutable { return stream.uniform(); };
}

std::uint64_t another_seed(std::uint64_t seed, const std::string& purpose) {
  return quantity_key(fmt::format("{} {}", seed, purpose));
}

void warn_of_failures(IdentifyTask& task) {
  const double share = task.free.failed();
  if (share > 0.001)
    task.found.warnings.push_back(fmt::format("{:.2g} % of all simulations failed and were excluded", 100 * share));
}

Identified identify(const inference::IdentificationStudy& asked, const std::vector<std::string>& allowed,
                    const RunOptions& options, const std::atomic<bool>* stop) {
  const CancellationScope scope(stop);
  inference::IdentificationStudy study = asked;
  Identified out;
  out.calibrated = study.method == Way::least_squares;
  try {
    FreeModel free(study, options, allowed, stop);
    IdentifyTask task{options, study, free, {}, {}, out.resumable};
    results::Identification& found = task.found;
    found.method = name_of(study.method);
    found.confidence = study.confidence;
    std::vector<std::string> notes;
    if (study.data.at.line > 0)
      found.measured = inference::read_measurements(study, free.outputs(), free.times().back(), &notes);
    else
      found.measured.channels = free.outputs();
    for (const std::string& note : notes) tell(options.on_note, note);
    found.measured.noise.resize(found.measured.channels.size(), 0.0);
    // The density must be known the better, the more specimens add up its errors.
    if (study.samples == 0) task.study.samples = std::max<long>(2000, 20 * long(found.measured.specimens.size()));
    free.observe(found.measured.channels);
    if (!options.folder.empty()) {
      create_folder(options.folder);
      out.lock = std::make_unique<FolderLock>(options.folder);
    }
    if (study.method == Way::sweep)
      sweep(task);
    else if (study.method == Way::least_squares)
      calibrate(task);
    else
      find_most_likely(task);
    out.found = std::make_shared<const results::Identification>(std::move(found));
    out.model = load(study.model, free.overrides(task.estimate), allowed);
    out.stepping = free.model().settings;
    out.resumable = false;
  } catch (const Cancelled&) {
    out.interrupted = true;
  }
  return out;
}

}  // namespace aleator::core
