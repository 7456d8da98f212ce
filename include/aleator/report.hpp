// A page that shows results: one self-contained HTML file for any browser.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include <aleator/results.hpp>

namespace aleator {

// Several results are compared with the first. "-" prints the page. Returns its size in bytes. Throws WriteError, ReadError; when it
// is stopped nothing is written and 0 is returned.
std::size_t write_report(const std::vector<StudyResult>& results, const std::string& file, const std::stop_token& stop = {});
// The same of results files (results.h5, nominal.h5) or folders.
std::size_t write_report(const std::vector<std::string>& results, const std::string& file, const std::stop_token& stop = {});

// The mechanism in motion, nominal: a page with its animation and its responses. Throws SimulationError, WriteError.
std::size_t write_report(const Model& model, const std::string& file, const std::stop_token& stop = {});

}  // namespace aleator
