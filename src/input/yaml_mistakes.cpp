#include "input/yaml_mistakes.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>

#include "input/text.hpp"

namespace aleator::core::input {

namespace {

// One line of the file, without its comment and the blanks at its end.
struct Line {
  std::string_view all;      // as written
  std::string_view content;  // from its first letter to its last
  std::size_t indent = 0;    // blanks before it
  bool tab = false;          // among them
  bool inside = false;       // brackets or quotes that were opened in an earlier line

  bool matters() const { return !content.empty() && !inside; }
};

// A bracket, and where it stands.
struct Bracket {
  char sign;
  Position at;
};

// The lines of a text and its brackets, as far as quotes and comments leave them meaning.
class Scanned {
 public:
  explicit Scanned(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      add(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  std::vector<Line> lines;
  std::vector<Bracket> open;            // never closed
  std::optional<Bracket> wrong;         // the first that closes nothing, or another kind than was opened
  std::optional<Bracket> wrong_opener;  // which one it should have closed

 private:
  void add(std::string_view text) {
    Line line;
    line.all = text;
    line.inside = !open.empty() || quote_ != 0;
    line.indent = std::min(text.find_first_not_of(" \t"), text.size());
    line.tab = text.substr(0, line.indent).find('\t') != std::string_view::npos;
    const std::size_t end = scan(text);
    line.content = trimmed(text.substr(line.indent, std::max(end, line.indent) - line.indent));
    lines.push_back(line);
  }

  // Follows quotes and brackets; where the comment of the line begins, or its end.
  std::size_t scan(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      const bool begins = i == 0 || std::string_view(" \t[{,:").find(text[i - 1]) != std::string_view::npos;
      if (quote_ != 0) {
        if (quote_ == '"' && c == '\\')
          ++i;
        else if (c == quote_)
          quote_ = 0;
      } else if ((c == '"' || c == '\'') && begins) {
        quote_ = c;
      } else if (c == '#' && (i == 0 || is_blank(text[i - 1]))) {
        return i;
      } else if (((c == '[' || c == '{') && (begins || !open.empty()))) {
        open.push_back({c, {static_cast<int>(lines.size()) + 1, static_cast<int>(i) + 1}});
      } else if (c == ']' || c == '}') {
        close({c, {static_cast<int>(lines.size()) + 1, static_cast<int>(i) + 1}});
      }
    }
    return text.size();
  }

  void close(Bracket b) {
    const char opener = b.sign == ']' ? '[' : '{';
    const bool fits = !open.empty() && open.back().sign == opener;
    if (!fits && !wrong) {
      wrong = b;
      if (!open.empty()) wrong_opener = open.back();
    }
    if (!open.empty()) open.pop_back();
  }

  char quote_ = 0;
};

char closing(char bracket) { return bracket == '[' ? ']' : '}'; }

// 'mass 2', cut where it is long.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 50;
  if (text.size() <= longest) return fmt::format("'{}'", text);
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return fmt::format("'{}…'", text.substr(0, end));
}

bool has_colon(std::string_view content) {
  return content.ends_with(':') || content.find(": ") != std::string_view::npos || content.find(":\t") != std::string_view::npos;
}

// `mass: 2` of `mass 2`, `mass:2` and `mass = 2`.
std::string entry_with_colon(std::string_view content) {
  std::size_t end = 0;
  while (end < content.size() && (is_letter(content[end]) || is_digit(content[end]) || content[end] == '-')) ++end;
  std::string_view rest = trimmed(content.substr(end));
  if (!rest.empty() && (rest[0] == ':' || rest[0] == '=')) rest = trimmed(rest.substr(1));
  return fmt::format("{}:{}{}", content.substr(0, end), rest.empty() ? "" : " ", rest);
}

class Diagnosis {
 public:
  Diagnosis(std::string_view text, Position at, std::string_view complaint)
      : text_(text), at_(at), complaint_(complaint), s_(text) {}

