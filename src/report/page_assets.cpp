#include "report/page_assets.hpp"

// page_assets.S includes the files as they are.
extern "C" {
extern const char aleator_page_script[], aleator_page_script_end[];
extern const char aleator_page_style[], aleator_page_style_end[];
extern const char aleator_page_hash[], aleator_page_hash_end[];
}

namespace aleator::core::report {

static std::string_view between(const char* begin, const char* end) { return {begin, std::size_t(end - begin)}; }

std::string_view page_script() { return between(aleator_page_script, aleator_page_script_end); }
std::string_view page_style() { return between(aleator_page_style, aleator_page_style_end); }
std::string_view page_script_hash() { return between(aleator_page_hash, aleator_page_hash_end); }

}  // namespace aleator::core::report
