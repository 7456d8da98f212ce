// Bytes as text (RFC 4648), for data URIs, and where a file of text must hold them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aleator::core {

std::string base64(std::span<const unsigned char> bytes);
// The bytes; false where the text is something else.
bool from_base64(std::string_view text, std::string& bytes);

// Text as it is (UTF-8 without zeros), other bytes as a data URI; and back.
std::string bytes_as_text(std::string_view bytes);
std::string bytes_of_text(std::string_view text);

}  // namespace aleator::core
