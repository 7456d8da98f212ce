#include "input/expression.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <muParser.h>

#include "base/array_functions.hpp"
#include "input/compiler.hpp"
#include "input/exponential_form.hpp"

namespace aleator::core::input {

// The variables of the compiled parsers point into `values` and to `t`: the state stays where it is.
struct Scope::State {
  std::string file;
  std::vector<Parameter> parameters;
  std::shared_ptr<const Expressions> expressions;
  std::vector<double> values;  // one per parameter
  double t = 0;
  std::vector<std::unique_ptr<mu::Parser>> parsers;  // one per program, compiled when first needed

  mu::Parser& parser(int program);
  double evaluate(int program);
  std::string arguments(const Expressions::Program& program) const;
  void set_parameters(std::span<const std::pair<std::string, double>> overrides);
};

mu::Parser& Scope::State::parser(int program) {
  auto& slot = parsers.at(static_cast<std::size_t>(program));
  if (!slot) {
    const Expressions::Program& source = expressions->programs[static_cast<std::size_t>(program)];
    slot = make_parser();
    for (const int p : source.parameters)
      slot->DefineVar(parameters[static_cast<std::size_t>(p)].name, &values[static_cast<std::size_t>(p)]);
    if (source.of_time) slot->DefineVar("t", &t);
    slot->SetExpr(source.text);
  }
  return *slot;
}

// "a = 1, b = 2" for what a program depends on, empty when it depends on nothing.
std::string Scope::State::arguments(const Expressions::Program& program) const {
  std::string list;
  const auto add = [&](const std::string& name, double value) {
    list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", name, value);
  };
  for (const int p : program.parameters) add(parameters[static_cast<std::size_t>(p)].name, values[static_cast<std::size_t>(p)]);
  if (program.of_time) add("t", t);
  return list;
}

double Scope::State::evaluate(int program) {
  const Expressions::Program& source = expressions->programs.at(static_cast<std::size_t>(program));
  double value = 0;
  try {
    value = parser(program).Eval();
  } catch (const mu::Parser::exception_type& error) {  // texts were tried when read: only arithmetic is left to fail
    throw InputError(source.at, fmt::format("'{}': {}", source.text, error.GetMsg())).in_file(file);
  }
  if (!std::isfinite(value))
    throw InputError(source.at, fmt::format("'{}' is not finite for {}", source.text, arguments(source))).in_file(file);
  const bool fine = source.bound == Bound::none || value > 0 || (source.bound == Bound::not_negative && value == 0);
  if (!fine) {
    const std::string written = fmt::format("{} = {} for {}", value, source.text, arguments(source));
    try {
      check_bound(value, source.bound, source.at, source.name, written);
    } catch (const InputError& error) {
      throw error.in_file(file);
    }
  }
  return value;
}

// Parameters come in an order in which each one needs only those before it.
void Scope::State::set_parameters(std::span<const std::pair<std::string, double>> overrides) {
  std::vector<const double*> given(parameters.size(), nullptr);
  for (const auto& [name, value] : overrides) {
    std::size_t i = 0;
    while (i < parameters.size() && parameters[i].name != name) ++i;
    if (i == parameters.size()) {
      std::vector<std::string> known;
      for (const Parameter& p : parameters) known.push_back(p.name);
      throw InputError({}, fmt::format("unknown parameter '{}'{}", name, suggestion(name, known))).in_file(file);
    }
    if (!std::isfinite(value))
      throw InputError(parameters[i].value.at, fmt::format("parameter '{}' must be finite, set to {}", name, value))
          .in_file(file);
    given[i] = &value;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Number& number = parameters[i].value;
    values[i] = given[i] ? *given[i] : number.program < 0 ? number.constant : evaluate(number.program);
  }
}

Scope::Scope(const Description& description, std::span<const std::pair<std::string, double>> overrides)
    : state_(std::make_unique<State>()) {
  state_->file = description.file;
  state_->parameters = description.parameters;
  state_->expressions = description.expressions;
  state_->values.resize(description.parameters.size());
  state_->parsers.resize(description.expressions ? description.expressions->programs.size() : 0);
  state_->set_parameters(overrides);
}

Scope::~Scope() = default;
Scope::Scope(Scope&&) noexcept = default;

void Scope::reset(std::span<const std::pair<std::string, double>> overrides) { state_->set_parameters(overrides); }

double Scope::operator()(const Number& number) const {
  if (number.program < 0) return number.constant;
  if (state_->expressions->programs.at(static_cast<std::size_t>(number.program)).of_time)
    throw std::logic_error("a number that depends on time was evaluated without a time");
  return state_->evaluate(number.program);
}

double Scope::operator()(const Number& number, double t) const {
  if (number.program < 0) return number.constant;
  state_->t = t;
  return state_->evaluate(number.program);
}

void Scope::operator()(const Number& number, std::span<const double> t, std::span<double> y) const {
  const TimeProgram* const program =
      number.program < 0 ? nullptr : state_->expressions->programs.at(std::size_t(number.program)).on_arrays.get();
  if (program) (*program)(state_->values, t, y);
  if (program && all_finite(y.data(), y.size())) return;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (!program || !std::isfinite(y[i])) y[i] = (*this)(number, t[i]);  // which throws with the reason
}

std::optional<ExponentialForm> Scope::exponentials(const Number& number) const {
  if (number.program < 0) return std::nullopt;
  const auto& program = state_->expressions->programs.at(std::size_t(number.program)).on_arrays;
  return program ? program->exponentials(state_->values) : std::nullopt;
}

std::optional<Repetition> Scope::repetition(const Number& number) const {
  if (number.program < 0) return std::nullopt;
  const auto& program = state_->expressions->programs.at(std::size_t(number.program)).on_arrays;
  return program ? program->repetition(state_->values) : std::nullopt;
}

int Scope::switches(const Number& number) const {
  if (number.program < 0) return 0;
  const auto& program = state_->expressions->programs.at(std::size_t(number.program)).on_arrays;
  return program ? program->switches() : 0;
}

void Scope::switch_values(const Number& number, int index, std::span<const double> t, std::span<double> y) const {
  state_->expressions->programs.at(std::size_t(number.program)).on_arrays->switch_values(index, state_->values, t, y);
}

std::optional<ExponentialForm> Scope::switch_exponentials(const Number& number, int index) const {
  return state_->expressions->programs.at(std::size_t(number.program)).on_arrays->switch_exponentials(index, state_->values);
}

double Scope::parameter(int index) const { return state_->values.at(static_cast<std::size_t>(index)); }

std::string Scope::explain(const Number& number) const {
  if (number.program < 0) return fmt::format("{}", number.constant);
  const Expressions::Program& program = state_->expressions->programs.at(static_cast<std::size_t>(number.program));
  return fmt::format("{} = {} for {}", (*this)(number, state_->t), program.text, state_->arguments(program));
}

namespace {

// [parameters]: is it one of the named ones, or does it need one? Each needs only those before it.
template <class Name>
std::vector<char> affected_parameters(const Description& d, std::span<const Name> names) {
  std::vector<char> affected(d.parameters.size(), 0);
  for (std::size_t i = 0; i < affected.size(); ++i) {
    for (const Name& name : names) affected[i] |= d.parameters[i].name == name;
    const int program = d.parameters[i].value.program;
    if (program < 0) continue;
    for (const int p : d.expressions->programs[static_cast<std::size_t>(program)].parameters)
      affected[i] |= affected[static_cast<std::size_t>(p)];
  }
  return affected;
}

bool mentions(const Number& number, const Description& d, const std::vector<char>& affected) {
  if (number.program < 0) return false;
  for (const int p : d.expressions->programs[static_cast<std::size_t>(number.program)].parameters)
    if (affected[static_cast<std::size_t>(p)]) return true;
  return false;
}

bool mentions(const Item& item, const Description& d, const std::vector<char>& affected);

bool mentions(const Value& value, const Description& d, const std::vector<char>& affected) {
  if (mentions(value.number, d, affected)) return true;
  for (const Number& n : value.numbers)
    if (mentions(n, d, affected)) return true;
  for (const Item& i : value.items)
    if (mentions(i, d, affected)) return true;
  for (const Entry& e : value.by_direction)
    if (mentions(e.value, d, affected)) return true;
  return false;
}

bool mentions(const Item& item, const Description& d, const std::vector<char>& affected) {
  if (mentions(item.subject, d, affected)) return true;
  for (const Entry& e : item.fields)
    if (mentions(e.value, d, affected)) return true;
  return false;
}

}  // namespace

bool depends_on(const Item& item, const Description& description, std::span<const std::string> parameters) {
  return mentions(item, description, affected_parameters(description, parameters));
}

Dependents::Dependents(const Description& description, std::span<const std::string_view> parameters) : description_(description) {
  if (!parameters.empty()) affected_ = affected_parameters(description, parameters);
}

bool Dependents::contain(const Item& item) const { return !affected_.empty() && mentions(item, description_, affected_); }

void check_bound(double value, Bound bound, Position at, std::string_view what, const std::string& written) {
  if (bound == Bound::positive && !(value > 0)) throw InputError(at, fmt::format("{} must be positive, found {}", what, written));
  if (bound == Bound::not_negative && !(value >= 0))
    throw InputError(at, fmt::format("{} may not be negative, found {}", what, written));
}

long long whole(const Scope& scope, const Number& number, std::string_view what) {
  const double value = scope(number);
  if (!is_whole(value))
    throw InputError(number.at, fmt::format("{} must be a whole number, found {}", what, scope.explain(number)));
  return static_cast<long long>(value);
}

bool is_whole(double value) { return std::floor(value) == value && std::abs(value) <= 9007199254740992.0; }

}  // namespace aleator::core::input
