#include "input/time_program.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "input/compiler.hpp"
#include "input/time_functions.hpp"

namespace aleator::core::input {

// By falling precedence: ^ (from the right), sign, * /, + -, comparisons, &&, ||, ?:. As muParser has them; whoever makes a program
// compares its values with muParser's.
class TimeProgramParser {
 public:
  using Program = TimeProgram;
  using Op = Program::Op;
  struct Unknown {};

  TimeProgramParser(std::string_view text, const std::unordered_map<std::string_view, int>& parameters)
      : tokens_(tokens_of(text)), parameters_(parameters) {}

  Program parsed() {
    out_.result_ = choice();
    if (at_ != tokens_.size()) throw Unknown{};
    return std::move(out_);
  }

 private:
  std::string_view next() const { return at_ < tokens_.size() ? tokens_[at_].text : std::string_view(); }
  bool take(std::string_view text) {
    if (next() != text) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) throw Unknown{};
  }

  int add(Program::Node n) {
    for (const int i : {n.a, n.b, n.c})
      if (i >= 0 && n.op != Op::parameter) n.of_time = n.of_time || out_.nodes_[std::size_t(i)].of_time;
    out_.nodes_.push_back(n);
    return int(out_.nodes_.size()) - 1;
  }
  int add(Op op, int a, int b = -1, int c = -1) { return add({.op = op, .a = a, .b = b, .c = c}); }
  int constant(double value) { return add({.op = Op::number, .value = value}); }
  int call(std::string_view name, int a) { return add({.op = Op::function, .a = a, .function = function_named(name)}); }
  int remember(int node) {
    if (out_.nodes_[std::size_t(node)].of_time) out_.switches_.push_back(node);
    return node;
  }
  void switch_at(int a, int b) { remember(add(Op::subtract, a, b)); }

  // Long chains are not worth a deep stack.
  struct Deeper {
    explicit Deeper(int& depth) : depth_(depth) {
      if (++depth_ > 500) throw Unknown{};
    }
    ~Deeper() { --depth_; }
    int& depth_;
  };

  int choice() {
    const Deeper deeper(depth_);
    const int condition = binary(0);
    if (!take("?")) return condition;
    remember(condition);
    const int yes = choice();
    expect(":");
    const int no = choice();
    return add(Op::select, condition, yes, no);
  }

  struct Level {
    std::string_view text;
    int precedence;
    Op op;
  };
  static constexpr Level levels[] = {{"||", 0, Op::either},  {"&&", 1, Op::both},    {"<", 2, Op::less},
                                     {">", 2, Op::greater},  {"<=", 2, Op::at_most}, {">=", 2, Op::at_least},
                                     {"==", 2, Op::equal},   {"!=", 2, Op::differs}, {"+", 3, Op::add},
                                     {"-", 3, Op::subtract}, {"*", 4, Op::multiply}, {"/", 4, Op::divide}};

  int binary(int precedence) {
    if (precedence > 4) return sign();
    int left = binary(precedence + 1);
    for (;;) {
      const auto level = std::find_if(std::begin(levels), std::end(levels),
                                      [&](const Level& l) { return l.precedence == precedence && l.text == next(); });
      if (level == std::end(levels)) return left;
      ++at_;
      const int right = binary(precedence + 1);
      if (precedence == 2) switch_at(left, right);
      if (precedence < 2) remember(left), remember(right);
      left = add(level->op, left, right);
    }
  }

  int sign() {
    const Deeper deeper(depth_);
    if (take("-")) return add(Op::negate, sign());
    if (take("+")) return sign();
    const int base = primary();
    return take("^") ? add(Op::power, base, sign()) : base;
  }

  int primary() {
    if (at_ == tokens_.size()) throw Unknown{};
    const Token token = tokens_[at_++];
    int node = -1;
    if (token.type == Token::Type::number) {
      node = constant(std::stod(std::string(token.text)));
    } else if (token.text == "(") {
      node = choice();
      expect(")");
    } else if (token.type == Token::Type::name) {
      node = named(token.text);
    } else {
      throw Unknown{};
    }
    for (;;) {  // what may follow a number
      if (take("deg"))
        node = call("deg", node);
      else if (take("%"))
        node = add(Op::divide, node, constant(100));
      else
        return node;
    }
  }

  int named(std::string_view name) {
    if (name == "t") return add({.op = Op::time, .of_time = true});
    if (name == "pi") return constant(std::numbers::pi);
    if (name == "e") return constant(std::numbers::e);
    if (const auto it = parameters_.find(name); it != parameters_.end()) return add({.op = Op::parameter, .a = it->second});
    expect("(");
    std::vector<int> arguments = {choice()};
    while (take(",")) arguments.push_back(choice());
    expect(")");
    if (name == "min" || name == "max") {
      int r = arguments[0];
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        switch_at(r, arguments[i]);
        r = add(name == "min" ? Op::smaller : Op::larger, r, arguments[i]);
      }
      return r;
    }
    if (name == "pow" && arguments.size() == 2) return add(Op::power, arguments[0], arguments[1]);
    if (name == "atan2" && arguments.size() == 2) {
      switch_at(arguments[0], constant(0));  // where it jumps by 2π
      return add({.op = Op::function2, .a = arguments[0], .b = arguments[1], .two = [](double y, double x) {
                    return std::atan2(y, x);
                  }});
    }
    if (!function_named(name) || arguments.size() != 1) throw Unknown{};
    if (name == "abs" || name == "sign") remember(arguments[0]);
    if (name == "floor" || name == "ceil")
      remember(call("sin", add(Op::multiply, constant(std::numbers::pi), arguments[0])));  // changes its sign at whole numbers
    return call(name, arguments[0]);
  }

  std::vector<Token> tokens_;
  const std::unordered_map<std::string_view, int>& parameters_;
  Program out_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

