// What is printed of a design, and written as JSON.
#pragma once

#include <string>
#include <vector>

#include <aleator/design.hpp>

#include "api/json_members.hpp"
#include "api/output_json.hpp"
#include "results/design.hpp"

namespace aleator::core {

std::string design_text(const results::FoundDesign& design);  // in lines of a terminal
void write_design(Members& m, const results::FoundDesign& design);
std::string design_document(const results::FoundDesign& design);                               // design.json
std::vector<std::string> design_files(const DesignResult& result, const RunOptions& options);  // that were written
std::string design_json(const DesignResult& result, const CommandOutcome& outcome);

}  // namespace aleator::core
