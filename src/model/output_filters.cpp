#include "model/output_filters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/frequency_weighting.hpp"

namespace aleator::core {

using input::InputError;
using input::Item;
using input::Value;

std::vector<OutputFilter> read_filters(const input::Description& d, const input::Scope& scope, const std::vector<Output>& outputs,
                                       const Settings& settings) {
  std::vector<OutputFilter> out;
  const std::vector<Item>& items = d.section("outputs");
  int channel = 0;
  for (const Output& o : outputs) {
    const auto item = std::find_if(items.begin(), items.end(), [&](const Item& i) { return i.name == o.name; });
    OutputFilter filter;
    if (const Value* v = item->find("weighting")) filter.weighting = frequency_weighting(v->word);
    if (const Value* v = item->find("running_rms")) {
      filter.window = scope(v->number);
      if (filter.window > settings.duration * (1 + 1e-9))
        throw InputError(v->at,
                         fmt::format("output '{}': the window of 'running_rms' is {:g} s, longer than the simulation ({:g} s)",
                                     item->name, filter.window, settings.duration));
    }
    for (filter.channel = channel; filter.channel < channel + int(o.channels.size()); ++filter.channel)
      if (filter.weighting || filter.window > 0) out.push_back(filter);
    channel += int(o.channels.size());
  }
  return out;
}

void filter_outputs(const Model& model, std::span<const double> times, std::span<double> values) {
  const size_t channels = model.channels.size();
  for (const OutputFilter& f : model.filters) {
    if (times.size() < 2) return;
    std::vector<double> x;
    for (size_t t = 0; t < times.size(); ++t) x.push_back(values[t * channels + size_t(f.channel)]);
    if (f.weighting) x = weighted(*f.weighting, times[1] - times[0], x);
    if (f.window > 0) x = running_rms(times, x.data(), 1, f.window);
    for (size_t t = 0; t < times.size(); ++t) values[t * channels + size_t(f.channel)] = x[t];
  }
}

}  // namespace aleator::core
