// Everything that commands print: without control characters, which a name out of a file could bring to the terminal, and with
// colours where the terminal has them and its user wants them.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "base/text_table.hpp"

namespace aleator::app {

enum class Colour { none, heading, good, note, warning, bad };

// Not on pipes, not where TERM is dumb or NO_COLOR is set; CLICOLOR_FORCE: everywhere.
bool has_colours(std::FILE* stream);
int terminal_width(std::FILE* stream);  // COLUMNS, or what the terminal says; 80 where nobody does

// The words note: and warning: stand out by themselves.
void write(std::FILE* stream, Colour colour, std::string_view text);
void print_raw(std::string_view text);  // on stdout as it is; throws WriteError, also when something was lost before
void erase_line(std::size_t width);     // on stderr: what was written since the last line feed

// A sentence or a row of a table, in as many lines of a terminal as it takes; it needs no line feed at its end.
template <class... T>
void tell(Colour colour, fmt::format_string<T...> format, T&&... values) {
  write(stdout, colour, core::wrapped(fmt::format(format, std::forward<T>(values)...)));
}
template <class... T>
void tell(fmt::format_string<T...> format, T&&... values) {
  write(stdout, Colour::none, core::wrapped(fmt::format(format, std::forward<T>(values)...)));
}

template <class... T>
void say(std::FILE* stream, fmt::format_string<T...> format, T&&... values) {
  write(stream, Colour::none, fmt::format(format, std::forward<T>(values)...));
}
template <class... T>
void say(Colour colour, fmt::format_string<T...> format, T&&... values) {
  write(stdout, colour, fmt::format(format, std::forward<T>(values)...));
}
template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  write(stdout, Colour::none, fmt::format(format, std::forward<T>(values)...));
}

}  // namespace aleator::app
