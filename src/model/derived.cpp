#include "model/derived.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/scope.hpp"
#include "numerics/frequency_weighting.hpp"

namespace aleator::core {

using input::InputError;
using input::Item;
using input::Value;

namespace {

struct NamedReduction {
  std::string_view name;
  Reduction reduction;
  const char* unit = nullptr;  // nullptr: that of the output
};

constexpr NamedReduction reductions[] = {{"maximum", Reduction::maximum},
                                         {"minimum", Reduction::minimum},
                                         {"largest_magnitude", Reduction::largest_magnitude},
                                         {"final", Reduction::final},
                                         {"rms", Reduction::rms},
                                         {"average", Reduction::average},
                                         {"first_crossing", Reduction::first_crossing, "s"},
                                         {"crossings", Reduction::crossings, ""},
                                         {"crossing_rate", Reduction::crossing_rate, "1/s"},
                                         {"peak_count", Reduction::peak_count, ""},
                                         {"peak_mean", Reduction::peak_mean},
                                         {"peak_quantile", Reduction::peak_quantile},
                                         {"largest_running_rms", Reduction::largest_running_rms},
                                         {"vibration_dose", Reduction::vibration_dose},
                                         {"damage", Reduction::damage, ""},
                                         {"equivalent_amplitude", Reduction::equivalent_amplitude}};

std::string unit_of(const NamedReduction& r, const std::string& unit) {
  if (r.unit) return r.unit;
  if (r.reduction != Reduction::vibration_dose) return unit;
  return unit == "m/s²" ? "m/s^1.75" : unit.empty() ? "s^(1/4)" : unit + " s^(1/4)";
}

int channel_named(const std::vector<Channel>& channels, const Item& item) {
  std::vector<std::string> known;
  for (const Channel& c : channels) known.push_back(c.name);
  const auto it = std::find(known.begin(), known.end(), item.subject.word);
  if (it != known.end()) return int(it - known.begin());
  const std::string hint = known.empty() ? " (the model has no outputs)" : input::suggestion(item.subject.word, known);
  throw InputError(item.subject.at, fmt::format("scalar '{}': unknown output '{}'{}", item.name, item.subject.word, hint));
}

// `from` and `to`, and what else is a time.
void read_window(const Item& item, const input::Scope& scope, const Settings& simulation, ReductionSettings& s) {
  const auto fail = [&](const char* key, const std::string& why) {
    throw InputError(item.find(key)->at, fmt::format("scalar '{}': '{}' {}", item.name, key, why));
  };
  const double end = simulation.duration, close = 1e-9 * end;
  double from = 0, to = end;
  if (const Value* v = item.find("from")) s.from = from = scope(v->number);
  if (const Value* v = item.find("to")) s.to = to = scope(v->number);
  if (from >= end) fail("from", fmt::format("is {:g} s, but the simulation ends at {:g} s", from, end));
  if (to > end + close) fail("to", fmt::format("is {:g} s, but the simulation ends at {:g} s", to, end));
  const bool windowed = item.find("from") || item.find("to");
  if (windowed && to - from < 2 * simulation.output_step - close)
    fail(item.find("to") ? "to" : "from",
         fmt::format(
             "leaves {:g} s, with outputs every {:g} s: too few to derive a number from; widen it, or make 'output_step' smaller",
             std::max(0.0, to - from), simulation.output_step));
  if (const Value* v = item.find("window")) s.window = scope(v->number);
  if (s.reduction == Reduction::largest_running_rms && s.window > to - from + close)
    throw InputError(item.find("window") ? item.find("window")->at : item.at,
                     fmt::format("scalar '{}': 'window' is {:g} s, longer than the {:g} s that it moves over; make it shorter{}",
                                 item.name, s.window, to - from, windowed ? ", or widen 'from' … 'to'" : ""));
}

void read_curve(const Item& item, const input::Scope& scope, ReductionSettings& s) {
  if (s.reduction == Reduction::equivalent_amplitude) s.curve.cycles = 0;
  const auto put = [&](const char* key, double& to) {
    if (const Value* v = item.find(key)) to = scope(v->number);
  };
  put("exponent", s.curve.exponent);
  put("amplitude", s.curve.amplitude);
  put("cycles", s.curve.cycles);
  put("endurance_limit", s.curve.endurance_limit);
}

SpectrumRequest spectrum_request(const Item& output, const Item& item, const input::Scope& scope, const Settings& simulation) {
  SpectrumRequest s;
  const auto number = [&](const char* key, double& to) {
    const Value* v = item.find(key);
    if (v) to = scope(v->number);
    return v;
  };
  const auto fail = [&](const Value& v, const char* key, const std::string& why) {
    throw InputError(v.at, fmt::format("output '{}': '{}' of its spectrum {}", output.name, key, why));
  };
  const double end = simulation.duration, least = 8 * simulation.output_step;
  if (const Value* v = number("from", s.from); v && end - s.from < least * (1 - 1e-9))
    fail(*v, "from",
         fmt::format("is {:g} s and the simulation ends at {:g} s: too little for a spectrum with outputs every {:g} s", s.from,
                     end, simulation.output_step));
  if (const Value* v = number("segment", s.segment)) {
    if (s.segment > (end - s.from) * (1 + 1e-9))
      fail(*v, "segment", fmt::format("is {:g} s, longer than the {:g} s there are; make it shorter", s.segment, end - s.from));
    if (s.segment < least * (1 - 1e-9))
      fail(*v, "segment",
           fmt::format("is {:g} s, less than 8 output steps of {:g} s; make it longer, or 'output_step' smaller", s.segment,
                       simulation.output_step));
  }
  return s;
}

// `limits` of an output or a scalar: `of` says which.
void put_limits(const Item& item, const input::Scope& scope, Limit of, std::vector<Limit>& out) {
  const Value* limits = item.find("limits");
  if (!limits) return;
  for (const bool above : {true, false})
    if (const Value* v = limits->items[0].find(above ? "above" : "below")) {
      of.value = scope(v->number);
      of.above = above;
      out.push_back(of);
    }
}

}  // namespace

DerivedScalar derived_scalar(const Item& item, const input::Scope& scope, const std::vector<Channel>& channels,
                             const Settings& settings) {
  DerivedScalar s;
  s.name = item.name;
  if (item.kind == "value") {
    s.settings.reduction = Reduction::value;
    s.settings.level = scope(item.subject.number);
    if (const Value* unit = item.find("unit")) s.unit = unit->word;
    return s;
  }
  s.channel = channel_named(channels, item);
  const NamedReduction& r =
      *std::find_if(std::begin(reductions), std::end(reductions), [&](const auto& x) { return x.name == item.kind; });
  s.settings.reduction = r.reduction;
  s.unit = unit_of(r, channels[size_t(s.channel)].unit);
  if (const Value* level = item.find("level")) s.settings.level = scope(level->number);
  if (r.reduction == Reduction::crossings || r.reduction == Reduction::crossing_rate) s.settings.direction = 1;
  if (const Value* direction = item.find("direction"))
    s.settings.direction = direction->word == "up" ? 1 : direction->word == "down" ? -1 : 0;
  if (const Value* v = item.find("weighting")) s.settings.weighting = frequency_weighting(v->word);
  if (const Value* v = item.find("probability"); v && !((s.settings.probability = scope(v->number)) < 1))
    throw InputError(v->at, fmt::format("scalar '{}': 'probability' must lie between 0 and 1 (0.99, or 99%), found {:g}",
                                        item.name, s.settings.probability));
  read_window(item, scope, settings, s.settings);
  read_curve(item, scope, s.settings);
  return s;
}

Derived read_derived(const input::Description& d, const input::Scope& scope, const std::vector<Output>& outputs,
                     const std::vector<Channel>& channels, const Settings& settings) {
  Derived out;
  const std::vector<Item>& items = d.section("outputs");
  int channel = 0;
  for (const Output& o : outputs) {
    const auto item = std::find_if(items.begin(), items.end(), [&](const Item& i) { return i.name == o.name; });
    const Value* spectrum = item->find("spectrum");
    for (size_t c = 0; c < o.channels.size(); ++c, ++channel) {
      if (spectrum) {
        out.spectra.push_back(spectrum_request(*item, spectrum->items[0], scope, settings));
        out.spectra.back().channel = channel;
      }
      put_limits(*item, scope, {.channel = channel}, out.limits);
    }
  }
  for (const Item& item : d.section("scalars")) {
    put_limits(item, scope, {.channel = -1, .scalar = int(out.scalars.size())}, out.limits);
    out.scalars.push_back(derived_scalar(item, scope, channels, settings));
  }
  return out;
}

Derived realize_derived(const Model& model, std::span<const Override> overrides) {
  return read_derived(model.description, BorrowedScope(model.description, overrides), model.topology.outputs, model.channels,
                      model.settings);
}

bool derived_depends_on(const Model& model, std::span<const std::string> parameters) {
  const input::Description& d = model.description;
  for (const Item& item : d.section("scalars"))
    if (input::depends_on(item, d, parameters)) return true;
  for (const Item& item : d.section("outputs"))
    if (const Value* limits = item.find("limits"); limits && input::depends_on(limits->items[0], d, parameters)) return true;
  return false;
}

}  // namespace aleator::core
