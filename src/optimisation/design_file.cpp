#include "optimisation/design_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "input/expression.hpp"
#include "propagation/settings.hpp"

namespace aleator::core::optimisation {

using input::Description;
using input::InputError;
using input::Item;
using input::Position;
using input::Scope;
using input::Value;

namespace {

constexpr size_t most_parameters = 6;

// Where a text that is one of a list begins: the reader keeps where the list is.
Position place_of(const std::string& text, const std::string& file, Position list) {
  size_t from = 0;
  for (int line = 1; line < list.line && from != std::string::npos; ++line) from = file.find('\n', from) + 1;
  const size_t at = file.find(text, from);
  if (text.empty() || at == std::string::npos) return list;
  const size_t begin = file.rfind('\n', at) == std::string::npos || at == 0 ? 0 : file.rfind('\n', at) + 1;
  return {int(std::count(file.begin(), file.begin() + long(at), '\n')) + 1, int(at - begin) + 1};
}

Chosen read_chosen(const input::Entry& entry, const Scope& scope) {
  const Item& item = entry.value.items[0];
  Chosen c;
  c.name = entry.key;
  c.at = c.to_at = entry.value.at;
  const Value *from = item.find("from"), *to = item.find("to"), *scale = item.find("scale");
  if (!from || !to) return c;  // the reader has said so
  c.from = scope(from->number);
  c.to = scope(to->number);
  c.to_at = to->at;
  c.logarithmic = scale && scale->word == "log";
  if (!(c.from < c.to))
    throw InputError(to->at, fmt::format("choose '{}': 'to' must be above 'from' = {:g}, found {:g}", c.name, c.from, c.to));
  if (c.logarithmic && !(c.from > 0))
    throw InputError(from->at,
                     fmt::format("choose '{}': 'from' must be positive on a logarithmic scale, found {:g}", c.name, c.from));
  return c;
}

void check_choice(const DesignStudy& study, const Description& d, input::ErrorList& errors) {
  const Value* choose = d.top.find("choose");
  if (choose && choose->by_direction.empty())
    errors.add(InputError(choose->at, "'choose' names no parameter (strength: {from: 0.02, to: 0.2})"));
  if (study.chosen.size() > most_parameters)
    errors.add(InputError(study.chosen[most_parameters].at, fmt::format("at most {} parameters can be chosen at once, found {}",
                                                                        most_parameters, study.chosen.size())));
  for (const Override& o : study.set)
    for (const Chosen& c : study.chosen)
      if (o.name == c.name) errors.add(InputError(c.at, fmt::format("'{}' cannot be both chosen and given in 'set'", c.name)));
}

DesignStudy make_study(const Description& d, input::ErrorList& errors) {
  const Scope scope(d);
  const Item& top = d.top;
  DesignStudy study;
  study.file = d.file;
  study.text = d.text;
  if (const Value* v = top.find("title")) study.title = v->word;
  if (const Value* v = top.find("model")) {
    study.model_at = v->at;
    study.model = (std::filesystem::path(d.file).parent_path() / v->word).lexically_normal().string();
  }
  if (const Value* v = top.find("set"))
    for (const auto& [name, number] : v->by_direction) errors.attempt([&] { study.set.push_back({name, scope(number.number)}); });
  if (const Value* v = top.find("choose"))
    for (const input::Entry& e : v->by_direction) errors.attempt([&] { study.chosen.push_back(read_chosen(e, scope)); });
  check_choice(study, d, errors);
  if (const Value* v = top.find("minimise")) study.cost = {v->word, place_of(v->word, d.text, v->at)};
  if (const Value* v = top.find("subject_to"))
    for (const std::string& text : v->words) study.constraints.push_back({text, place_of(text, d.text, v->at)});
  if (const Value* v = top.find("evaluations"))
    errors.attempt([&] {
      study.evaluations = long(input::whole(scope, v->number, "'evaluations'"));
      if (study.evaluations < 5 || study.evaluations > 2000)
        throw InputError(v->at, fmt::format("'evaluations' must lie between 5 and 2000, found {}", study.evaluations));
    });
  if (const Value* v = top.find("confidence"))
    errors.attempt([&] {
      study.confidence = scope(v->number);
      if (!(study.confidence >= 0.5 && study.confidence < 1))
        throw InputError(v->at, fmt::format("'confidence' must be at least 0.5 and below 1, found {:g}{}", study.confidence,
                                            study.confidence > 1 && study.confidence < 100
                                                ? fmt::format(" (did you mean {:g}?)", study.confidence / 100)
                                                : ""));
    });
  study.description = d;
  return study;
}

DesignStudy study_of(const Description& d) {
  input::ErrorList errors = d.errors;
  DesignStudy study;
  errors.collect([&] { study = make_study(d, errors); });
  errors.raise(d.file);
  return study;
}

// What the key `from` of the file says, read as `study:` is.
void change(const DesignStudy& study, std::string_view from, Study& out) {
  Description d = study.description;
  std::erase_if(d.top.fields, [&](const input::Entry& e) { return e.key == "study" && from != "study"; });
  for (input::Entry& e : d.top.fields)
    if (e.key == from) e.key = "study";
  try {
    change_study(d, out);
  } catch (const InputError& e) {
    throw e.in_file(study.file);
  }
}

}  // namespace

double Chosen::value(double place) const {
  if (place <= 0) return from;
  if (place >= 1) return to;
  return logarithmic ? std::clamp(from * std::pow(to / from, place), from, to) : from + (to - from) * place;
}

DesignStudy read_design_file(const std::string& file) { return study_of(input::draft_of_file(file, design_language())); }

DesignStudy read_design_text(std::string text, const std::string& file) {
  return study_of(input::draft_of_text(std::move(text), file, design_language()));
}

Study search_study(const DesignStudy& study, Study of_model) {
  change(study, "study", of_model);
  return of_model;
}

Study verification_study(const DesignStudy& study, const Study& of_search) {
  Study out = of_search;
  out.samples = 4 * of_search.samples;
  out.seed = of_search.seed + 1;
  change(study, "verify", out);
  return out;
}

}  // namespace aleator::core::optimisation
