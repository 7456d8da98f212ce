#include "propagation/failure_event.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/recorder.hpp"
#include "numerics/series.hpp"

namespace aleator::core {

std::vector<std::string> limit_names(const Model& model) {
  std::vector<std::string> names;
  for (const Limit& l : model.limits) names.push_back(model.channels[size_t(l.channel)].name + (l.above ? ".above" : ".below"));
  return names;
}

FailureEvent::FailureEvent(const Task& task)
    : times_(output_times(task.model.settings.duration, task.model.settings.output_step)),
      channels_(task.model.channels.size()),
      derived_(task.derived) {
  const std::vector<std::string> names = limit_names(task.model);
  if (names.empty())
    throw std::invalid_argument(
        "it needs limits, and the model has none. Say what failure is, as in outputs: {x: {position: body, limits: {above: "
        "0.3}}}");
  const std::vector<std::string>& wanted = task.study.reliability.failure;
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw std::invalid_argument(
          fmt::format("'failure' names the limit '{}', which the model does not have{}", name, input::suggestion(name, names)));
  for (size_t i = 0; i < names.size(); ++i) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), names[i]) == wanted.end()) continue;
    const core::Limit& l = task.model.limits[i];
    const double scale = std::abs(l.value);
    limits_.push_back(
        {names[i], task.model.channels[size_t(l.channel)].unit, i, l.channel, l.above, l.value, scale > 0 ? scale : 1});
  }
}

std::vector<double> FailureEvent::excess(const std::vector<double>& sample, std::span<const double> values) const {
  const Derived own = derived_ ? derived_(sample) : Derived{};
  std::vector<double> out;
  for (const Limit& l : limits_) {
    const double limit = derived_ ? own.limits[l.index].value : l.value;
    ReductionSettings s;
    s.reduction = l.above ? Reduction::maximum : Reduction::minimum;
    const double extreme = reduce(s, times_, values.data() + l.channel, int(channels_));
    out.push_back((l.above ? extreme - limit : limit - extreme) / l.scale);
  }
  return out;
}

void FailureEvent::settle_scales(std::span<std::vector<double>> excesses) {
  for (size_t l = 0; l < limits_.size(); ++l) {
    if (limits_[l].value != 0) continue;
    double n = 0, sum = 0, squares = 0;
    for (const std::vector<double>& e : excesses)
      if (!e.empty()) ++n, sum += e[l], squares += e[l] * e[l];
    const double variance = n > 1 ? (squares - sum * sum / n) / (n - 1) : 0;
    if (!(variance > 0)) continue;
    limits_[l].scale = std::sqrt(variance);
    for (std::vector<double>& e : excesses)
      if (!e.empty()) e[l] /= limits_[l].scale;
  }
}

}  // namespace aleator::core
