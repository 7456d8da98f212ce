#include "coupling/asked_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace aleator::core::coupling {
namespace {

std::size_t place_of(const std::vector<aleator::Channel>& channels, const std::string& name) {
  const auto found = std::find_if(channels.begin(), channels.end(), [&](const aleator::Channel& c) { return c.name == name; });
  return std::size_t(found - channels.begin());
}

std::string names_of(const std::vector<aleator::Channel>& channels) {
  std::string out;
  for (const aleator::Channel& c : channels) out += (out.empty() ? "" : ", ") + c.name;
  return out.empty() ? "none" : out;
}

// The output time that is meant, up to round-off.
std::size_t time_index_of(const aleator::Ensemble& forward, const std::string& name, double time) {
  const std::vector<double>& times = forward.time();
  const std::size_t after = std::size_t(std::lower_bound(times.begin(), times.end(), time) - times.begin());
  for (const std::size_t i : {after, after - 1})
    if (i < times.size() && std::abs(times[i] - time) <= 1e-9 * times.back()) return i;
  if (!(time >= 0 && time <= times.back()))
    throw std::invalid_argument(
        fmt::format("'{}' at {:g} s: the simulation goes from 0 to {:g} s (duration)", name, time, times.back()));
  throw std::invalid_argument(
      fmt::format("'{}' at {:g} s: that is between two output times, {:g} s and {:g} s; change "
                  "'output_step' of the model, or ask for one of these",
                  name, time, times[after - 1], times[after]));
}

}  // namespace

double AskedOutput::value(const aleator::Responses& y, std::size_t sample) const {
  return scalar ? y.scalar_values[sample * y.scalars.size() + index] : y.at(sample, time_index)[index];
}

double AskedOutput::derivative(const aleator::Jacobian& j, std::size_t sample, std::size_t input) const {
  return scalar ? j.scalar_values[(sample * j.responses.scalars.size() + index) * j.inputs.size() + input]
                : j.values[j.index(sample, time_index, index, input)];
}

bool is_scalar(const aleator::Ensemble& forward, const std::string& name) {
  return place_of(forward.scalars(), name) < forward.scalars().size();
}

AskedOutput asked_output_at(const aleator::Ensemble& forward, const std::string& name, double time) {
  const std::size_t index = place_of(forward.outputs(), name);
  if (index == forward.outputs().size())
    throw std::invalid_argument(fmt::format("the model has no output '{}' (scalars: {}; outputs: {})", name,
                                            names_of(forward.scalars()), names_of(forward.outputs())));
  return {name, false, index, time_index_of(forward, name, time)};
}

AskedOutput asked_output(const aleator::Ensemble& forward, const std::string& name) {
  if (is_scalar(forward, name)) return {name, true, place_of(forward.scalars(), name), 0};
  const std::size_t at = name.rfind('@');
  double time = forward.time().back();
  if (at != std::string::npos) {
    const char *const begin = name.data() + at + 1, *const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(begin, end, time);
    if (error != std::errc{} || stop != end || begin == end)
      throw std::invalid_argument(fmt::format("'{}': NAME@TIME expects a time in seconds after the '@'", name));
  }
  AskedOutput out = asked_output_at(forward, name.substr(0, at), time);
  out.name = name;
  return out;
}

std::vector<AskedOutput> asked_outputs(const aleator::Ensemble& forward, const std::vector<std::string>& names) {
  std::vector<AskedOutput> out;
  for (const std::string& name : names) out.push_back(asked_output(forward, name));
  if (names.empty())
    for (const aleator::Channel& c : forward.scalars().empty() ? forward.outputs() : forward.scalars())
      out.push_back(asked_output(forward, c.name));
  if (out.empty()) throw std::invalid_argument("the model has neither scalars nor outputs: there is nothing to answer");
  return out;
}

}  // namespace aleator::core::coupling
