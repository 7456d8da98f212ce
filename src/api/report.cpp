#include <aleator/report.hpp>

#include <cstdlib>
#include <filesystem>

#include "api/report_input.hpp"
#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "base/errors.hpp"
#include "report/page.hpp"
#include "report/page_assets.hpp"
#include "results/write.hpp"
#include "study/nominal.hpp"
#include "study/session.hpp"

namespace aleator {
namespace {

// For results that are in memory alone, as long as it lives.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "aleator-XXXXXX").string()) {
    if (!mkdtemp(path_.data())) throw WriteError::from_errno(path_, errno);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::size_t write_report(const std::vector<std::string>& results, const std::string& file, const std::stop_token& token) {
  if (core::report::page_script().empty()) throw Error("this program was built without reports (ALEATOR_REPORT)");
  const core::StopFlag stop(token);
  const core::CancellationScope scope(&stop.flag());
  try {
    const core::report::PageLimits limits;
    const core::ReportInput in = core::read_for_report(results, limits);
    core::throw_if_cancelled();
    const std::string page =
        core::report::page_html(in.title(), core::report::page_data(in.sources, in.comparisons, limits, false));
    core::throw_if_cancelled();
    core::write_file(file, page);
    return page.size();
  } catch (const core::Cancelled&) {
    return 0;
  }
}

std::size_t write_report(const Model& model, const std::string& file, const std::stop_token& token) {
  const core::StopFlag stop(token);
  const core::LoadedModel& m = model.compiled();
  std::shared_ptr<const core::Model> stepped;
  try {
    stepped = core::to_simulate(m.model, {}, &stop.flag());
  } catch (const core::Cancelled&) {
    return 0;
  }
  const core::Trajectory t = core::simulate_nominal(*stepped, &stop.flag(), {});
  if (stop.flag()) return 0;
  const TemporaryFolder folder;
  const std::string results = folder.path() + "/nominal.h5";
  core::results::write_nominal(results, core::as_run(*stepped, t), core::provenance_of(*stepped, m.settings, "", {}));
  return write_report(std::vector<std::string>{results}, file, token);
}

std::size_t write_report(const std::vector<StudyResult>& results, const std::string& file, const std::stop_token& token) {
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (const StudyResult& r : results) {
    files.push_back(r.file);
    if (!r.file.empty()) continue;
    if (!r.data) throw ReadError("results", "there are none: the study was interrupted before its first realization");
    files.back() = folder.path() + "/results-" + std::to_string(files.size()) + ".h5";
    core::results::write_study(files.back(), r.data->result, r.data->provenance);
  }
  return write_report(files, file, token);
}

}  // namespace aleator
