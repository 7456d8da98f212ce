#include "report/failure_groups.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>

namespace aleator::core::report {
namespace {

constexpr std::size_t most_listed = 12;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Where a number begins: after a space or "=", not within a name ("rb5") nor in a place of a file ("model.yaml:9:85").
bool begins_number(std::string_view text, std::size_t i) {
  if (i > 0 && text[i - 1] != ' ' && text[i - 1] != '=' && text[i - 1] != '(' && text[i - 1] != '[') return false;
  return is_digit(text[i]) || (text[i] == '-' && i + 1 < text.size() && is_digit(text[i + 1]));
}

// A point that ends a sentence belongs to no number, nor does the letter of a unit.
std::size_t end_of_number(std::string_view text, std::size_t i) {
  if (text[i] == '-') ++i;
  const auto digit_at = [&](std::size_t k) { return k < text.size() && is_digit(text[k]); };
  for (; i < text.size(); ++i) {
    if (is_digit(text[i]) || (text[i] == '.' && digit_at(i + 1))) continue;
    if (text[i] != 'e') break;
    const bool sign = i + 1 < text.size() && (text[i + 1] == '-' || text[i + 1] == '+');
    if (!digit_at(i + 1 + std::size_t(sign))) break;
    i += std::size_t(sign);
  }
  return i;
}

std::string without_numbers(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (begins_number(text, i)) {
      out += "…";
      i = end_of_number(text, i);
    } else {
      out += text[i++];
    }
  }
  return out;
}

}  // namespace

std::vector<FailureGroup> failure_groups(const std::vector<results::Failure>& failures) {
  std::vector<FailureGroup> groups;
  std::map<std::string, std::size_t> known;  // index by the reason without its numbers
  for (const results::Failure& f : failures) {
    const std::string pattern = without_numbers(f.why);
    const auto [at, is_new] = known.try_emplace(pattern, groups.size());
    if (is_new) groups.emplace_back().reason = f.why;
    FailureGroup& g = groups[at->second];
    if (g.reason != f.why) g.reason = pattern;
    ++g.count;
    g.last = f.realization;
    if (g.realizations.size() < most_listed) g.realizations.push_back(f.realization);
    g.from = std::fmin(g.from, f.time);  // of a number and NaN the number
    g.to = std::fmax(g.to, f.time);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const FailureGroup& a, const FailureGroup& b) { return a.count > b.count; });
  return groups;
}

}  // namespace aleator::core::report
