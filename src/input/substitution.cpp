#include "input/substitution.hpp"

#include <cmath>

#include <fmt/format.h>
#include <muParser.h>

#include "input/compiler.hpp"
#include "input/limits.hpp"
#include "input/text.hpp"

namespace aleator::core::input {
namespace {

bool is_name_sign(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

// The text between `${` and `}`, with values in place of variables: a number where it has one.
struct Inserted {
  std::string text;
  bool simple = true;  // a number that is not negative, or a word: it needs no parentheses
};

Inserted of_scalar(const std::string& text) {
  double value = 0;
  if (parse_decimal(text, value)) return {text, value >= 0 && !std::signbit(value)};
  return {text, is_dotted_name(text)};
}

const Tree& known_variable(std::string_view name, Position at, const std::string& whole, const Variables& variables) {
  if (const Tree* value = variables.find(name)) return *value;
  const std::vector<std::string> known = variables.names();
  if (known.empty()) throw InputError(at, fmt::format("'{}' has a variable, but stands in no repeat and in no template", whole));
  throw InputError(at, fmt::format("'{}' has the unknown variable '{}'{}", whole, name, suggestion(name, known)));
}

// Arithmetic: variables become their values in parentheses.
Inserted computed(std::string_view inner, Position at, const std::string& whole, const Variables& variables,
                  Arithmetic& arithmetic) {
  std::string text;
  bool mentions_variables = false;
  for (std::size_t i = 0; i < inner.size();) {
    if (!is_letter(inner[i]) || (i > 0 && is_digit(inner[i - 1]) && (inner[i] == 'e' || inner[i] == 'E'))) {
      text += inner[i++];
      continue;
    }
    std::size_t end = i;
    while (end < inner.size() && (is_letter(inner[end]) || is_digit(inner[end]))) ++end;
    const std::string_view name = inner.substr(i, end - i);
    if (const Tree* value = variables.find(name)) {
      if (!value->is_scalar()) throw InputError(at, fmt::format("'{}': '{}' is {}, not a number", whole, name, found(*value)));
      text += value->text.find_first_of("+-*/^ ,?:<>=") == std::string::npos ? value->text : fmt::format("({})", value->text);
      mentions_variables = true;
    } else {
      text += name;
    }
    i = end;
  }
  if (text.size() > limits::expression_length)
    throw InputError(at, fmt::format("'{}...' is too long for an expression: at most {} characters are read", text.substr(0, 40),
                                     limits::expression_length));
  if (const std::optional<double> value = arithmetic(text)) return of_scalar(number_text(*value));
  if (!mentions_variables)  // a misspelt variable is the likely reason
    for (const std::string_view name : identifiers_in(inner))
      if (!is_reserved_name(name)) known_variable(name, at, whole, variables);
  return {text, false};
}

// Calls insert(inner, whole) for every `${inner}`, and returns the text with what it gives in place of them.
template <class Insert>
std::string replaced(const std::string& text, Position at, Insert&& insert) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t begin = text.find("${"); begin != std::string::npos; begin = text.find("${", from)) {
    const std::size_t end = text.find('}', begin);
    if (end == std::string::npos)
      throw InputError(at, fmt::format("'{}': the '{{' of '${{' is never closed", text.substr(0, 60)));
    out += text.substr(from, begin - from);
    const std::string_view inner = trimmed(std::string_view(text).substr(begin + 2, end - begin - 2));
    const std::string whole = text.substr(begin, end + 1 - begin);
    if (inner.empty()) throw InputError(at, fmt::format("'{}' names no variable", whole));
    const char before = out.empty() ? ' ' : out.back(), after = end + 1 < text.size() ? text[end + 1] : ' ';
    const Inserted value = insert(inner, whole);
    const bool alone = begin == 0 && end + 1 == text.size();
    const bool in_name = is_name_sign(before) || is_name_sign(after) || after == '$' || before == '}';
    out += value.simple || alone || in_name ? value.text : fmt::format("({})", value.text);
    from = end + 1;
  }
  return out + text.substr(from);
}

Inserted inserted(std::string_view inner, Position at, const std::string& whole, const Variables& variables,
                  Arithmetic& arithmetic) {
  if (!is_identifier(inner)) return computed(inner, at, whole, variables, arithmetic);
  const Tree& value = known_variable(inner, at, whole, variables);
  if (!value.is_scalar()) throw InputError(at, fmt::format("'{}' is {}: it cannot be part of a text", whole, found(value)));
  return of_scalar(value.text);
}

}  // namespace

