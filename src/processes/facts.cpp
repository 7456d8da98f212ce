#include "processes/facts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace aleator::core::processes {

namespace {

double hertz(double omega) { return omega / (2 * pi); }

}  // namespace

std::vector<std::pair<std::string, std::string>> facts(const Process& p) {
  std::vector<std::pair<std::string, std::string>> out;
  out.emplace_back("rms", fmt::format("{:.4g}{}", p.rms(), p.envelope ? " where its envelope is 1" : ""));
  if (p.kind == Process::Kind::spectrum) {
    const Bandwidth b = bandwidth(p.density, p.cutoff);
    out.emplace_back("bandwidth",
                     fmt::format("up to {:.4g} Hz; {:.3g} upward crossings of the mean per second, spread {:.2g} (0: a sine)",
                                 hertz(p.cutoff), b.crossings, b.spread));
    out.emplace_back("period", fmt::format("{:.4g} s: frequencies {:.3g} Hz apart", p.period(), hertz(p.spacing())));
  }
  if (p.kind == Process::Kind::white_noise)
    out.emplace_back("bandwidth", fmt::format("white up to about {:.3g} Hz (held over {:g} s)", 0.1 / p.step, p.step));
  out.emplace_back(
      "points",
      fmt::format("{} of {:.3g} s{}", p.points, p.step,
                  p.normals() > 0 ? fmt::format(", of {} random numbers{}", p.normals(), p.phases ? " (phases)" : "") : ""));
  if (!p.places.empty()) out.emplace_back("places", fmt::format("{}", fmt::join(p.places, ", ")));
  return out;
}

std::vector<std::string> doubts(const Process& p, double step, double output_step) {
  std::vector<std::string> out;
  const double top = hertz(p.cutoff);
  if (p.kind == Process::Kind::spectrum) {
    const double below = variance_between(p.density, 0, p.cutoff), all = variance(p.density), found = p.rms() * p.rms();
    if (std::isfinite(all) && below < 0.9 * all)
      out.push_back(
          fmt::format("{:.2g} % of its variance lies above the cut-off, {:.3g} Hz, and is left out; raise 'cutoff' if it matters",
                      100 * (1 - below / all), top));
    if (std::abs(found / below - 1) > 0.02 && !p.phases)
      out.push_back(
          fmt::format("frequencies {:.3g} Hz apart do not resolve its density: rms {:.4g} instead of {:.4g}; make 'period' "
                      "longer than {:.3g} s",
                      hertz(p.spacing()), p.rms(), std::sqrt(below), p.period()));
  }
  if (p.kind == Process::Kind::recorded && double(p.points - 1) * p.step < p.duration * (1 - 1e-9))
    out.push_back(fmt::format("its records end after {:g} s, the simulation after {:g} s: it is 0 then",
                              double(p.points - 1) * p.step, p.duration));
  if (p.kind == Process::Kind::white_noise) {
    if (step > p.step * (1 + 1e-9))
      out.push_back(fmt::format("it changes every {:g} s: steps of {:g} s become that short", p.step, step));
    return out;
  }
  if (step > 0.2 / top * (1 + 1e-9))
    out.push_back(
        fmt::format("a step of {:g} s takes {:.2g} steps per period of its highest frequency, {:.3g} Hz; ten take {:.2g} s (or "
                    "lower its 'cutoff')",
                    step, 1 / (top * step), top, 0.1 / top));
  const double main = p.kind == Process::Kind::spectrum ? bandwidth(p.density, p.cutoff).crossings : top;
  if (output_step > 0.5 / main * (1 + 1e-9))
    out.push_back(
        fmt::format("outputs every {:g} s show frequencies up to {:.3g} Hz, and it has some up to {:.3g} Hz: spectra of outputs "
                    "are aliased; 'output_step: {:.2g}' shows all",
                    output_step, 0.5 / output_step, top, 0.5 / top));
  return out;
}

}  // namespace aleator::core::processes
