#include "propagation/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "input/limits.hpp"
#include "model/scope.hpp"
#include "model/suspects.hpp"
#include "propagation/failure_event.hpp"
#include "propagation/method.hpp"

namespace aleator::core {

namespace limits = input::limits;

namespace {

// Reads the numbers of one group, where they are given. What is wrong stays as it was and comes to the list.
class StudyGroup {
 public:
  StudyGroup(const input::Scope& scope, const input::Item& item, std::string name, input::ErrorList& errors)
      : scope_(scope), item_(item), name_(std::move(name)), errors_(errors) {}

  bool whole(const char* key, long& to, long most) const {
    const input::Value* v = item_.find(key);
    long x = to;
    if (!v || !errors_.attempt([&] { x = input::whole(scope_, v->number, fmt::format("{}: '{}'", name_, key)); })) return false;
    if (x > most) return fail(key, fmt::format("must be at most {}, found {}", most, x));
    to = x;
    return true;
  }
  bool whole(const char* key, int& to, long most = 1000000) const {
    long x = to;
    const bool given = whole(key, x, most);
    to = int(x);
    return given;
  }
  bool number(const char* key, double& to) const {
    const input::Value* v = item_.find(key);
    return v && errors_.attempt([&] { to = scope_(v->number); });
  }
  bool word(const char* key, std::string& to) const {
    const input::Value* v = item_.find(key);
    if (v) to = v->word;
    return v != nullptr;
  }
  bool fail(const char* key, const std::string& what) const {
    errors_.add(input::InputError(item_.find(key)->at, fmt::format("{}: '{}' {}", name_, key, what)));
    return false;
  }

