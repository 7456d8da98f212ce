// What was identified from measurements, and what was measured. Many specimens with many times are thinned; the page says so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/page_parts.hpp"
#include "results/identification.hpp"

namespace aleator::core::report {
namespace {

using results::FreeParameter;
using results::Identification;

constexpr std::size_t most_times = 1500;  // of a specimen: more than a screen has places
constexpr std::size_t most_draws = 2000;

void put_parameter(PageContext& c, const FreeParameter& p) {
  c.json.object();
  c.put_text("name", p.name);
  c.put_text("unit", p.unit);
  const std::pair<const char*, double> numbers[] = {{"from", p.from},
                                                    {"to", p.to},
                                                    {"written", p.written},
                                                    {"estimate", p.estimate},
                                                    {"lower", p.lower},
                                                    {"upper", p.upper},
                                                    {"mean", p.mean},
                                                    {"std", p.std},
                                                    {"credibleLower", p.credible_lower},
                                                    {"credibleUpper", p.credible_upper},
                                                    {"rHat", p.r_hat},
                                                    {"effectiveDraws", p.effective_draws}};
  for (const auto& [key, value] : numbers) c.put_number(key, value);
  c.json.key("openBelow").boolean(p.open_below).key("openAbove").boolean(p.open_above);
  c.json.key("profileAt");
  c.block.exact(c.json, p.profile_at);
  c.json.key("profile");
  c.block.exact(c.json, p.profile);
  c.json.end();
}

void put_likelihood(PageContext& c, const Identification& x) {
  c.json.key("correlation");
  if (x.correlation.empty())
    c.json.null();
  else
    c.block.exact(c.json, x.correlation);
  c.json.key("pairs").array();
  for (const results::PairProfile& p : x.pairs) {
    c.json.object().key("first").number(p.first).key("second").number(p.second).key("firstAt");
    c.block.exact(c.json, p.first_at);
    c.json.key("secondAt");
    c.block.exact(c.json, p.second_at);
    c.json.key("values");
    c.block.drawn(c.json, p.values);
    c.json.end();
  }
  c.json.end();
  const std::size_t d = x.parameters.size(), draws = d == 0 ? 0 : x.draws.size() / d, every = 1 + draws / (most_draws + 1);
  std::vector<double> shown;
  for (std::size_t k = 0; k < draws; k += every)
    shown.insert(shown.end(), x.draws.begin() + std::ptrdiff_t(k * d), x.draws.begin() + std::ptrdiff_t((k + 1) * d));
  c.put_number("drawn", double(draws));
  c.json.key("draws");
  if (shown.empty())
    c.json.null();
  else
    c.block.drawn(c.json, shown);
}

std::size_t every_time(const results::Specimen& s) { return 1 + s.times.size() / (most_times + 1); }

// Every so many specimens are shown.
std::size_t every_specimen(const PageContext& c, const Identification& x) {
  std::size_t bytes = 0;
  for (const results::Specimen& s : x.measured.specimens)
    bytes += s.times.size() / every_time(s) * (sizeof(double) + sizeof(float) * x.measured.channels.size());
  return 1 + bytes / std::max<std::size_t>(1, c.limits.measured);
}

void put_specimens(PageContext& c, const Identification& x) {
  const std::size_t every = every_specimen(c, x);
  const std::size_t channels = x.measured.channels.size(), all = x.measured.specimens.size();
  std::size_t shown = 0, most = 0, of = 0;
  c.json.key("specimens").array();
  for (std::size_t k = 0; k < all; k += every, ++shown) {
    const results::Specimen& s = x.measured.specimens[k];
    std::vector<double> times;
    std::vector<std::vector<double>> values(channels);
    for (std::size_t t = 0; t < s.times.size(); t += every_time(s)) {
      times.push_back(s.times[t]);
      for (std::size_t i = 0; i < channels; ++i) values[i].push_back(s.values[t * channels + i]);
    }
    if (s.times.size() > times.size() && times.size() > most) most = times.size(), of = s.times.size();
    c.json.object();
    c.put_text("name", s.name);
    c.json.key("time");
    c.block.exact(c.json, times);
    c.json.key("values").array();
    for (const std::vector<double>& y : values) c.block.drawn(c.json, y);
    c.json.end().end();
  }
  c.json.end();
  std::vector<std::string> notes;
  if (shown < all) notes.push_back(fmt::format("{} of the {} specimens are shown.", shown, all));
  if (most > 0) notes.push_back(fmt::format("Of each specimen up to {} of {} times are shown, evenly spaced.", most, of));
  c.put_texts("notes", notes);
  c.put_number("specimenCount", double(all));
}

void put_outputs(PageContext& c, const Identification& x) {
  c.json.key("time");
  c.block.exact(c.json, x.times);
  c.json.key("outputs").array();
  for (std::size_t i = 0; i < x.measured.channels.size(); ++i) {
    double points = 0;
    for (const results::Specimen& s : x.measured.specimens)
      for (std::size_t t = 0; t < s.times.size(); ++t) points += std::isfinite(s.values[t * x.measured.channels.size() + i]);
    c.json.object();
    c.put_text("name", x.measured.channels[i]);
    c.put_text("unit", c.file.identified_unit(x.measured.channels[i]));
    c.put_number("noise", i < x.measured.noise.size() ? x.measured.noise[i] : 0);
    c.put_number("points", points);
    const auto curve = [&](const char* key, std::vector<double> results::PredictedBand::*member) {
      c.json.key(key);
      if (i < x.bands.size() && !(x.bands[i].*member).empty())
        c.block.exact(c.json, x.bands[i].*member);
      else
        c.json.null();
    };
    curve("mean", &results::PredictedBand::mean);
    curve("lower", &results::PredictedBand::lower);
    curve("upper", &results::PredictedBand::upper);
    c.json.key("coverage");
    if (i < x.coverage.size())
      c.json.object()
          .key("share")
          .number(x.coverage[i].share)
          .key("lower")
          .number(x.coverage[i].lower)
          .key("upper")
          .number(x.coverage[i].upper)
          .end();
    else
      c.json.null();
    c.json.end();
  }
  c.json.end();
}

void put_sweeps(PageContext& c, const Identification& x) {
  c.json.key("sweeps").array();
  for (const results::Sweep& s : x.sweeps) {
    c.json.object().key("at");
    c.block.exact(c.json, s.at);
    const auto table = [&](const char* key, const std::vector<std::vector<double>>& rows) {
      c.json.key(key).array();
      for (const std::vector<double>& row : rows) c.block.exact(c.json, row);
      c.json.end();
    };
    table("spread", s.spread);
    table("spreadError", s.spread_error);
    table("width", s.width);
    c.json.end();
  }
  c.json.end();
}

}  // namespace

void put_identification(PageContext& c) {
  c.json.key("identification");
  const auto found = results::read_identification(c.file);
  if (!found) {
    c.json.null();
    return;
  }
  const Identification& x = *found;
  c.json.object();
  c.put_text("method", x.method);
  c.put_text("likelihood", x.likelihood);
  c.json.key("explained").boolean(x.explained);
  c.put_text("verdict", x.verdict);
  c.put_texts("warnings", x.warnings);
  const auto drop = [&](int parameters) {
    return results::confidence_drop(x.confidence, parameters, int(x.parameters.size()), x.measured.specimens.size());
  };
  const std::pair<const char*, double> numbers[] = {{"confidence", x.confidence},
                                                    {"intervalDrop", drop(1)},
                                                    {"pairDrop", drop(2)},
                                                    {"logLikelihood", x.log_likelihood},
                                                    {"regionDrop", x.region_drop},
                                                    {"evaluations", double(x.evaluations)},
                                                    {"samples", double(x.samples)},
                                                    {"surrogateError", x.surrogate_error},
                                                    {"writtenDrop", x.written_drop},
                                                    {"acceptance", x.acceptance},
                                                    {"fitP", x.fit_p},
                                                    {"components", x.components},
                                                    {"captured", x.captured},
                                                    {"bandConfidence", x.band_confidence}};
  for (const auto& [key, value] : numbers) c.put_number(key, value);
  c.json.key("energy");
  c.block.exact(c.json, x.energy);
  c.json.key("parameters").array();
  for (const FreeParameter& p : x.parameters) put_parameter(c, p);
  c.json.end();
  put_likelihood(c, x);
  put_outputs(c, x);
  put_specimens(c, x);
  put_sweeps(c, x);
  c.json.end();
}

}  // namespace aleator::core::report
