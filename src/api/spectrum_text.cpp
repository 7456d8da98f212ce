// What is printed, written and drawn of a spectrum.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "api/spectrum.hpp"
#include "base/rounded.hpp"
#include "base/text_table.hpp"
#include "base/words.hpp"

namespace aleator::core {
namespace {

std::string with_unit(const LinearSpectrum::Output& o) {
  return o.unit.empty() ? o.name : fmt::format("{} [{}]", o.name, o.unit);
}

// Beside others of the same unit it is nothing but round-off, as what is across the plane of a motion.
bool is_round_off(const LinearSpectrum& s, const LinearSpectrum::Output& o) {
  return std::any_of(s.outputs.begin(), s.outputs.end(), [&](const auto& other) {
    return other.linear && other.unit == o.unit && std::isfinite(other.rms) && o.rms < 1e-8 * other.rms;
  });
}

std::string rms_words(const LinearSpectrum& s, const LinearSpectrum::Output& o) {
  return !o.linear ? "–" : is_round_off(s, o) ? "0" : std::isinf(o.rms) ? "infinite" : fmt::format("{:.5g}", o.rms);
}

std::string share_words(double share) { return std::isnan(share) ? "" : fmt::format("{:.1f} %", 100 * share); }

// Within three standard errors, unless the start is still felt.
std::string verdict(const LinearSpectrum::Output& o, const SampledSpectrum::Output& s, double felt) {
  if (std::isnan(s.rms) || std::isinf(o.rms)) return "";
  if (std::abs(s.rms - o.rms) <= 3 * s.error) return "agrees";
  return felt > 0.01 && s.rms < o.rms ? "transient" : "differs";
}

std::string outputs_table(const LinearSpectrum& s, const SampledSpectrum* sampled) {
  TextTable table;
  const bool shares = s.processes.size() > 1;
  std::vector<std::string> heading = {"output", "rms", "peak [Hz]"};
  if (shares)
    for (const auto& p : s.processes) heading.push_back("of " + p.name);
  if (sampled) heading.insert(heading.end(), {"sampled", ""});
  table.row(heading);
  for (std::size_t c = 0; c < s.outputs.size(); ++c) {
    const LinearSpectrum::Output& o = s.outputs[c];
    const bool known = o.linear && o.peak > 0 && !is_round_off(s, o);
    std::vector<std::string> cells = {with_unit(o), rms_words(s, o), known ? fmt::format("{:.4g}", o.peak) : ""};
    if (shares)
      for (const double share : o.share) cells.push_back(known ? share_words(share) : "");
    if (sampled) {
      const SampledSpectrum::Output& y = sampled->outputs[c];
      cells.push_back(std::isnan(y.rms) ? "" : with_error(y.rms, y.error));
      cells.push_back(known ? verdict(o, y, sampled->felt) : "");
    }
    table.row(std::move(cells));
  }
  return table.text();
}

std::string about_samples(const SampledSpectrum& s, const LinearSpectrum& spectrum) {
  std::string text = wrapped(fmt::format(
      "sampled: standard deviation over the second half of the time, of {:g} realizations in {}", s.realizations, s.file));
  if (s.felt > 0.01)
    text += wrapped(fmt::format(
        "note: the slowest motion forgets the start in {} s; {:.2g} % of its variance are still missing when the second "
        "half begins: simulate longer to compare",
        number(1 / spectrum.decay), 100 * s.felt));
  if (!s.other.empty())
    text += wrapped(fmt::format("note: in the study other quantities are uncertain, too, and add to its scatter: {}",
                                s.other.size() > 5 ? fmt::format("{} and {} more", s.other[0], s.other.size() - 1)
                                                   : fmt::format("{}", fmt::join(s.other, ", "))));
  return text;
}

}  // namespace

std::string spectrum_text(const LinearSpectrum& s, const std::optional<SampledSpectrum>& sampled) {
  std::string text = fmt::format("stationary motion about {}\n", s.about_equilibrium ? "the equilibrium" : "the drawing");
  for (const auto& p : s.processes) text += wrapped(fmt::format("process {}: {}", p.name, p.words));
  if (!s.motions.empty()) {
    const auto& first = s.motions.front();
    text += wrapped(fmt::format("{} motion{} excited, the slowest at {} Hz with a damping ratio of {}", s.motions.size(),
                                s.motions.size() == 1 ? " is" : "s are", number(first.frequency), number(first.damping_ratio)));
  }
  for (const std::string& note : s.notes) text += wrapped("note: " + note);
  text += "\n" + outputs_table(s, sampled ? &*sampled : nullptr);
  if (sampled) text += "\n" + about_samples(*sampled, s);
  return text;
}

// Names with commas are quoted.
static std::string cell(const std::string& name) {
  return name.find_first_of(",\"\n") == std::string::npos ? name : fmt::format("\"{}\"", name);
}

std::string spectrum_csv(const LinearSpectrum& s) {
  std::string text = "frequency";
  for (const auto& o : s.outputs)
    if (o.linear) text += "," + cell(o.name + ".density");
  for (const auto& o : s.outputs)
    for (const auto& p : s.processes)
      if (o.linear) text += "," + cell(fmt::format("{}.gain.{}", o.name, p.name));
  text += "\n";
  for (std::size_t i = 0; i < s.frequency.size(); ++i) {
    text += fmt::format("{:.17g}", s.frequency[i]);
    for (const auto& o : s.outputs)
      if (o.linear) text += fmt::format(",{:.17g}", o.density[i]);
    for (const auto& o : s.outputs)
      for (const auto& g : o.gain)
        if (o.linear) text += fmt::format(",{:.17g}", g[i]);
    text += "\n";
  }
  return text;
}

// One panel per output; at most six decades below the peak, where the rest of it is nothing to see.
report::Figure linear_spectrum_figure(const LinearSpectrum& s) {
  report::Figure figure{.title = s.title, .subtitle = "spectral density, one-sided; exact for the linear model"};
  for (const LinearSpectrum::Output& o : s.outputs) {
    const double most = o.density.empty() ? 0 : *std::max_element(o.density.begin(), o.density.end());
    if (!o.linear || !(most > 0) || is_round_off(s, o)) continue;
    const std::string unit = o.unit.empty() || o.unit == "-"         ? "1/Hz"
                             : o.unit.find('/') == std::string::npos ? o.unit + "²/Hz"
                                                                     : fmt::format("({})²/Hz", o.unit);
    report::Panel panel{.x = {"frequency", "Hz", s.frequency.front(), s.frequency.back(), true}, .y = {o.name, unit, 0, 0, true}};
    report::Curve curve{.name = "", .x = s.frequency, .y = o.density};
    double least = most;
    for (double& y : curve.y) {
      if (!(y > 1e-6 * most)) y = std::nan("");
      if (y < least) least = y;
    }
    panel.y.low = std::min(least, most / 10) / 1.5, panel.y.high = 1.5 * most;
    panel.curves.push_back(std::move(curve));
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace aleator::core
