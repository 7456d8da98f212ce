#include "base/text_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace aleator::core {
namespace {

constexpr size_t around = 2;            // unchanged lines shown before and after a change
constexpr size_t most_lines = 20;       // shown
constexpr size_t longest_line = 120;    // the rest of it is left out
constexpr size_t most_pairs = 4000000;  // of lines that are compared; beyond that all between the first and the last is changed

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct Line {
  char mark;  // ' ' both, '-' then, '+' now
  std::string_view text;
};

using Lines = std::vector<std::string_view>;

// The middle, where first and last lines differ: by the longest common subsequence, a table of its lengths from each pair on.
void compare_middle(const Lines& a, const Lines& b, std::vector<Line>& out) {
  const size_t n = a.size(), m = b.size();
  std::vector<unsigned> common;
  if ((n + 1) * (m + 1) <= most_pairs) common.assign((n + 1) * (m + 1), 0);
  const auto at = [&](size_t i, size_t j) -> unsigned& { return common[i * (m + 1) + j]; };
  if (!common.empty())
    for (size_t i = n; i-- > 0;)
      for (size_t j = m; j-- > 0;) at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (!common.empty() && i < n && j < m && a[i] == b[j])
      out.push_back({' ', a[i++]}), ++j;
    else if (i < n && (j == m || common.empty() || at(i + 1, j) >= at(i, j + 1)))
      out.push_back({'-', a[i++]});
    else
      out.push_back({'+', b[j++]});
  }
}

std::vector<Line> compare(const Lines& a, const Lines& b) {
  const size_t shorter = std::min(a.size(), b.size());
  size_t head = 0, tail = 0;
  while (head < shorter && a[head] == b[head]) ++head;
  while (tail < shorter - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  std::vector<Line> out;
  for (size_t i = 0; i < head; ++i) out.push_back({' ', a[i]});
  compare_middle({a.begin() + long(head), a.end() - long(tail)}, {b.begin() + long(head), b.end() - long(tail)}, out);
  for (size_t i = a.size() - tail; i < a.size(); ++i) out.push_back({' ', a[i]});
  return out;
}

// Cut between characters of UTF-8.
std::string shortened(std::string_view line) {
  if (line.size() <= longest_line) return std::string(line);
  size_t end = longest_line;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return std::string(line.substr(0, end)) + "…";
}

}  // namespace

std::string text_difference(const std::string& then, const std::string& now, const std::string& name) {
  if (then == now) return "";
  if (then.find('\0') != std::string::npos || now.find('\0') != std::string::npos)
    return fmt::format("{}: its bytes have changed\n", name);
  std::string out = fmt::format("--- {}, when the run began\n+++ {}, now\n", name, name);
  const std::vector<Line> lines = compare(lines_of(then), lines_of(now));
  std::vector<char> shown(lines.size(), 0);
  for (size_t k = 0; k < lines.size(); ++k)
    if (lines[k].mark != ' ')
      for (size_t i = k - std::min(k, around); i < std::min(lines.size(), k + around + 1); ++i) shown[i] = 1;
  size_t before = 1, after = 1, count = 0, left = 0;  // numbers of the next lines; shown; changed but left out
  for (size_t k = 0; k < lines.size(); ++k) {
    const bool begins = shown[k] && (k == 0 || !shown[k - 1]);
    if (count == most_lines) {
      left += lines[k].mark != ' ';
    } else if (shown[k]) {
      if (begins) out += fmt::format("@@ line {} → {} @@\n", before, after);
      out += fmt::format("{}{}\n", lines[k].mark, shortened(lines[k].text));
      ++count;
    }
    before += lines[k].mark != '+';
    after += lines[k].mark != '-';
  }
  if (left > 0) out += fmt::format("… and {} more changed lines\n", left);
  if (std::none_of(shown.begin(), shown.end(), [](char s) { return s; })) out += "(line ends alone)\n";
  return out;
}

}  // namespace aleator::core
