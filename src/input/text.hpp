// Files as bytes, and bytes as text.
#pragma once

#include <string>
#include <string_view>

#include "input/error.hpp"
#include "input/limits.hpp"

namespace aleator::core::input {

// All bytes of a file; throws InputError (with the file, without a place) when it cannot be read or is larger than `most_mib`.
// What a file refers to must be an ordinary file: a device has no end, and a pipe may never begin.
enum class Source { anything, ordinary_file };
std::string read_bytes(const std::string& file, Source source = Source::anything, std::size_t most_mib = limits::file_mib);

// Without byte order mark and with \n as the only end of line; throws where the bytes are not UTF-8 text.
std::string plain_text(std::string_view bytes);

// ASCII alone, whatever the locale.
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }
std::string_view trimmed(std::string_view text);

// "a joint", "an output"
std::string with_article(std::string_view noun);

// A number written in decimals, all of the text: `-1.5e-3`. False when it is something else or out of range.
bool parse_decimal(std::string_view text, double& value);

// Letters, digits, underscores, not starting with a digit.
bool is_identifier(std::string_view text);

// An identifier in which hyphens are allowed too: `rear-axle`.
bool is_entry_name(std::string_view text);

// The same, or several of them joined by dots, as entries of an instance have them: `left.knee`.
bool is_dotted_name(std::string_view text);

}  // namespace aleator::core::input
