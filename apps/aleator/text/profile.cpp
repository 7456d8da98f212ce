#include "text/profile.hpp"

#include "cli/colour.hpp"
#include "numerics/peak.hpp"

namespace aleator::app {

using namespace core;

void print_profile(const StudyProfile& t) {
  const EnsembleProfile& p = t.ensemble;
  const LaneProfile& l = p.lanes;
  const auto part = [&](Part which) { return l.seconds[int(which)]; };
  double programs = 0, operations = 0;
  for (int k = 0; k < parts; ++k) programs += l.seconds[k], operations += l.operations[k];
  const double all = t.device.seconds + p.drawing + l.whole + p.alone + p.delivering + t.writing;
  const auto line = [&](const char* what, double seconds) {
    say("  {:<52}{:>9.3f} s {:>5.1f} %\n", what, seconds, 100 * seconds / all);
  };
  say("\nprofile: {}, {} realizations at once, {} thread{}\n", name(t.isa), t.lanes, t.threads, t.threads == 1 ? "" : "s");
  if (const DeviceReport& d = t.device; d.rows > 0) {
    say("  {} of them {} on {} ({:.0f} GB, driver {}), kernel {} in {:.2f} s\n", d.rows,
        d.drawn == d.rows ? "drawn and computed" : "computed", d.name, d.memory / 1e9, d.driver,
        d.was_kept ? "loaded" : "compiled", d.compile_seconds);
    if (d.added_up > 0) say("  statistics of {} of these taken there\n", d.added_up);
    line("waiting for the device, copying", d.seconds);
  }
  line("random numbers, and the mechanisms they make", p.drawing);
  line("assembly of the equations", part(Part::assembly));
  line("factorisation", part(Part::factorisation));
  line("solution", part(Part::solution));
  line("observation", part(Part::observation));
  line("stepping", part(Part::stepping));
  line("functions of time, recording, decisions", l.whole - programs);
  if (p.tried_alone > 0) line(fmt::format("{} realizations retried individually", p.tried_alone).c_str(), p.alone);
  line("statistics and journal", p.delivering);
  line("final statistics and results.h5", t.writing);
  say("  {:.4g} realizations per second ({:.4g} per core); {:.3g} ms of a core each\n", double(p.realizations) / t.simulating,
      double(p.realizations) / t.simulating / t.threads, 1e3 * l.whole / double(std::max(1L, p.realizations)));
  if (l.packs == 0) return;
  const double steps = double(l.steps) / double(l.packs), speed = operations * t.lanes / programs;
  const double peak = measured_peak(t.isa);
  say("  {:.0f} steps of {:.0f} floating-point operations each per realization", steps, operations / double(l.packs) / steps);
  if (l.iterations > 0)
    say(" ({:.2f} iterations, {:.3f} factorisations per step)", double(l.iterations) / double(l.steps),
        double(l.factorisations) / double(l.steps));
  if (l.smallest > 0)
    say("\n  steps reduced {} times{}", l.reduced, l.reduced > 0 ? fmt::format(", smallest {:.2g} s", l.smallest) : "");
  say("\n  energy gained that nothing supplied: at most {:.2g} of the largest kinetic energy", l.gained);
  say("\n  {:.3g} numbers read and {:.3g} written per step, beside those that registers do not hold", l.read / double(l.steps),
      l.written / double(l.steps));
  say("\n  {:.1f} Gflop/s in programs, {:.0f} % of what this core reaches ({:.1f})\n", 1e-9 * speed, 100 * speed / peak,
      1e-9 * peak);
}

}  // namespace aleator::app
