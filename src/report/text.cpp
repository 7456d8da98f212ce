#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace aleator::core::report {
namespace {

const char* const superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

std::string with_minus(std::string text) {
  for (std::size_t i = text.find('-'); i != std::string::npos; i = text.find('-', i)) text.replace(i, 1, "−");
  return text;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// "s^(1/2)" at the end of `done` and the start of `rest`: the letters move under a root.
bool take_root(std::string& done, std::string_view& rest) {
  if (!rest.starts_with("^(1/2)")) return false;
  std::size_t from = done.size();
  while (from > 0 && is_letter(done[from - 1])) --from;
  done.insert(from, "√");
  rest.remove_prefix(6);
  return true;
}

bool take_exponent(std::string& done, std::string_view& rest) {
  std::size_t n = 1;
  if (n < rest.size() && rest[n] == '-') ++n;
  const std::size_t digits = n;
  while (n < rest.size() && rest[n] >= '0' && rest[n] <= '9') ++n;
  if (rest[0] != '^' || n == digits) return false;
  for (const char c : rest.substr(1, n - 1)) done += c == '-' ? "⁻" : superscripts[c - '0'];
  rest.remove_prefix(n);
  return true;
}

}  // namespace

std::string fixed_number(double x, int decimals) {
  const std::string text = fmt::format("{:.{}f}", x, decimals);
  return with_minus(text.find_first_not_of("-0.") == std::string::npos && text[0] == '-' ? text.substr(1) : text);
}

std::string short_number(double x, int digits) {
  if (std::isnan(x)) return "–";
  std::string text = fmt::format("{:.{}g}", x, digits);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return with_minus(text);
  const int exponent = std::stoi(text.substr(e + 1));
  return with_minus(text.substr(0, e)) + "·" + power_of_ten(exponent);
}

std::string power_of_ten(int exponent) {
  std::string text = "10";
  for (const char c : fmt::format("{}", exponent)) text += c == '-' ? "⁻" : superscripts[c - '0'];
  return text;
}

std::string pretty_unit(std::string_view unit) {
  std::string done;
  while (!unit.empty()) {
    if (unit[0] == '^' && (take_root(done, unit) || take_exponent(done, unit))) continue;
    if (unit[0] == '*')
      done += "·";
    else
      done += unit[0];
    unit.remove_prefix(1);
  }
  return done;
}

std::string escaped(std::string_view text) {
  const std::pair<char, const char*> entities[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string out;
  for (std::size_t n = 1; !text.empty(); text.remove_prefix(n)) {
    n = std::max<std::size_t>(1, utf8_length(text));
    const char c = text[0];
    const auto* const entity =
        std::find_if(std::begin(entities), std::end(entities), [&](const auto& e) { return e.first == c; });
    const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    if (entity != std::end(entities))
      out += entity->second;
    else if (control || utf8_length(text) == 0)
      out += "\xEF\xBF\xBD";
    else
      out += text.substr(0, n);
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  return out;
}

std::string plain_ascii(std::string_view text) {
  const std::pair<std::string_view, const char*> known[] = {
      {"−", "-"},   {"·", "*"},  {"±", "+-"}, {"√", "sqrt "}, {"µ", "u"},  {"–", "-"},   {"…", "..."},
      {"½", "1/2"}, {"⁻", "^-"}, {"⁰", "^0"}, {"¹", "^1"},    {"²", "^2"}, {"³", "^3"},  {"⁴", "^4"},
      {"⁵", "^5"},  {"⁶", "^6"}, {"⁷", "^7"}, {"⁸", "^8"},    {"⁹", "^9"}, {"Σ", "sum"}, {"∫", "int "}};
  std::string out;
  while (!text.empty()) {
    std::size_t n = 1;
    while (n < text.size() && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) ++n;
    const std::string_view one = text.substr(0, n);
    const auto* const found = std::find_if(std::begin(known), std::end(known), [&](const auto& k) { return k.first == one; });
    if (n == 1)
      out += one;
    else
      out += found != std::end(known) ? found->second : "?";
    text.remove_prefix(n);
  }
  return out;
}

double text_width(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
    if (std::string_view("iljI.,:;'|!()[]/ tfr").find(c) != std::string_view::npos)
      width += 0.37;
    else if (std::string_view("mwMW%@").find(c) != std::string_view::npos)
      width += 0.95;
    else
      width += 0.63;
  }
  return width;
}

}  // namespace aleator::core::report
