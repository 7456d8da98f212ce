// Bytes as text (RFC 4648), for data URIs.
#pragma once

#include <span>
#include <string>

namespace aleator::core::report {

std::string base64(std::span<const unsigned char> bytes);

}  // namespace aleator::core::report
