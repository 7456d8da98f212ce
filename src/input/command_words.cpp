#include "input/command_words.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/error.hpp"
#include "input/expression.hpp"
#include "input/text.hpp"

namespace aleator::core::input {

// The nearest one alone: all that are known are in the help.
static std::string did_you_mean(const std::string& word, std::span<const std::string> known) {
  const std::string hint = suggestion(word, known);
  return hint.starts_with(" (did you mean") ? hint : "";
}

std::string wrong_whole(std::string& text, long long least, long long most) {
  long long x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  bool fine = error == std::errc{} && end == text.data() + text.size();
  if (double real = 0; !fine && parse_decimal(text, real) && is_whole(real)) {
    x = static_cast<long long>(real);
    fine = true;
  }
  if (!fine || x < least || x > most) return fmt::format("expects a whole number from {} to {}, found '{}'", least, most, text);
  text = std::to_string(x);
  return "";
}

std::string wrong_real(const std::string& text, double least, double most) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == 0 && x >= least && x <= most) return "";
  return fmt::format("expects a number from {:g} to {:g}, found '{}'", least, most, text);
}

std::string wrong_choice(const std::string& text, std::span<const std::string> words) {
  if (std::find(words.begin(), words.end(), text) != words.end()) return "";
  return fmt::format("expects one of {}, found '{}'{}", fmt::join(words, ", "), text, did_you_mean(text, words));
}

std::string unknown_command(const std::string& word, std::span<const std::string> known) {
  if (word.empty() || std::find(known.begin(), known.end(), word) != known.end()) return "";
  return fmt::format("there is no command '{}'{}", word, suggestion(word, known));
}

std::string unknown_option(std::span<const std::string> words, std::vector<std::string> names) {
  std::vector<std::string> known = {"--help", "--version"};
  for (const std::string& name : names) known.push_back(name.substr(name.rfind(',') + 1));  // the long one comes last
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (word == "--") break;
    if (word.starts_with("--") && std::find(known.begin(), known.end(), name) == known.end())
      return fmt::format("there is no option '{}'{}", name, did_you_mean(name, known));
  }
  return "";
}

}  // namespace aleator::core::input
