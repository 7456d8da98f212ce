// A report: one file that opens from disk in any browser and asks nothing of any other.
#pragma once

#include <string>

#include "report/page_data.hpp"

namespace aleator::core::report {

std::string page_html(const std::string& title, const PageData& data);

// The same page without its data, which it asks the server for (base/http_server.hpp): under `data.json` and `data.bin`.
std::string served_page_html(const std::string& title);

}  // namespace aleator::core::report
