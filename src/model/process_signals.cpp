#include "model/process_signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/scope.hpp"
#include "processes/language.hpp"

namespace aleator::core {

using input::Item;
using input::Value;

namespace {

constexpr double draw = 0.5;  // any realization

void collect(const Value& v, std::vector<const Item*>& out);
void collect(const Item& item, std::vector<const Item*>& out) {
  if (item.kind == "process") out.push_back(&item);
  collect(item.subject, out);
  for (const input::Entry& e : item.fields) collect(e.value, out);
}
void collect(const Value& v, std::vector<const Item*>& out) {
  for (const Item& item : v.items) collect(item, out);
  for (const input::Entry& e : v.by_direction) collect(e.value, out);
}

std::vector<const Item*> functions_of_processes(const input::Description& d) {
  std::vector<const Item*> out;
  collect(d.top, out);
  for (const auto& [key, items] : d.sections)
    for (const Item& item : items) collect(item, out);
  return out;
}

double largest(const std::vector<double>& all) {
  double most = 0;
  for (const double x : all) most = std::max(most, std::abs(x));
  return most;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace

std::vector<ProcessSignal> process_signals(const Model& model, std::span<const Override> overrides) {
  const std::vector<const Item*> functions = functions_of_processes(model.description);
  const input::Scope scope = scope_of(model.description, overrides);
  std::vector<ProcessSignal> out;
  for (std::size_t p = 0; p < model.processes.size(); ++p) {
    const processes::Process& process = *model.processes[p];
    const std::vector<double> leading(process.leading.size(), 0.5);
    std::vector<Override> drawn(overrides.begin(), overrides.end());
    drawn.push_back({process.name + ".draw", draw});
    for (std::size_t i = 0; i < leading.size(); ++i) drawn.push_back({fmt::format("{}.z{}", process.name, i + 1), leading[i]});
    const std::vector<double> normals = numbers_of(process, draw, leading);
    std::vector<std::pair<processes::Use, std::vector<double>>> uses;
    for (const Item* f : functions) {
      if (f->subject.word != process.name) continue;
      const processes::Use use = processes::read_use(*f, process, scope);
      uses.emplace_back(use, realization(process, use, draw, normals).coefficients);
    }
    const Parameters numbers = realize(model, drawn);
    for (std::size_t s = 0; s < numbers.signals.size(); ++s) {
      const std::vector<double>& found = numbers.signals[s].coefficients;
      for (const auto& [use, coefficients] : uses)
        if (const double size = largest(coefficients); size > 0 && distance(found, coefficients) <= 1e-9 * size) {
          out.push_back({int(s), int(p), use});
          break;
        }
    }
  }
  std::sort(out.begin(), out.end(), [](const ProcessSignal& a, const ProcessSignal& b) { return a.signal < b.signal; });
  return out;
}

}  // namespace aleator::core
