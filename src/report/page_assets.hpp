// What web/ is bundled into, compiled in.
#pragma once

#include <string_view>

namespace aleator::core::report {

std::string_view page_script();
std::string_view page_style();
std::string_view page_script_hash();  // SHA-256, base64: the content security policy lets this script run and no other

}  // namespace aleator::core::report
