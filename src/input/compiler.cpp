#include "input/compiler.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <muParser.h>

#include "input/limits.hpp"
#include "input/text.hpp"

namespace aleator::core::input {

namespace {

constexpr std::array<std::string_view, 22> functions = {"sin",  "cos",  "tan", "asin", "acos",  "atan",  "atan2", "sinh",
                                                        "cosh", "tanh", "exp", "log",  "ln",    "log10", "sqrt",  "abs",
                                                        "sign", "min",  "max", "pow",  "floor", "ceil"};
constexpr std::array<std::string_view, 3> constants = {"pi", "e", "deg"};  // deg follows a number, see make_parser

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::size_t name_length(std::string_view s) {
  std::size_t n = 0;
  while (n < s.size() && (is_letter(s[n]) || is_digit(s[n]))) ++n;
  return n;
}

// digits [. digits] [e [sign] digits], or 0 when there is no number here
std::size_t number_length(std::string_view s) {
  std::size_t n = 0, digits = 0;
  const auto take_digits = [&] {
    for (; n < s.size() && is_digit(s[n]); ++n) ++digits;
  };
  take_digits();
  if (n < s.size() && s[n] == '.') ++n, take_digits();
  if (digits == 0) return 0;
  std::size_t e = n;
  if (e < s.size() && (s[e] == 'e' || s[e] == 'E')) {
    ++e;
    if (e < s.size() && (s[e] == '+' || s[e] == '-')) ++e;
    if (e < s.size() && is_digit(s[e])) {
      n = e;
      take_digits();
    }
  }
  return n;
}

std::size_t symbol_length(std::string_view s) {
  for (const std::string_view two : {"<=", ">=", "==", "!=", "&&", "||"})
    if (s.starts_with(two)) return 2;
  return std::string_view("+-*/^(),?:<>%").find(s[0]) != std::string_view::npos ? 1 : 0;
}

[[noreturn]] void refuse_character(std::string_view rest, int offset) {
  if (rest[0] == '=') throw ExpressionError{"has a single '=' (a comparison is written ==)", offset};
  const bool readable = rest[0] > ' ' && rest[0] < 0x7F;
  throw ExpressionError{readable ? fmt::format("has an unexpected '{}'", rest[0]) : "has an unexpected character", offset};
}

}  // namespace

// Splits strictly: whatever muParser might take beyond plain arithmetic (assignments, strings) ends here.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const int offset = static_cast<int>(i);
    if (is_blank(rest[0])) {
      ++i;
    } else if (const std::size_t n = number_length(rest)) {
      const std::size_t stuck = name_length(rest.substr(n));  // 1_000, 0x10, 30deg
      double ignored = 0;
      if (stuck && rest.substr(n, stuck) != "deg")
        throw ExpressionError{fmt::format("has '{}', which is neither a number nor a name", rest.substr(0, n + stuck)), offset};
      if (!parse_decimal(rest.substr(0, n), ignored))
        throw ExpressionError{fmt::format("has '{}', which is out of the range of numbers", rest.substr(0, n)), offset};
      tokens.push_back({Token::Type::number, rest.substr(0, n), offset});
      i += n;
    } else if (is_letter(rest[0])) {
      tokens.push_back({Token::Type::name, rest.substr(0, name_length(rest)), offset});
      i += name_length(rest);
    } else if (const std::size_t m = symbol_length(rest)) {
      if (rest.starts_with("**")) throw ExpressionError{"has '**' (a power is written ^)", offset};
      if (rest[0] == '(' && ++depth > limits::expression_depth)
        throw ExpressionError{fmt::format("has more than {} nested parentheses", limits::expression_depth), offset};
      if (rest[0] == ')' && depth > 0) --depth;
      tokens.push_back({Token::Type::symbol, rest.substr(0, m), offset});
      i += m;
    } else {
      refuse_character(rest, offset);
    }
  }
  return tokens;
}

