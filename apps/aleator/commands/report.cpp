// aleator report RESULTS…: a page that shows them, in one file.
#include <aleator/report.hpp>

#include <filesystem>

#include "api/report_input.hpp"
#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"
#include "results/read.hpp"

namespace aleator::app {
namespace {

struct ReportArguments {
  std::vector<std::string> files;
  std::string out;
};

int report_command(const ReportArguments& o) {
  using core::results::StudyReader;
  std::vector<std::string> results;
  for (const std::string& file : o.files) results.push_back(StudyReader::file_of(file, StudyReader::Accept::any));
  const std::string out = o.out.empty() ? core::default_report(results) : o.out;
  std::error_code none;
  for (const std::string& file : results)
    if (std::filesystem::equivalent(file, out, none))
      throw UsageError("--out", out + " contains the results; they are not replaced by their report");
  const std::size_t size = write_report(o.files, out, stop_on_signal());
  if (size == 0) return exit_code::interrupted;
  if (out != "-") say("wrote {} ({:.1f} MB)\n", out, double(size) / 1e6);
  return exit_code::done;
}

}  // namespace

void add_report(Command& c) {
  auto o = std::make_shared<ReportArguments>();
  c.option("RESULTS", o->files, "results.h5 or nominal.h5, or their folder; of several the first is the reference").required();
  c.option("-o,--out", o->out, "The report (default beside the first: report.html, of several comparison-B.html)").type("FILE");
  add_trust(c);
  c.run([o] { return report_command(*o); });
}

}  // namespace aleator::app
