#include "cli/colour.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include <aleator/model.hpp>

#include "base/utf8.hpp"

namespace aleator::app {
namespace {

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value && *value;
}

constexpr const char* codes[] = {"", "\x1b[1m", "\x1b[32m", "\x1b[36m", "\x1b[1;33m", "\x1b[1;31m"};  // in the order of Colour

// Line feeds stay outside: a colour ends with its line.
std::string painted(Colour colour, std::string_view text) {
  const std::size_t from = std::min(text.find_first_not_of('\n'), text.size()), to = text.find_last_not_of('\n') + 1;
  if (colour == Colour::none || from >= to) return std::string(text);
  return fmt::format("{}{}{}\x1b[0m{}", text.substr(0, from), codes[int(colour)], text.substr(from, to - from), text.substr(to));
}

}  // namespace

bool has_colours(std::FILE* stream) {
  if (is_set("NO_COLOR")) return false;
  const char* const term = std::getenv("TERM");
  return is_set("CLICOLOR_FORCE") || (isatty(fileno(stream)) && term && std::string_view(term) != "dumb");
}

int terminal_width(std::FILE* stream) {
  winsize size{};
  const char* const columns = std::getenv("COLUMNS");
  if (columns && std::atoi(columns) > 0) return std::clamp(std::atoi(columns), 20, 400);
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? std::clamp(int(size.ws_col), 20, 400) : 80;
}

void write(std::FILE* stream, Colour colour, std::string_view text) {
  std::string out = core::harmless(text);
  if (has_colours(stream)) {
    if (colour != Colour::none) out = painted(colour, out);
    for (const auto& [word, its] : {std::pair("note:", Colour::note), std::pair("warning:", Colour::warning)})
      if (const std::size_t at = out.find(word); colour == Colour::none && at != std::string::npos)
        out.replace(at, std::string_view(word).size(), painted(its, word));
  }
  std::fwrite(out.data(), 1, out.size(), stream);
}

void print_raw(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw WriteError::from_errno("standard output", errno != 0 ? errno : ENOSPC);
}

void erase_line(std::size_t width) {
  const std::string blank = fmt::format("\r{:{}}\r", "", width);
  std::fwrite(blank.data(), 1, blank.size(), stderr);
}

}  // namespace aleator::app