std::optional<TimeProgram> TimeProgram::make(std::string_view text, const std::unordered_map<std::string_view, int>& parameters) {
  try {
    return TimeProgramParser(text, parameters).parsed();
  } catch (const TimeProgramParser::Unknown&) {
    return std::nullopt;
  }
}

// One operation on n times; `values` of all nodes, [nodes], are where they are said to be.
void TimeProgram::block(const Node& node, std::size_t n, const double* const* values, double* y) const {
  const double* const a = values[std::max(node.a, 0)];
  const double* const b = values[std::max(node.b, 0)];
  const double* const c = values[std::max(node.c, 0)];
  const auto each = [&](auto&& f) {
    for (std::size_t i = 0; i < n; ++i) y[i] = f(i);
  };
  switch (node.op) {
    case Op::number:
    case Op::parameter:
    case Op::time:
      return;  // not computed
    case Op::negate:
      return each([&](std::size_t i) { return -a[i]; });
    case Op::add:
      return each([&](std::size_t i) { return a[i] + b[i]; });
    case Op::subtract:
      return each([&](std::size_t i) { return a[i] - b[i]; });
    case Op::multiply:
      return each([&](std::size_t i) { return a[i] * b[i]; });
    case Op::divide:
      return each([&](std::size_t i) { return a[i] / b[i]; });
    case Op::power:
      if (!nodes_[std::size_t(node.b)].of_time && b[0] == 2) return each([&](std::size_t i) { return a[i] * a[i]; });
      return each([&](std::size_t i) { return std::pow(a[i], b[i]); });
    case Op::less:
      return each([&](std::size_t i) { return double(a[i] < b[i]); });
    case Op::greater:
      return each([&](std::size_t i) { return double(a[i] > b[i]); });
    case Op::at_most:
      return each([&](std::size_t i) { return double(a[i] <= b[i]); });
    case Op::at_least:
      return each([&](std::size_t i) { return double(a[i] >= b[i]); });
    case Op::equal:
      return each([&](std::size_t i) { return double(a[i] == b[i]); });
    case Op::differs:
      return each([&](std::size_t i) { return double(a[i] != b[i]); });
    case Op::both:
      return each([&](std::size_t i) { return double(a[i] != 0 && b[i] != 0); });
    case Op::either:
      return each([&](std::size_t i) { return double(a[i] != 0 || b[i] != 0); });
    case Op::select:
      return each([&](std::size_t i) { return a[i] != 0 ? b[i] : c[i]; });
    case Op::smaller:
      return each([&](std::size_t i) { return b[i] < a[i] ? b[i] : a[i]; });
    case Op::larger:
      return each([&](std::size_t i) { return a[i] < b[i] ? b[i] : a[i]; });
    case Op::function:
      if (node.function->of_array) return node.function->of_array(a, y, n);
      return each([&](std::size_t i) { return node.function->f(a[i]); });
    case Op::function2:
      return each([&](std::size_t i) { return node.two(a[i], b[i]); });
  }
}

// What does not depend on time, once.
void TimeProgram::run_constants(std::size_t count, std::span<const double> parameters, std::size_t n, Work& work) const {
  if (work.numbers.size() < count * width) work.numbers.resize(count * width);
  work.values.resize(count);
  for (std::size_t k = 0; k < count; ++k) work.values[k] = work.numbers.data() + k * width;
  for (std::size_t k = 0; k < count; ++k) {
    const Node& node = nodes_[k];
    double* const at = work.numbers.data() + k * width;
    if (node.of_time) continue;
    if (node.op == Op::number) at[0] = node.value;
    if (node.op == Op::parameter) at[0] = parameters[std::size_t(node.a)];
    if (node.op != Op::number && node.op != Op::parameter) block(node, 1, work.values.data(), at);
    std::fill_n(at, std::min(width, n), at[0]);
  }
}

void TimeProgram::run(int last, std::span<const double> parameters, std::span<const double> t, std::span<double> y) const {
  thread_local Work work;
  const std::size_t count = std::size_t(last) + 1;
  run_constants(count, parameters, t.size(), work);
  for (std::size_t first = 0; first < t.size(); first += width) {
    const std::size_t n = std::min(width, t.size() - first);
    for (std::size_t k = 0; k < count; ++k) {
      const Node& node = nodes_[k];
      if (node.op == Op::time)
        work.values[k] = t.data() + first;
      else if (node.of_time)
        block(node, n, work.values.data(), k + 1 < count ? work.numbers.data() + k * width : y.data() + first);
    }
    const Node& result = nodes_[count - 1];
    if (result.op == Op::time || !result.of_time) std::copy_n(work.values[count - 1], n, y.data() + first);
  }
}

void TimeProgram::operator()(std::span<const double> parameters, std::span<const double> t, std::span<double> y) const {
  run(result_, parameters, t, y);
}

void TimeProgram::switch_values(int number, std::span<const double> parameters, std::span<const double> t,
                                std::span<double> y) const {
  run(switches_[std::size_t(number)], parameters, t, y);
}

}  // namespace aleator::core::input