 private:
  const input::Scope& scope_;
  const input::Item& item_;
  std::string name_;
  input::ErrorList& errors_;
};

void read_chaos(const StudyGroup& g, ChaosSettings& c) {
  g.word("coefficients", c.coefficients);
  g.whole("order", c.order, limits::chaos_order);
  if (g.word("basis", c.basis) && c.basis == "tensor" && c.coefficients == "sparse-quadrature")
    g.fail("basis", "'tensor' has products that a sparse quadrature does not integrate; use total-degree");
  if (g.number("q", c.q) && !(c.q <= 1)) g.fail("q", fmt::format("must be above 0 and at most 1, found {:g}", c.q));
  g.word("design", c.design);
  if (g.whole("evaluations", c.evaluations, limits::chaos_evaluations) && c.evaluations < 2)
    g.fail("evaluations", "must be at least 2");
}

void read_levels(const StudyGroup& g, LevelSettings& l) {
  g.word("coarsen", l.coarsen);
  if (g.whole("factor", l.factor) && l.factor < 2) g.fail("factor", fmt::format("must be at least 2, found {}", l.factor));
  if (g.whole("count", l.count) && (l.count < 2 || l.count > 8))
    g.fail("count", fmt::format("must be between 2 and 8, found {}", l.count));
}

void read_univariate(const StudyGroup& g, UnivariateSettings& u) {
  if (g.whole("order", u.order, limits::univariate_order) && u.order < 2)
    g.fail("order", fmt::format("must be at least 2, found {}", u.order));
  if (g.whole("checks", u.checks, limits::univariate_checks) && u.checks == 1)
    g.fail("checks", "must be 0, or at least 2: one realization tells no error");
}

void read_variability(const StudyGroup& g, VariabilitySettings& v) {
  g.word("field", v.field);
  if (g.whole("wave_numbers", v.wave_numbers, 1000) && v.wave_numbers < 3)
    g.fail("wave_numbers", fmt::format("must be at least 3, found {}", v.wave_numbers));
  if (g.whole("phases", v.phases, 1000) && v.phases < 4) g.fail("phases", fmt::format("must be at least 4, found {}", v.phases));
  g.number("largest", v.largest);
}

void read_reliability(const StudyGroup& g, ReliabilitySettings& r) {
  if (g.whole("sets", r.sets, 1000) && r.sets < 2) g.fail("sets", "must be at least 2: they are compared with each other");
  if (g.number("level_probability", r.level_probability) && !(r.level_probability >= 0.01 && r.level_probability <= 0.5))
    g.fail("level_probability", fmt::format("must lie between 0.01 and 0.5, found {:g}", r.level_probability));
  if (g.number("smallest", r.smallest) && !(r.smallest >= 1e-100 && r.smallest < 0.1))
    g.fail("smallest", fmt::format("must be below 0.1 and at least 1e-100, found {:g}", r.smallest));
}

// Of all outputs where none is named.
void set_accuracy_of(const std::string& output, double accuracy, Study& s) {
  if (output.empty()) {
    s.accuracy = accuracy;
    s.accuracy_of_output.clear();
    return;
  }
  if (s.accuracy_of_output.empty()) s.accuracy = accuracy;
  s.accuracy_of_output[output] = accuracy;
  s.accuracy = std::min(s.accuracy, accuracy);
}

void read_accuracy(const StudyGroup& g, const input::Item& item, const input::Scope& scope, Study& s, input::ErrorList& errors) {
  const input::Value* accuracy = item.find("accuracy");
  if (accuracy)
    for (const input::Entry& e : accuracy->by_direction) {
      double x = 0.5;
      if (!errors.attempt([&] { x = scope(e.value.number); })) continue;
      if (!(x > 0 && x < 1))
        g.fail("accuracy", fmt::format("must lie between 0 and 1 (0.01, or 1%), found {:g}", x));
      else
        set_accuracy_of(e.key, x, s);
    }
  if (const input::Value* v = item.find("budget")) try {
      set_budget(v->word, s);
    } catch (const std::invalid_argument& e) {
      g.fail("budget", e.what());
    }
  if (const input::Value* v = item.find("accuracy_of")) {
    if (!accuracy && !(s.accuracy > 0)) g.fail("accuracy_of", "needs 'accuracy', a number such as 1%");
    const auto has = [&](const char* word) { return std::find(v->words.begin(), v->words.end(), word) != v->words.end(); };
    s.accuracy_of_mean = has("mean");
    s.accuracy_of_std = has("std");
    s.accuracy_of_band = has("band");
  }
}

std::vector<std::string> mode_quantities(int number) {
  std::vector<std::string> all;
  for (const char* what : {"frequency", "damping"})
    for (int k = 1; k <= number; ++k) all.push_back(fmt::format("{}_{}", what, k));
  return all;
}

// `frequency_k` and `damping_k`, k from 1 to the number of modes.
void read_mode_limits(const input::Scope& scope, const input::Item& modes, ModesSettings& s, input::ErrorList& errors) {
  const input::Value* all = modes.find("limits");
  if (!all) return;
  s.limits.clear();
  const std::vector<std::string> known = mode_quantities(s.number);
  for (const auto& [name, group] : all->by_direction)
    errors.attempt([&] {
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw input::InputError(
            group.at, fmt::format("study: modes: 'limits' names '{}'; of {} mode{} there are frequency_1 … frequency_{} "
                                  "and damping_1 … damping_{}{}",
                                  name, s.number, s.number == 1 ? "" : "s", s.number, s.number,
                                  name.starts_with("frequency_") || name.starts_with("damping_") ? " (`number` has more)" : ""));
      for (const bool above : {true, false})
        if (const input::Value* v = group.items[0].find(above ? "above" : "below"))
          s.limits.push_back({name, above, scope(v->number)});
    });
}

void read(const input::Scope& scope, const input::Item& item, Study& s, input::ErrorList& errors) {
  const StudyGroup g(scope, item, "study", errors);
  if (std::string method; g.word("method", method)) choose_method(s, method);
  read_accuracy(g, item, scope, s, errors);
  if (item.find("accuracy")) s.samples = 100000;
  g.whole("samples", s.samples, limits::samples);
  long seed = 1;
  if (g.whole("seed", seed, std::numeric_limits<long>::max())) s.seed = std::uint64_t(seed);
  if (g.number("confidence", s.confidence) && !(s.confidence > 0 && s.confidence < 1))
    g.fail("confidence", fmt::format("must lie strictly between 0 and 1, found {:g}", s.confidence));
  g.word("hypercube", s.hypercube);
  g.whole("replicates", s.replicates, 1024);
  const auto group = [&](const char* key) { return item.find(key) ? item.find(key)->items[0] : input::Item{}; };
  const input::Item chaos = group("chaos"), levels = group("levels"), screening = group("screening");
  read_chaos({scope, chaos, "study: chaos", errors}, s.chaos);
  read_levels({scope, levels, "study: levels", errors}, s.levels);
  const StudyGroup morris(scope, screening, "study: screening", errors);
  morris.whole("trajectories", s.screening.trajectories, limits::trajectories);
  if (morris.whole("levels", s.screening.levels) && s.screening.levels % 2 != 0)
    morris.fail("levels", fmt::format("must be even, found {}", s.screening.levels));
  const input::Item univariate = group("univariate"), variability = group("variability");
  read_univariate({scope, univariate, "study: univariate", errors}, s.univariate);
  read_variability({scope, variability, "study: variability", errors}, s.variability);
  const input::Item reliability = group("reliability");
  read_reliability({scope, reliability, "study: reliability", errors}, s.reliability);
  if (const input::Value* v = item.find("failure")) s.reliability.failure = v->words;
  g.word("what", s.what);
  const input::Item modes = group("modes");
  const StudyGroup of_modes(scope, modes, "study: modes", errors);
  of_modes.whole("number", s.modes.number, limits::modes);
  of_modes.word("about", s.modes.about);
  if (of_modes.word("frame", s.modes.frame) && !s.modes.about.empty() && s.modes.about != "rotation")
    of_modes.fail("frame", "is for about: rotation");
  if (!s.modes.frame.empty() && s.modes.about.empty()) s.modes.about = "rotation";
  if (const auto* v = modes.find("shapes")) s.modes.shapes = v->flag;
  read_mode_limits(scope, modes, s.modes, errors);
  g.word("on_failure", s.on_failure);
  if (g.number("failed_at_most", s.failed_at_most) && !(s.failed_at_most <= 1))
    g.fail("failed_at_most", fmt::format("must lie between 0 and 1 (0.05, or 5%), found {:g}", s.failed_at_most));
  if (const auto* v = item.find("keep")) s.keep_all = v->word == "all";
  if (const auto* v = item.find("sensitivity")) s.sensitivity = v->flag;
}

// `study:` without what cannot be judged: numbers that depend on wrong parameters, and what needs a key that is wrong.
input::Item judged(const input::Description& d, input::Item item) {
  const Suspects suspects(d);
  if (suspects.empty()) return item;
  std::erase_if(item.fields, [&](const input::Entry& e) {
    input::Item only;
    only.fields.push_back(e);
    return suspects.in_numbers_of(only) || (suspects.contain("study") && e.key == "accuracy_of");
  });
  return item;
}

// Outputs that have an accuracy of their own.
void refuse_unknown_outputs(const Model& model, const input::Item& item, const Study& s, input::ErrorList& errors) {
  const Suspects suspects(model.description);
  const input::Value* accuracy = item.find("accuracy");
  if (!accuracy || suspects.contain("outputs")) return;
  std::vector<std::string> names;
  for (const input::Item& output : model.description.section("outputs")) names.push_back(output.name);
  for (const std::string& name : model.description.suspect)
    if (name.starts_with("outputs.")) names.push_back(name.substr(8));  // the reader has left it out
  for (const Channel& c : model.channels) names.push_back(c.name);
  if (s.what == "modes") names = mode_quantities(s.modes.number);
  for (const input::Entry& e : accuracy->by_direction) {
    const auto is_of = [&](const std::string& channel) { return channel == e.key || channel.starts_with(e.key + "."); };
    if (e.key.empty() || suspects.contain(e.key) || std::any_of(names.begin(), names.end(), is_of)) continue;
    errors.add(
        input::InputError(e.value.at, fmt::format("study: 'accuracy' names the output '{}', which the model does not have{}",
                                                  e.key, input::suggestion(e.key, names))));
  }
}

// Limits whose union is failure.
void refuse_unknown_limits(const Model& model, const input::Item& item, const Study& s, input::ErrorList& errors) {
  const input::Value* failure = item.find("failure");
  if (!failure || Suspects(model.description).contain("outputs") || model.channels.empty()) return;
  std::vector<std::string> names = limit_names(model);
  for (const ModeLimit& l : s.modes.limits) names.push_back(l.quantity + (l.above ? ".above" : ".below"));
  for (const std::string& name : failure->words)
    if (std::find(names.begin(), names.end(), name) == names.end())
      errors.add(input::InputError(failure->at,
                                   fmt::format("study: 'failure' names the limit '{}', which the model does not have{}", name,
                                               names.empty() ? " (no output has limits)" : input::suggestion(name, names))));
}

}  // namespace

void set_budget(const std::string& text, Study& s) {
  const double infinite = std::numeric_limits<double>::infinity();
  struct Unit {
    std::string_view name;
    double Study::*of;
    double size;
  };
  static constexpr Unit units[] = {{"s", &Study::budget_seconds, 1},    {"min", &Study::budget_seconds, 60},
                                   {"h", &Study::budget_seconds, 3600}, {"MB", &Study::budget_bytes, 1e6},
                                   {"GB", &Study::budget_bytes, 1e9},   {"TB", &Study::budget_bytes, 1e12}};
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    std::string part = text.substr(from, to - from);
    std::erase(part, ' ');
    from = to + 1;
    if (part == "none") {
      s.budget_seconds = s.budget_bytes = infinite;
      continue;
    }
    char* end = nullptr;
    const double x = std::strtod(part.c_str(), &end);
    const auto unit = std::find_if(std::begin(units), std::end(units), [&](const Unit& u) { return u.name == end; });
    if (end == part.c_str() || unit == std::end(units) || !(x > 0) || !std::isfinite(x))
      throw std::invalid_argument(fmt::format(
          "must be a time (s, min, h), an amount of memory (MB, GB, TB), both, as '10 min, 4 GB', or none; found '{}'", text));
    s.*(unit->of) = x * unit->size;
  }
}

