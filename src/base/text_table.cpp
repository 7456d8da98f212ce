#include "base/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"
#include "base/words.hpp"

namespace aleator::core {

namespace {

constexpr std::size_t least_name = 12;  // a name is not cut to less

// Takes from the widest of the columns with names until the table fits.
void fit_width(std::vector<std::size_t>& width, std::size_t names, std::size_t most) {
  std::size_t all = 2 * (width.size() - 1);
  for (const std::size_t w : width) all += w;
  while (all > most) {
    const auto widest = std::max_element(width.begin(), width.begin() + long(std::min(names, width.size())));
    if (*widest <= least_name) return;
    --*widest, --all;
  }
}

}  // namespace

std::vector<std::string> TextTable::lines(std::size_t most) const {
  std::vector<std::size_t> width;
  for (const auto& r : rows_)
    for (std::size_t i = 0; i < r.size(); ++i) {
      if (width.size() <= i) width.push_back(0);
      width[i] = std::max(width[i], characters(r[i]));
    }
  if (width.empty()) return {};
  fit_width(width, names_, most);
  std::vector<std::string> out;
  for (const auto& r : rows_) {
    std::string line;
    for (std::size_t i = 0; i < r.size(); ++i) {
      const std::string text = i < left_ ? cut_middle(r[i], width[i]) : r[i];
      const std::string blanks(width[i] - characters(text), ' ');
      line += (i == 0 ? "" : "  ") + (i < left_ ? text + blanks : blanks + text);
    }
    out.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return out;
}

std::string TextTable::text(std::size_t most) const {
  std::string out;
  for (const std::string& line : lines(most)) out += line + "\n";
  return out;
}

std::string cut_middle(const std::string& text, std::size_t most) {
  const std::size_t n = characters(text);
  if (n <= most || most < 3) return text;
  const std::size_t unit = text.ends_with("]") ? text.rfind(" [") : std::string::npos;  // units stay whole
  if (unit != std::string::npos && characters(text.substr(unit)) + 5 <= most)
    return cut_middle(text.substr(0, unit), most - characters(text.substr(unit))) + text.substr(unit);
  const std::size_t head = most / 2, tail = most - 1 - head;
  const auto byte_of = [&](std::size_t character) {
    std::size_t at = 0;
    for (; character > 0; --character) at += std::max<std::size_t>(1, utf8_length(std::string_view(text).substr(at)));
    return at;
  };
  return text.substr(0, byte_of(head)) + "…" + text.substr(byte_of(n - tail));
}

std::string wrapped(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string indent(line.size() - line.substr(std::min(line.size(), line.find_first_not_of(' '))).size(), ' ');
    std::string_view rest = line;
    std::string current = indent;
    bool empty = true;
    rest.remove_prefix(indent.size());
    while (!rest.empty()) {
      std::size_t end = rest.find(' ');
      while (end != std::string_view::npos && rest.substr(end).starts_with(" %"))
        end = rest.find(' ', end + 1);  // "5 %" is one word
      const std::string_view word = rest.substr(0, end);
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      if (!empty && characters(current) + 1 + characters(word) > most) {
        out += current.substr(0, current.find_last_not_of(' ') + 1) + "\n";
        current = indent + "  ";
        empty = true;
      }
      current += (empty ? "" : " ") + std::string(word);
      empty = false;
    }
    out += current + "\n";
  }
  return out;
}

std::string histogram(std::vector<double> x) {
  constexpr int bins = 16;
  std::sort(x.begin(), x.end());
  const double low = x[x.size() / 1000], high = x[x.size() - 1 - x.size() / 1000];
  if (!(high > low)) return fmt::format("always {}", number(low));
  if (!std::isfinite(high - low)) return fmt::format("{:>9} … {}", number(low), number(high));
  std::vector<int> count(bins);
  for (const double v : x)
    if (v >= low && v <= high) ++count[std::size_t(std::min(bins - 1, int((v - low) / (high - low) * bins)))];
  const int most = *std::max_element(count.begin(), count.end());
  const char* const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string out;
  for (const int c : count) out += bars[(8 * c + most - 1) / most];
  return fmt::format("{:>9} {} {}", number(low), out, number(high));
}

}  // namespace aleator::core
