#include "optimisation/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace aleator::core::optimisation {

using input::InputError;
using input::Position;

namespace {

constexpr const char* statistic_names[] = {"mean", "std", "quantile", "probability"};
const std::vector<std::string> functions_of_one = {"abs", "sqrt", "exp", "log", "log10"};
const std::vector<std::string> functions_of_two = {"min", "max"};

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

double apply(const std::string& f, double a, double b) {
  if (f == "+") return a + b;
  if (f == "-") return a - b;
  if (f == "*") return a * b;
  if (f == "/") return a / b;
  if (f == "^") return std::pow(a, b);
  if (f == "neg") return -a;
  if (f == "abs") return std::abs(a);
  if (f == "sqrt") return std::sqrt(a);
  if (f == "exp") return std::exp(a);
  if (f == "log") return std::log(a);
  if (f == "log10") return std::log10(a);
  return f == "min" ? std::min(a, b) : std::max(a, b);
}

std::string trimmed(std::string text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), blank));
  return text;
}

}  // namespace

std::string Statistic::text() const {
  return kind == Kind::quantile ? fmt::format("quantile({}, {:g})", of, level)
                                : fmt::format("{}({})", statistic_names[int(kind)], of);
}

// sum = product {(+|-) product}; product = signed {(*|/) signed}; signed = [-] power; power = atom [^ signed].
class FormulaReader {
 public:
  FormulaReader(const std::string& text, Position at, const Names& names, Formula& out)
      : text_(text), at_(at), names_(names), out_(out) {}

  void read() {
    out_.root_ = sum();
    skip();
    if (i_ < text_.size()) refuse(i_, fmt::format("'{}' is not understood here", text_.substr(i_)));
  }

 private:
  using Node = Formula::Node;
  using NodeKind = Formula::Node::Kind;

  [[noreturn]] void refuse(size_t where, const std::string& why) const {
    const Position p = at_.line > 0 ? Position{at_.line, at_.column + int(where)} : at_;
    throw InputError(p, fmt::format("'{}': {}", trimmed(text_), why));
  }
  void skip() {
    while (i_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[i_]))) ++i_;
  }
  bool take(char c) {
    skip();
    if (i_ >= text_.size() || text_[i_] != c) return false;
    ++i_;
    return true;
  }
  void need(char c) {
    if (take(c)) return;
    refuse(i_, fmt::format("'{}' is missing", c));
  }
  int add(Node node) {
    out_.nodes_.push_back(std::move(node));
    return int(out_.nodes_.size()) - 1;
  }
  int operation(std::string name, int first, int second = -1) {
    return add({NodeKind::operation, 0, 0, std::move(name), first, second});
  }

  int sum() {
    const DepthGuard guard(*this);
    int left = product();
    while (true) {
      if (take('+'))
        left = operation("+", left, product());
      else if (take('-'))
        left = operation("-", left, product());
      else
        return left;
    }
  }
  int product() {
    int left = with_sign();
    while (true) {
      if (take('*'))
        left = operation("*", left, with_sign());
      else if (take('/'))
        left = operation("/", left, with_sign());
      else
        return left;
    }
  }
  int with_sign() {
    const DepthGuard guard(*this);
    if (take('-')) return operation("neg", with_sign());
    const int base = atom();
    return take('^') ? operation("^", base, with_sign()) : base;
  }
  int atom() {
    if (take('(')) {
      const int inside = sum();
      need(')');
      return inside;
    }
    skip();
    const char c = i_ < text_.size() ? text_[i_] : '\0';
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    const size_t from = i_;
    while (i_ < text_.size() && is_name(text_[i_])) ++i_;
    if (i_ == from)
      refuse(i_, i_ < text_.size() ? fmt::format("'{}' is not understood here", text_.substr(i_)) : "it ends too early");
    const std::string name = text_.substr(from, i_ - from);
    return take('(') ? call(name, from) : variable(name, from);
  }
  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
  }
  int number() {
    char* end = nullptr;
    double x = std::strtod(text_.c_str() + i_, &end);
    i_ = size_t(end - text_.c_str());
    if (take('%')) x /= 100;
    return add({NodeKind::number, x});
  }
  int variable(const std::string& name, size_t from) {
    const auto& p = names_.parameters;
    if (const auto it = std::find(p.begin(), p.end(), name); it != p.end())
      return add({NodeKind::parameter, 0, int(it - p.begin())});
    if (names_.constant) {
      try {
        const double x = names_.constant(name);
        if (!std::isnan(x)) return add({NodeKind::number, x});
      } catch (const InputError& e) {
        refuse(from, e.message());
      }
    }
    if (name == "pi") return add({NodeKind::number, std::numbers::pi});
    std::vector<std::string> known = names_.suggested;
    known.insert(known.end(), p.begin(), p.end());
    refuse(from, fmt::format("'{}' is neither a parameter of the model nor a statistic, as mean(…){}", name,
                             input::suggestion(name, known)));
  }
  int call(const std::string& name, size_t from) {
    for (int k = 0; k < 4; ++k)
      if (name == statistic_names[k]) return statistic(Statistic::Kind(k), from);
    const bool of_two = is_one_of(name, functions_of_two);
    if (!of_two && !is_one_of(name, functions_of_one)) {
      std::vector<std::string> known(std::begin(statistic_names), std::end(statistic_names));
      known.insert(known.end(), functions_of_one.begin(), functions_of_one.end());
      known.insert(known.end(), functions_of_two.begin(), functions_of_two.end());
      const std::string near = input::suggestion(name, known);
      refuse(from, fmt::format("there is no function '{}'{}", name,
                               near.empty() ? " (statistics: mean(X), std(X), quantile(X, p), probability(LIMIT))" : near));
    }
    const int first = sum();
    int second = -1;
    if (of_two) {
      need(',');
      second = sum();
    }
    need(')');
    return operation(name, first, second);
  }
  int statistic(Statistic::Kind kind, size_t from) {
    const size_t begin = i_;
    while (i_ < text_.size() && text_[i_] != ',' && text_[i_] != ')') ++i_;
    Statistic s{kind, trimmed(text_.substr(begin, i_ - begin)), 0, {at_.line, at_.column + int(begin)}};
    if (s.of.empty()) refuse(begin, fmt::format("{}() of what?", statistic_names[int(kind)]));
    if (kind == Statistic::Kind::quantile) {
      if (!take(',')) refuse(from, fmt::format("a quantile needs its probability: quantile({}, 0.95)", s.of));
      skip();
      const size_t level_at = i_;
      const int node = number();
      s.level = out_.nodes_[size_t(node)].number;
      out_.nodes_.pop_back();
      if (!(s.level > 0 && s.level < 1))
        refuse(level_at, fmt::format("the probability of a quantile must lie between 0 and 1, found {:g}{}", s.level,
                                     s.level > 1 && s.level < 100 ? fmt::format(" (did you mean {:g}?)", s.level / 100) : ""));
    }
    need(')');
    std::vector<Statistic>& all = *names_.statistics;
    const auto it = std::find_if(all.begin(), all.end(), [&](const Statistic& other) { return other.is(s); });
    const int index = int(it - all.begin());
    if (it == all.end()) all.push_back(s);
    if (std::find(out_.used_.begin(), out_.used_.end(), index) == out_.used_.end()) out_.used_.push_back(index);
    return add({NodeKind::statistic, 0, index});
  }

  // Parentheses without end must not use up the stack.
  struct DepthGuard {
    FormulaReader& r;
    explicit DepthGuard(FormulaReader& reader) : r(reader) {
      if (++r.depth_ > 200) r.refuse(r.i_, "it is nested too deeply");
    }
    ~DepthGuard() { --r.depth_; }
    DepthGuard(const DepthGuard&) = delete;
    DepthGuard& operator=(const DepthGuard&) = delete;
  };

  const std::string& text_;
  Position at_;
  const Names& names_;
  Formula& out_;
  size_t i_ = 0;
  int depth_ = 0;
};

