#include "input/error.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/synonyms.hpp"

namespace aleator::core::input {

namespace {

constexpr std::size_t few = 10;  // so many known names still fit into a message

char folded(char c) { return c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Optimal string alignment: insertions, deletions, substitutions and swapped neighbours each cost one;
// case and the choice between - and _ cost nothing.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = folded(a[i - 1]) == folded(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

static const std::string& file_of(Position at) {
  static const std::string unknown;
  return at.origin ? at.origin->file : unknown;
}

// " [in instance 'left' of template 'leg', line 30]": what made it of the text that it is about, from the inside out; of many the innermost
// and the outermost ones.
static std::string made_by(Position where) {
  constexpr std::size_t most = 4;
  std::vector<std::string> all;
  for (Position at = where; at.origin; at = at.origin->made_at) {
    const Origin& o = *at.origin;
    if (o.made_by.empty()) continue;
    const std::string& file = file_of(o.made_at);
    all.push_back(
        fmt::format("in {}, {}{}", o.made_by, file == file_of(where) || file.empty() ? "line " : file + ":", o.made_at.line));
  }
  if (all.size() > most) {
    all[most - 2] = fmt::format("… ({} more)", all.size() - (most - 1));
    all.erase(all.begin() + most - 1, all.end() - 1);
  }
  return all.empty() ? "" : fmt::format(" [{}]", fmt::join(all, "; "));
}

static std::string completed(Position where, std::string message) {
  const std::string addition = made_by(where);
  return message.ends_with(addition) ? message : message + addition;  // of a message that was caught and begins otherwise now
}

std::string place_text(const std::string& file, Position at) {
  return fmt::format("{}:{}:{}", file_of(at).empty() ? file : file_of(at), at.line, at.column);
}

InputError::InputError(Position where, std::string message)
    : aleator::InputError(file_of(where), where.line, where.column, completed(where, std::move(message))),
      origin_(where.origin) {}

InputError::InputError(std::vector<Mistake> mistakes, std::size_t more) : aleator::InputError(std::move(mistakes), more) {}

InputError InputError::in_file(const std::string& file) const {
  std::vector<Mistake> all = mistakes();
  for (Mistake& m : all)
    if (m.file.empty()) m.file = file;
  InputError error(std::move(all), more());
  error.origin_ = origin_;
  return error;
}

InputError InputError::with_key(const std::string& path) const {
  std::vector<Mistake> all = mistakes();
  all[0].key = path;
  return InputError(std::move(all), more());
}

InputError InputError::without_place() const {
  std::vector<Mistake> all = mistakes();
  for (Mistake& m : all) m.file.clear(), m.line = m.column = 0;
  return InputError(std::move(all), more());
}

std::string suggestion(std::string_view unknown, std::span<const std::string> known) {
  constexpr std::size_t longest = 64;     // beyond this nobody mistyped a name
  constexpr std::size_t compared = 2000;  // names at most: a file may have many, and many mistakes
  if (const std::string_view word = synonym(unknown, known); !word.empty()) return fmt::format(" (did you mean '{}'?)", word);
  const std::string* nearest = nullptr;
  std::size_t least = (unknown.size() + 1) / 3 + 1;  // one slip in short names, a third of the letters in long ones
  for (const std::string& name : known.first(std::min(known.size(), compared))) {
    if (unknown.size() > longest || name.size() > longest) continue;
    const std::size_t d = distance(unknown, name);
    if (d < least) {
      least = d;
      nearest = &name;
    }
  }
  if (nearest) return fmt::format(" (did you mean '{}'?)", *nearest);

  // An abbreviation: `vel` for `velocity`.
  for (const std::string& name : known)
    if (unknown.size() >= 3 && name.size() > unknown.size() && name.starts_with(unknown))
      return fmt::format(" (did you mean '{}'?)", name);

  if (known.empty() || known.size() > few) return "";
  return fmt::format(" (known: {})", fmt::join(known, ", "));
}

}  // namespace aleator::core::input
