#include "optimisation/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "optimisation/normal.hpp"
#include "propagation/failure_event.hpp"
#include "results/reliability.hpp"

namespace aleator::core::optimisation {

using input::InputError;
using Kind = Statistic::Kind;
using results::Estimate;

namespace {

template <class Named>
long index_of(const std::vector<Named>& all, const std::string& name) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const Named& x) { return x.name == name; });
  return it == all.end() ? -1 : long(it - all.begin());
}

double known(double error) { return std::isfinite(error) ? error : 0; }

// The largest over time, or the smallest, with its error there.
Estimate extreme(const std::vector<double>& values, const std::vector<double>& errors, bool largest) {
  Estimate out{std::nan(""), 0};
  for (size_t t = 0; t < values.size(); ++t) {
    if (std::isnan(values[t]) || (!std::isnan(out.value) && (largest ? values[t] <= out.value : values[t] >= out.value)))
      continue;
    out = {values[t], t < errors.size() ? known(errors[t]) : 0};
  }
  return out;
}

}  // namespace

double interpolated(const Statistic& s, double value) {
  return s.kind == Kind::probability ? normal_quantile(std::clamp(value, 1e-300, 1 - 1e-16)) : value;
}
double value_of(const Statistic& s, double z) { return s.kind == Kind::probability ? normal_probability(z) : z; }
double error_of(const Statistic& s, double z, double error) {
  return s.kind == Kind::probability ? error * normal_density(z) : error;
}
double error_interpolated(const Statistic& s, double value, double error) {
  return s.kind == Kind::probability ? error / normal_density(interpolated(s, value)) : error;
}

StatisticsReader::StatisticsReader(const Model& model, std::vector<Statistic> statistics) : statistics_(std::move(statistics)) {
  const std::vector<std::string> limits = limit_names(model);
  for (const Statistic& s : statistics_) {
    if (s.kind == Kind::probability) {
      auto it = std::find(limits.begin(), limits.end(), s.of);
      if (s.of == "any" && limits.size() == 1) it = limits.begin();  // of several it is for methods that know the event
      if (it == limits.end() && (s.of != "any" || limits.empty()))
        throw InputError(
            s.at, fmt::format("{}: the model has no such limit{}", s.text(),
                              limits.empty() ? ": it has none; `limits: {above: …}` of an output or a scalar makes NAME.above"
                                             : input::suggestion(s.of, limits)));
      places_.push_back({false, size_t(it - limits.begin())});
      continue;
    }
    const long scalar = index_of(model.scalars, s.of), channel = index_of(model.channels, s.of);
    if (scalar < 0 && channel < 0) {
      std::vector<std::string> names;
      for (const auto& x : model.scalars) names.push_back(x.name);
      for (const auto& x : model.channels) names.push_back(x.name);
      throw InputError(
          s.at, fmt::format("{}: the model has no scalar and no output '{}'{}", s.text(), s.of, input::suggestion(s.of, names)));
    }
    places_.push_back({scalar >= 0, size_t(scalar >= 0 ? scalar : channel)});
    if (s.kind != Kind::quantile) continue;
    const double band = std::abs(2 * s.level - 1);
    if (!(band > 0)) throw InputError(s.at, fmt::format("{}: the median is not available; mean({}) is", s.text(), s.of));
    if (band_ > 0 && std::abs(band - band_) > 1e-12)
      throw InputError(s.at,
                       fmt::format("{}: a study has one probability band, so all quantiles of a file must belong to one: here "
                                   "{:g} and {:g}",
                                   s.text(), (1 - band_) / 2, (1 + band_) / 2));
    band_ = band;
  }
}

void StatisticsReader::ask(Study& study) const {
  if (band_ > 0) study.confidence = band_;
}

// Where realizations are a sample, too few failures are judged as a binomial number.
Estimate StatisticsReader::probability(const results::StudyResult& r, const Statistic& s, size_t limit) const {
  if (r.reliability)
    for (const results::Reliability::Probability& p : r.reliability->of)
      if (p.limit == s.of)
        return p.probability > 0 ? Estimate{p.probability, p.cov * p.probability} : Estimate{p.upper / 6, p.upper / 6};
  if (limit >= r.statistics.limits.size())
    throw std::invalid_argument(fmt::format(
        "{}: the method {} counts each limit alone; name one of them, or use a method for rare events", s.text(), r.method));
  const results::LimitStatistics& l = r.statistics.limits[limit];
  const double n = double(std::max(r.statistics.realizations, 1L)), p = l.ever.value;
  if (std::isnan(p)) return {p, 0};
  // Of an expansion: from thousands of its evaluations, whatever it rests on.
  if (!r.rows_follow_law) return {std::clamp(p, 5e-5, 1 - 5e-5), known(l.ever.error)};
  const double smooth = (p * n + 0.5) / (n + 1), binomial = std::sqrt(smooth * (1 - smooth) / n);
  const bool few = std::min(p, 1 - p) * n < 10;
  return {smooth, few || !std::isfinite(l.ever.error) ? binomial : std::max(l.ever.error, 0.1 * binomial)};
}

std::vector<Estimate> StatisticsReader::read(const results::StudyResult& r) const {
  std::vector<Estimate> out;
  for (size_t j = 0; j < statistics_.size(); ++j) {
    const Statistic& s = statistics_[j];
    const Place& place = places_[j];
    const bool upper = s.level > 0.5;
    Estimate e;
    if (s.kind == Kind::probability) {
      e = probability(r, s, place.index);
    } else if (place.scalar) {
      const results::ScalarStatistics& x = r.statistics.scalars.at(place.index);
      e = s.kind == Kind::mean ? x.mean : s.kind == Kind::std ? x.std : upper ? x.upper : x.lower;
    } else {
      const results::ChannelStatistics& x = r.statistics.channels.at(place.index);
      if (s.kind == Kind::quantile)
        e = upper ? extreme(x.upper, x.upper_error, true) : extreme(x.lower, x.lower_error, false);
      else
        e = s.kind == Kind::mean ? extreme(x.mean, x.mean_error, true) : extreme(x.std, x.std_error, true);
    }
    if (!std::isfinite(e.value))
      throw std::invalid_argument(fmt::format("{} has no finite value there (method {})", s.text(), r.method));
    out.push_back({e.value, known(e.error)});
  }
  return out;
}

}  // namespace aleator::core::optimisation