void set_accuracy(const std::string& text, Study& s) {
  set_accuracy_of("", 0, s);
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t name = part.find('=') + 1;  // 0: none
    char* end = nullptr;
    double x = std::strtod(part.c_str() + name, &end);
    std::string rest = end;
    std::erase(rest, ' ');
    if (rest == "%") x /= 100;
    if (end == part.c_str() + name || (!rest.empty() && rest != "%") || !(x > 0 && x < 1))
      throw std::invalid_argument(fmt::format("must lie between 0 and 1 (0.01, or 1%), found '{}'", part));
    set_accuracy_of(name > 0 ? part.substr(0, name - 1) : "", x, s);
  }
}

void change_study(const input::Description& description, Study& study) {
  const input::Value* value = description.top.find("study");
  if (!value) return;
  input::ErrorList errors;
  errors.collect([&] { read(scope_of(description, {}), value->items[0], study, errors); });
  errors.raise();
}

Study read_study(const Model& model, std::span<const Override> overrides, input::ErrorList& errors) {
  const input::Description& d = model.description;
  Study s;
  const input::Value* value = d.top.find("study");
  if (!value) return s;
  errors.collect([&] {
    const input::Item item = judged(d, value->items[0]);
    read(scope_of(d, overrides), item, s, errors);
    refuse_unknown_outputs(model, item, s, errors);
    if (d.errors.empty()) refuse_unknown_limits(model, item, s, errors);
  });
  return s;
}

Study read_study(const Model& model, std::span<const Override> overrides) {
  input::ErrorList errors;
  Study s = read_study(model, overrides, errors);
  errors.raise(model.description.file);
  return s;
}

}  // namespace aleator::core

namespace aleator {

void choose_method(Study& study, const std::string& method) {
  const auto usual = [](const std::string& name) {
    for (const core::MethodKind* k : core::method_kinds())
      if (name == k->name) return k->usual_samples;
    return 0L;
  };
  if (const long samples = usual(method); samples > 0 && study.samples == usual(study.method)) study.samples = samples;
  study.method = method;
}

}  // namespace aleator