const Tree* Variables::find(std::string_view name) const {
  for (const Tree& v : own)
    if (v.key == name) return &v;
  return outer ? outer->find(name) : nullptr;
}

std::vector<std::string> Variables::names() const {
  std::vector<std::string> all = outer ? outer->names() : std::vector<std::string>{};
  for (const Tree& v : own) all.push_back(v.key);
  return all;
}

Arithmetic::Arithmetic() : parser_(make_parser()) {}
Arithmetic::~Arithmetic() = default;

std::optional<double> Arithmetic::operator()(const std::string& text) {
  double decimal = 0;
  if (parse_decimal(text, decimal)) return decimal;
  const auto known = known_.find(text);
  if (known != known_.end()) return known->second;
  std::optional<double> value;
  bool constant = text.size() <= limits::expression_length;
  try {
    for (const Token& token : tokens_of(text))
      constant = constant && !(token.type == Token::Type::name && (token.text == "t" || !is_reserved_name(token.text)));
    if (constant) {
      parser_->SetExpr(text);
      int results = 0;
      const double* stack = parser_->Eval(results);
      if (results == 1 && std::isfinite(stack[0])) value = stack[0];
    }
  } catch (const ExpressionError&) {
  } catch (const mu::Parser::exception_type&) {
  }
  constexpr std::size_t most = 10'000;  // remembered: loops have few that are equal
  if (known_.size() < most) known_.emplace(text, value);
  return value;
}

std::string number_text(double value) {
  if (value == 0) return "0";
  constexpr double exact = 1e15;
  if (std::abs(value) < exact && value == std::floor(value)) return fmt::format("{}", static_cast<long long>(value));
  return fmt::format("{}", value);
}

void substitute_value(Tree& scalar, const Variables& variables, Arithmetic& arithmetic) {
  if (!scalar.is_scalar() || !has_variables(scalar.text)) return;
  // A variable alone may be anything, a list as well.
  const std::string_view text = trimmed(scalar.text);
  if (text.starts_with("${") && text.find('}') + 1 == text.size()) {
    const std::string_view name = trimmed(text.substr(2, text.size() - 3));
    if (is_identifier(name)) {
      const Tree& value = known_variable(name, scalar.at, scalar.text, variables);
      if (!value.is_scalar()) {
        Tree copy = value;
        copy.key = scalar.key, copy.key_at = scalar.key_at, copy.at = scalar.at;
        scalar = std::move(copy);
        return;
      }
      scalar.plain = value.plain;
    }
  }
  scalar.text = replaced(scalar.text, scalar.at, [&](std::string_view inner, const std::string& whole) {
    return inserted(inner, scalar.at, whole, variables, arithmetic);
  });
  scalar.inside = -1;
}

void substitute_key(Tree& child, const Variables& variables, Arithmetic& arithmetic) {
  if (!has_variables(child.key)) return;
  child.key = replaced(child.key, child.key_at, [&](std::string_view inner, const std::string& whole) {
    Inserted value = inserted(inner, child.key_at, whole, variables, arithmetic);
    double number = 0;
    if (!parse_decimal(value.text, number) && !value.simple)
      throw InputError(child.key_at,
                       fmt::format("'{}' is part of a name and must be a number or a word, found '{}'", whole, value.text));
    value.simple = true;
    return value;
  });
}

}  // namespace aleator::core::input
