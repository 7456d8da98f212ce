#include "propagation/failure_event.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/recorder.hpp"
#include "numerics/series.hpp"

namespace aleator::core {

constexpr double far_inside = -1e6;  // the excess of a scalar that has no value

std::vector<std::string> limit_names(const Model& model) {
  std::vector<std::string> names;
  for (const Limit& l : model.limits)
    names.push_back((l.scalar >= 0 ? model.scalars[size_t(l.scalar)].name : model.channels[size_t(l.channel)].name) +
                    (l.above ? ".above" : ".below"));
  return names;
}

FailureEvent::FailureEvent(const Task& task)
    : scalars_(task.model.scalars),
      times_(task.model.modal ? std::vector<double>{0}  // numbers, no functions of time
                              : output_times(task.model.settings.duration, task.model.settings.output_step)),
      channels_(task.model.channels.size()),
      derived_(task.derived) {
  const std::vector<std::string> names = limit_names(task.model);
  if (names.empty() && task.model.modal)
    throw std::invalid_argument(
        "it needs limits, and the study has none of modes. Say what failure is, as in study: {modes: {limits: {frequency_1: "
        "{below: "
        "20}}}}");
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
    const std::string& unit =
        l.scalar >= 0 ? task.model.scalars[size_t(l.scalar)].unit : task.model.channels[size_t(l.channel)].unit;
    limits_.push_back({names[i], unit, i, l.channel, l.above, l.value, scale > 0 ? scale : 1, l.scalar});
  }
}

std::vector<double> FailureEvent::excess(const std::vector<double>& sample, std::span<const double> values) const {
  const Derived own = derived_ ? derived_(sample) : Derived{};
  std::vector<double> out;
  const std::vector<DerivedScalar>& scalars = derived_ ? own.scalars : scalars_;
  for (const Limit& l : limits_) {
    const double limit = derived_ ? own.limits[l.index].value : l.value;
    DerivedScalar of;
    of.channel = l.channel;
    of.settings.reduction = l.above ? Reduction::maximum : Reduction::minimum;
    if (l.scalar >= 0) of = scalars[size_t(l.scalar)];
    const double x = reduce(of.settings, times_, values.data() + of.channel, int(channels_));
    const bool never = l.scalar >= 0 && std::isnan(x);
    out.push_back(never ? far_inside : (l.above ? x - limit : limit - x) / l.scale);
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