namespace {

// .inf, -inf, NaN: numbers for YAML and C, but not for a model.
bool is_not_finite_literal(std::string_view text) {
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  word.erase(0, word.find_first_not_of("+-."));
  return word == "inf" || word == "nan" || word == "infinity";
}

std::string worded(const mu::Parser::exception_type& error) {
  switch (error.GetCode()) {
    case mu::ecUNEXPECTED_EOF:
      return "ends too early";
    case mu::ecMISSING_PARENS:
      return "has a parenthesis that is not closed";
    case mu::ecUNEXPECTED_PARENS:
      return fmt::format("has an unexpected '{}'", error.GetToken());
    case mu::ecTOO_MANY_PARAMS:
      return fmt::format("gives too many arguments to '{}'", error.GetToken());
    case mu::ecTOO_FEW_PARAMS:
      return fmt::format("gives too few arguments to '{}'", error.GetToken());
    case mu::ecUNEXPECTED_ARG_SEP:
      return "has an unexpected ','";
    case mu::ecMISPLACED_COLON:
      return "has an unexpected ':'";
    case mu::ecMISSING_ELSE_CLAUSE:
      return "has a '?' without its ':'";
    default:
      break;
  }
  const std::string& token = error.GetToken();
  return token.empty() ? "is not a number or an expression" : fmt::format("has an unexpected '{}'", trimmed(token));
}

}  // namespace

std::vector<std::string_view> identifiers_in(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    const std::size_t length = is_letter(rest[0]) ? name_length(rest) : 0;
    if (length) names.push_back(rest.substr(0, length));
    i += std::max({length, number_length(rest), std::size_t{1}});
  }
  return names;
}

bool is_reserved_name(std::string_view name) {
  return name == "t" || contains(functions, name) || contains(constants, name) || is_not_finite_literal(name);
}

std::unique_ptr<mu::Parser> make_parser() {
  using D = double;
  auto parser = std::make_unique<mu::Parser>();
  parser->ClearFun();
  parser->ClearConst();
  parser->ClearPostfixOprt();
  const auto one = [&](const char* name, mu::fun_type1 f) { parser->DefineFun(name, f); };
  one("sin", [](D x) { return std::sin(x); });
  one("cos", [](D x) { return std::cos(x); });
  one("tan", [](D x) { return std::tan(x); });
  one("asin", [](D x) { return std::asin(x); });
  one("acos", [](D x) { return std::acos(x); });
  one("atan", [](D x) { return std::atan(x); });
  one("sinh", [](D x) { return std::sinh(x); });
  one("cosh", [](D x) { return std::cosh(x); });
  one("tanh", [](D x) { return std::tanh(x); });
  one("exp", [](D x) { return std::exp(x); });
  one("log", [](D x) { return std::log(x); });
  one("ln", [](D x) { return std::log(x); });
  one("log10", [](D x) { return std::log10(x); });
  one("sqrt", [](D x) { return std::sqrt(x); });
  one("abs", [](D x) { return std::abs(x); });
  one("sign", [](D x) { return static_cast<D>((x > 0) - (x < 0)); });
  one("floor", [](D x) { return std::floor(x); });
  one("ceil", [](D x) { return std::ceil(x); });
  const auto two = [&](const char* name, mu::fun_type2 f) { parser->DefineFun(name, f); };
  two("atan2", [](D y, D x) { return std::atan2(y, x); });
  two("pow", [](D x, D y) { return std::pow(x, y); });
  const auto many = [&](const char* name, mu::multfun_type f) { parser->DefineFun(name, f); };
  many("min", [](const D* x, int n) { return *std::min_element(x, x + n); });
  many("max", [](const D* x, int n) { return *std::max_element(x, x + n); });
  parser->DefineConst("pi", std::numbers::pi);
  parser->DefineConst("e", std::numbers::e);
  parser->DefinePostfixOprt("deg", [](D x) { return x * (std::numbers::pi / 180); });
  parser->DefinePostfixOprt("%", [](D x) { return x / 100; });
  return parser;
}

Compiler::Compiler(std::vector<std::string> parameters)
    : parameters_(std::move(parameters)),
      known_(parameters_),
      parser_(make_parser()),
      dummies_(parameters_.size() + 1, 0.5),
      expressions_(std::make_shared<Expressions>()) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    index_[parameters_[i]] = static_cast<int>(i);
    parser_->DefineVar(parameters_[i], &dummies_[i]);
  }
  parser_->DefineVar("t", &dummies_.back());
  known_.insert(known_.end(), functions.begin(), functions.end());
  known_.insert(known_.end(), constants.begin(), constants.end());
}

Compiler::~Compiler() = default;

