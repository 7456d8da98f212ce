// A page from results files, for report, view and run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/page_data.hpp"

namespace aleator::core {

// Results files, open, and what their page shows beyond them.
struct ReportInput {
  std::vector<std::unique_ptr<const results::StudyReader>> files;
  std::vector<report::PageSource> sources;
  std::vector<report::PageComparison> comparisons;

  std::string title() const;  // for the browser's window
};

// Throws ReadError.
ReportInput read_for_report(const std::vector<std::string>& files, const report::PageLimits& limits);

// A name without a folder lies beside the results: out/NAME/results.h5 → out/NAME/report.html.
std::string report_beside(const std::string& results, const std::string& name = "report.html");

// Where a report of these results goes by default, beside the first of them: report.html of one, of several comparison-B-C.html, so
// that a comparison replaces no other report than itself.
std::string default_report(const std::vector<std::string>& results);

}  // namespace aleator::core