  std::string repaired;  // see YamlMistake

  InputError result() {
    for (const auto look :
         {&Diagnosis::tab, &Diagnosis::quote, &Diagnosis::bracket, &Diagnosis::comma, &Diagnosis::two_colons,
          &Diagnosis::no_colon, &Diagnosis::list, &Diagnosis::indentation, &Diagnosis::after_value, &Diagnosis::sign})
      if (std::optional<InputError> found = (this->*look)()) return std::move(*found);
    const Line* line = line_at(at_.line);
    return {at_,
            fmt::format("this is not YAML{}: lines are 'key: value', indented by spaces; a text with special characters needs "
                        "quotes",
                        line && !line->content.empty() ? ": " + shown(line->content) : "")};
  }

 private:
  using Found = std::optional<InputError>;

  bool complains(std::string_view words) const { return complaint_.starts_with(words); }
  const Line* line_at(int number) const {
    return number >= 1 && number <= static_cast<int>(s_.lines.size()) ? &s_.lines[static_cast<std::size_t>(number) - 1] : nullptr;
  }
  static Position start_of(const Line& line, int number) { return {number, static_cast<int>(line.indent) + 1}; }
  // The text with another line in place of one.
  std::string with_line(int number, const std::string& line) const {
    const Line& old = *line_at(number);
    const auto begin = static_cast<std::size_t>(old.all.data() - text_.data());
    return fmt::format("{}{}{}", text_.substr(0, begin), line, text_.substr(begin + old.all.size()));
  }
  // The last line before `number` that means something, 0: there is none.
  int before(int number) const {
    for (--number; number >= 1 && !line_at(number)->matters();) --number;
    return number;
  }

  Found tab() {
    int first = 0, others = 0;
    for (int n = 1; line_at(n); ++n)
      if (line_at(n)->tab && line_at(n)->matters()) first == 0 ? first = n : ++others;
    if (first == 0 || first > at_.line) return {};
    const Line& line = *line_at(first);
    return InputError({first, static_cast<int>(line.all.find('\t')) + 1},
                      fmt::format("this line is indented by a tab, YAML wants spaces: {}; replace the tab by spaces, as many as "
                                  "before its neighbours{}",
                                  shown(line.content),
                                  others == 0   ? ""
                                  : others == 1 ? " (one more line has a tab)"
                                                : fmt::format(" ({} more lines have tabs)", others)));
  }

  Found quote() {
    if (!complains(YAML::ErrorMsg::EOF_IN_SCALAR)) return {};
    return InputError(at_, "a quote is opened and never closed");
  }

  Found bracket() {
    if (!complains(YAML::ErrorMsg::FLOW_END) && !complains(YAML::ErrorMsg::END_OF_MAP_FLOW) &&
        !complains(YAML::ErrorMsg::END_OF_SEQ_FLOW))
      return {};
    if (s_.wrong && s_.wrong->at.line <= at_.line) {
      const Bracket b = *s_.wrong;
      if (!s_.wrong_opener)
        return InputError(b.at, fmt::format("this '{}' closes nothing: no '{}' is open", b.sign, b.sign == ']' ? '[' : '{'));
      const Bracket o = *s_.wrong_opener;
      return InputError(
          b.at,
          fmt::format(
              "this '{1}' does not close the '{2}' in line {3}, column {4}: '{0}' is missing before it, or it is one too many",
              closing(o.sign), b.sign, o.sign, o.at.line, o.at.column));
    }
    if (s_.open.empty() || s_.open.back().at.line > at_.line) return {};
    const Bracket o = s_.open.back();
    return InputError(o.at, fmt::format("this '{}' is never closed: '{}' is missing: {}", o.sign, closing(o.sign),
                                        shown(line_at(o.at.line)->content)));
  }

