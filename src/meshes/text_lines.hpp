// Lines of a text and the words and numbers in them, without copies: meshes have millions.
#pragma once

#include <charconv>
#include <string_view>

namespace aleator::core::meshes {

class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text) {}

  // The next line without its end; false after the last one.
  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find_first_of("\n\r");
    line_ = rest_.substr(0, end);
    if (end == std::string_view::npos)
      rest_ = {};
    else
      rest_.remove_prefix(rest_[end] == '\r' && end + 1 < rest_.size() && rest_[end + 1] == '\n' ? end + 2 : end + 1);
    ++number_;
    return true;
  }
  // The next word of the line; empty at its end.
  std::string_view word() {
    std::size_t at = 0;
    while (at < line_.size() && (line_[at] == ' ' || line_[at] == '\t')) ++at;
    std::size_t end = at;
    while (end < line_.size() && line_[end] != ' ' && line_[end] != '\t') ++end;
    const std::string_view found = line_.substr(at, end - at);
    line_.remove_prefix(end);
    return found;
  }
  int number() const { return number_; }

 private:
  std::string_view rest_, line_;
  int number_ = 0;
};

// A number that is a place: finite, and far from where products overflow.
inline bool number_in(std::string_view word, double& value) {
  if (!word.empty() && word[0] == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return !word.empty() && error == std::errc{} && end == word.data() + word.size() && value > -1e30 && value < 1e30;
}

}  // namespace aleator::core::meshes