// Names and characters are checked here rather than by muParser, which does not know what is near and where.
Expressions::Program Compiler::analyse(std::string_view text, Time time) const {
  Expressions::Program program;
  program.text = text;
  const std::vector<Token> tokens = tokens_of(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.type != Token::Type::name || contains(constants, token.text)) continue;
    if (contains(functions, token.text)) {
      if (i + 1 == tokens.size() || tokens[i + 1].text != "(")
        throw ExpressionError{fmt::format("has the function '{}' without arguments in parentheses", token.text), token.offset};
    } else if (token.text == "t") {
      if (time == Time::refused) throw ExpressionError{"may not depend on the time t", token.offset};
      program.of_time = true;
    } else if (const auto it = index_.find(token.text); it != index_.end()) {
      if (!std::count(program.parameters.begin(), program.parameters.end(), it->second)) program.parameters.push_back(it->second);
    } else if (i > 0 && tokens[i - 1].type == Token::Type::number) {
      throw ExpressionError{fmt::format("has '{}' after a number (numbers are in SI units, without naming them; "
                                        "only deg or % may follow)",
                                        token.text),
                            token.offset};
    } else {
      throw ExpressionError{fmt::format("uses the unknown name '{}'{}", token.text, suggestion(token.text, known_)), token.offset,
                            false, std::string(token.text)};
    }
  }
  return program;
}

// Lets muParser compile the text, and returns its value (which means something when nothing varies in it).
double Compiler::try_out(const Expressions::Program& program) {
  try {
    parser_->SetExpr(program.text);
    int results = 0;
    const double* stack = parser_->Eval(results);
    if (results != 1) throw ExpressionError{"must be one number, found several separated by commas"};
    return stack[0];
  } catch (const mu::Parser::exception_type& error) {
    const int offset = error.GetPos();
    throw ExpressionError{worded(error), offset >= 0 && offset < static_cast<int>(program.text.size()) ? offset : -1};
  }
}

// The same for arrays of times, if it has the same values: tried at some places, where muParser has finite ones.
std::shared_ptr<const TimeProgram> Compiler::on_arrays(const Expressions::Program& program) {
  std::optional<TimeProgram> made = TimeProgram::make(program.text, index_);
  if (!made) return nullptr;
  const std::vector<double> before = dummies_;
  bool same = true;
  for (int k = 0; k < 12; ++k) {
    for (std::size_t i = 0; i < dummies_.size(); ++i)
      dummies_[i] = std::fmod(0.37 + 0.618034 * double((i + 1) * (k + 1)), 1.0) * (k % 4 < 2 ? 1 : 7) - (k % 2);
    const double expected = parser_->Eval();
    double y = 0;
    (*made)(std::span(dummies_).first(dummies_.size() - 1), std::span(dummies_).last(1), {&y, 1});
    // Round-off: the order of operations may differ.
    same = same && (std::isfinite(expected) ? std::abs(y - expected) <= 1e-12 * (1 + std::abs(expected)) : !std::isfinite(y));
  }
  dummies_ = before;
  return same ? std::make_shared<const TimeProgram>(std::move(*made)) : nullptr;
}

Number Compiler::number(std::string_view text, Position at, Time time) {
  Number number;
  number.at = at;
  if (parse_decimal(text, number.constant)) return number;
  if (trimmed(text).empty()) throw ExpressionError{"has no value"};
  if (is_not_finite_literal(trimmed(text))) throw ExpressionError{fmt::format("must be finite, found '{}'", trimmed(text))};
  if (text.size() > limits::expression_length)
    throw ExpressionError{
        fmt::format("is too long for an expression: {} characters, at most {} are read", text.size(), limits::expression_length)};
  if (++count_ > limits::expressions)
    throw ExpressionError{
        fmt::format("is one expression too many: a file has at most {}; long tables belong in CSV files", limits::expressions),
        -1, true};
  length_ += text.size();
  if (length_ > limits::expressions_mib << 20)
    throw ExpressionError{fmt::format("is too much: all expressions of a file have at most {} MiB", limits::expressions_mib), -1,
                          true};

  Expressions::Program program = analyse(text, time);
  program.at = at;
  const double value = try_out(program);
  if (program.parameters.empty() && !program.of_time) {
    if (!std::isfinite(value)) throw ExpressionError{fmt::format("is not finite: '{}'", trimmed(text))};
    number.constant = value;
    return number;
  }
  if (program.of_time) program.on_arrays = on_arrays(program);
  number.program = static_cast<int>(expressions_->programs.size());
  expressions_->programs.push_back(std::move(program));
  return number;
}

}  // namespace aleator::core::input