  // Brackets fit, and yet an entry does not end: `{mass: 2 at: [0, 0, 0]}`.
  Found comma() {
    if (!complains(YAML::ErrorMsg::END_OF_MAP_FLOW) && !complains(YAML::ErrorMsg::END_OF_SEQ_FLOW)) return {};
    const Line* line = line_at(at_.line);
    if (!line) return {};
    std::size_t end = std::min(static_cast<std::size_t>(at_.column) - 1, line->all.size());
    std::size_t begin = end;
    while (begin > 0 && (is_letter(line->all[begin - 1]) || is_digit(line->all[begin - 1]) || line->all[begin - 1] == '-'))
      --begin;
    if (begin > 0 && begin < line->all.size() && is_letter(line->all[begin]) && is_blank(line->all[begin - 1]) &&
        s_.open.empty() && !s_.wrong) {
      std::string fixed(line->all);
      fixed[begin - 1] = ',';
      repaired = with_line(at_.line, fixed);
    }
    if (begin == end) return InputError(at_, fmt::format("a comma is missing between two entries: {}", shown(line->content)));
    return InputError(
        {at_.line, static_cast<int>(begin) + 1},
        fmt::format("a comma is missing before '{}': {}", line->all.substr(begin, end - begin), shown(line->content)));
  }

  Found two_colons() {
    const Line* line = line_at(at_.line);
    if (!complains(YAML::ErrorMsg::MAP_VALUE) || !line || at_.column < 1) return {};
    const std::string_view left = line->all.substr(0, std::min(static_cast<std::size_t>(at_.column) - 1, line->all.size()));
    if (left.find(": ") == std::string_view::npos) return {};
    return InputError(at_,
                      fmt::format("a second colon in one line: {}; put a text with a colon in quotes, entries on lines of their "
                                  "own or in braces {{…}}",
                                  shown(line->content)));
  }

  // The line before is a word without its colon, which the parser joins with this one.
  Found no_colon() {
    if (!complains(YAML::ErrorMsg::MAP_VALUE) && !complains(YAML::ErrorMsg::END_OF_MAP)) return {};
    for (const int n : {before(at_.line), at_.line}) {
      const Line* line = line_at(n);
      if (!line || line->content.empty() || has_colon(line->content) || line->content.starts_with('-')) continue;
      const bool comment = line->content.starts_with("//") || line->content.starts_with("/*");
      if (!line->inside && (comment || is_letter(line->content[0])))
        repaired = with_line(n, comment ? "" : std::string(line->indent, ' ') + entry_with_colon(line->content));
      if (comment) return InputError(start_of(*line, n), fmt::format("a comment begins with '#': {}", shown(line->content)));
      return InputError(start_of(*line, n), without_colon(line->content));
    }
    return {};
  }

  Found list() {
    const Line* line = line_at(at_.line);
    const Line* above = line_at(before(at_.line));
    if (complains(YAML::ErrorMsg::BLOCK_ENTRY))
      return InputError(at_, "a list with '-' begins on a line of its own; in one line it is written [1, 2]");
    if (!complains(YAML::ErrorMsg::END_OF_MAP) && !complains(YAML::ErrorMsg::END_OF_SEQ)) return {};
    if (!line || !above || line->indent + 1 != static_cast<std::size_t>(at_.column)) return {};
    const bool dash = line->content.starts_with("- "), dash_above = above->content.starts_with("- ");
    if (dash == dash_above || line->indent != above->indent) return {};
    return InputError(at_,
                      fmt::format("entries with and without '-' are mixed: {}; entries that have names are written 'name: …', "
                                  "without '-'",
                                  shown(line->content)));
  }

