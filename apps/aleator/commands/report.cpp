// aleator report RESULTS…: a page that shows them, in one file.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "make_report.hpp"
#include "results/read.hpp"

namespace aleator::core::app {
namespace {

struct ReportArguments {
  std::vector<std::string> files;
  std::string out;
};

int report_command(const ReportArguments& o) {
  std::string out = o.out;
  std::error_code none;
  for (const std::string& file : o.files) {
    const std::string results = results::StudyReader::file_of(file, results::StudyReader::Accept::any);
    if (out.empty()) out = report_beside(results);
    if (std::filesystem::equivalent(results, out, none))
      throw CLI::ValidationError("--out", out + " has the results; they are not replaced by their page");
  }
  const std::size_t size = make_report(o.files, out);
  if (out != "-") fmt::print("wrote {} ({:.1f} MB)\n", out, double(size) / 1e6);
  return exit_code::done;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  auto o = std::make_shared<ReportArguments>();
  CLI::App* c = app.add_subcommand("report", "Make the page that shows results: one file for any browser");
  c->add_option("RESULTS", o->files, "results.h5 or nominal.h5, or their folder; more than one are compared with the first")
      ->required();
  c->add_option("--out", o->out, "The page (default report.html beside the first)")->type_name("FILE");
  c->callback([o, &action] { action.run = [o] { return report_command(*o); }; });
}

}  // namespace aleator::core::app
