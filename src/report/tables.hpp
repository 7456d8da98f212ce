// Results as tables for other programs: CSV, numbers with all their digits.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "results/read.hpp"

namespace aleator::core::report {

using TableNote = std::function<void(std::string_view)>;  // what a reader of the table should know; may be empty

std::vector<std::string> table_names();  // statistics, samples, realization, …
// `realization` is that of the table of this name. Throws ReadError when the file has no such table, std::invalid_argument when there
// is no such table at all.
std::string table_csv(const results::StudyReader& file, const std::string& name, long realization = -1,
                      const TableNote& note = {});

}  // namespace aleator::core::report