  Found indentation() {
    const Line* line = line_at(at_.line);
    if (!line || !line->matters()) return {};
    const Line* above = line_at(before(at_.line));
    if (!above) return {};
    if (complains(YAML::ErrorMsg::MAP_VALUE) && line->indent > above->indent)
      return InputError(
          start_of(*line, at_.line),
          fmt::format("wrong indentation: {} is indented deeper than the line above, {}, which has its value already; "
                      "entries of one mapping begin in the same column",
                      shown(line->content), shown(above->content)));
    if (line->indent + 1 != static_cast<std::size_t>(at_.column)) return {};
    return InputError(
        start_of(*line, at_.line),
        fmt::format("wrong indentation: {} begins in column {}, the entries before it in {}; entries of one mapping "
                    "begin in the same column",
                    shown(line->content), line->indent + 1, columns_before(at_.line, line->indent)));
  }

  // "column 3 or 5": the nearest columns in which entries before this line begin.
  std::string columns_before(int number, std::size_t indent) const {
    std::optional<std::size_t> deeper, shallower;
    for (int n = before(number); n >= 1 && !shallower; n = before(n)) {
      const std::size_t other = line_at(n)->indent;
      if (other > indent && (!deeper || other < *deeper)) deeper = other;
      if (other < indent) shallower = other;
      if (other == 0) break;
    }
    if (deeper && shallower) return fmt::format("column {} or {}", *shallower + 1, *deeper + 1);
    return fmt::format("column {}", (deeper ? *deeper : shallower.value_or(0)) + 1);
  }

  Found after_value() {
    const Line* line = line_at(at_.line);
    if (!complains(YAML::ErrorMsg::END_OF_MAP) && !complains(YAML::ErrorMsg::END_OF_SEQ)) return {};
    if (!line || static_cast<std::size_t>(at_.column) > line->all.size()) return {};
    return InputError(at_, fmt::format("{} follows a value that is complete: put a text in quotes from its beginning to its end",
                                       shown(trimmed(line->all.substr(static_cast<std::size_t>(at_.column) - 1)))));
  }

  Found sign() {
    const Line* line = line_at(at_.line);
    if (!line || at_.column < 1 || static_cast<std::size_t>(at_.column) > line->all.size()) return {};
    const std::string_view rest = line->all.substr(static_cast<std::size_t>(at_.column) - 1);
    if (complains(YAML::ErrorMsg::UNKNOWN_TOKEN))
      return InputError(
          at_, fmt::format("a value cannot begin with '{}': put it in quotes: {}", rest.substr(0, 1), shown(line->content)));
    if (complains(YAML::ErrorMsg::UNKNOWN_ANCHOR))
      return InputError(at_,
                        fmt::format("nothing above is marked '&{0}', to which '*{0}' refers; a text that begins with * needs "
                                    "quotes",
                                    rest.substr(1, std::min(rest.find_first_of(" \t,]}", 1), rest.size()) - 1)));
    if (complains(YAML::ErrorMsg::INVALID_ESCAPE))
      return InputError(at_, "a backslash in double quotes begins a special character; use single quotes, or write \\\\");
    return {};
  }

  std::string_view text_;
  Position at_;
  std::string_view complaint_;
  Scanned s_;
};

}  // namespace

std::string without_colon(std::string_view content) {
  const std::string hint = shown(entry_with_colon(content));
  if (content.find(':') != std::string_view::npos)
    return fmt::format("a space is missing after the colon: {}; write {}", shown(content), hint);
  if (content.find('=') != std::string_view::npos)
    return fmt::format("a value follows a colon, not '=': {}; write {}", shown(content), hint);
  return fmt::format("a colon is missing: {}; write {}", shown(content), hint);
}

YamlMistake yaml_mistake(std::string_view text, Position at, std::string_view complaint) {
  Diagnosis diagnosis(text, at, complaint);
  InputError error = diagnosis.result();
  return {std::move(error), std::move(diagnosis.repaired)};
}

bool is_open_quote(std::string_view text, std::size_t start) {
  if (start >= text.size() || (text[start] != '"' && text[start] != '\'')) return false;
  const char quote = text[start];
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote != '\'' || i + 1 >= text.size() || text[i + 1] != '\'') return false;
      ++i;  // two of them stand for one
    }
  }
  return true;
}

}  // namespace aleator::core::input