Formula::Formula(std::string text, Position at, const Names& names) : text_(std::move(text)) {
  FormulaReader(text_, at, names, *this).read();
  text_ = trimmed(text_);
}

double Formula::value(int node, std::span<const double> parameters, std::span<const double> statistics) const {
  const Node& n = nodes_[size_t(node)];
  switch (n.kind) {
    case Node::Kind::number:
      return n.number;
    case Node::Kind::parameter:
      return parameters[size_t(n.index)];
    case Node::Kind::statistic:
      return statistics[size_t(n.index)];
    case Node::Kind::operation:
      break;
  }
  return apply(n.operation, value(n.first, parameters, statistics), n.second < 0 ? 0 : value(n.second, parameters, statistics));
}

double Formula::operator()(std::span<const double> parameters, std::span<const double> statistics) const {
  return value(root_, parameters, statistics);
}

int Formula::only_statistic() const {
  return nodes_.size() == 1 && nodes_[0].kind == Node::Kind::statistic ? nodes_[0].index : -1;
}

ConstraintFormula read_constraint(const std::string& text, Position at, const Names& names) {
  ConstraintFormula c;
  c.text = trimmed(text);
  c.at = at;
  const size_t sign = text.find_first_of("<>");
  if (sign == std::string::npos || text.find_first_of("<>", sign + 1) != std::string::npos)
    throw InputError(at, fmt::format("'{}' must be a comparison: STATISTIC <= NUMBER, or >= (\"mean(peak) <= 0.3\")", c.text));
  c.at_most = text[sign] == '<';
  const size_t after = sign + (sign + 1 < text.size() && text[sign + 1] == '=' ? 2 : 1);
  c.left = Formula(text.substr(0, sign), at, names);
  const Position right_at{at.line, at.column + int(after)};
  c.right = Formula(text.substr(after), right_at, names);
  if (!c.right.statistics().empty())
    throw InputError(right_at, fmt::format("'{}': statistics belong on the left side, numbers on the right", c.text));
  return c;
}

}  // namespace aleator::core::optimisation
