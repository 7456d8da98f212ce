// aleator evaluate RESULTS --set NAME=VALUE…: the response at given values of what is random, from the expansion of a study; or
// the density of an output at a time.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include <aleator/study.hpp>

#include "base/atomic_file.hpp"
#include "cli/arguments.hpp"
#include "propagation/evaluate_expansion.hpp"
#include "results/read.hpp"

namespace aleator::app {
namespace {

struct EvaluateArguments {
  std::string file, density, out = "-";
  double time = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> settings;
};

std::string density_csv(const EvaluateArguments& o) {
  const core::analysis::StoredExpansion s = core::analysis::read_expansion(core::results::StudyReader(o.file));
  if (o.time < s.times.front() || o.time > s.times.back())
    throw UsageError("--time", fmt::format("is outside of {:g} … {:g} s", s.times.front(), s.times.back()));
  const core::DensityAt d = usage_of("--density", [&] { return core::density_at(s, o.density, o.time); });
  if (d.density.values.empty()) fmt::print(stderr, "{} does not scatter at t = {:g} s\n", o.density, d.time);
  std::string text = fmt::format("{},density at t = {:.17g}\n", o.density, d.time);
  for (size_t i = 0; i < d.density.values.size(); ++i)
    text += fmt::format("{:.17g},{:.17g}\n", d.density.values[i], d.density.density[i]);
  return text;
}

std::string response_csv(const EvaluateArguments& o) {
  const Trajectory y = usage_of("--set", [&] { return evaluate_expansion(o.file, read_settings(o.settings)); });
  std::string text = "time";
  for (const Channel& c : y.outputs) text += "," + c.name;
  text += "\n";
  for (size_t t = 0; t < y.time.size(); ++t) {
    text += fmt::format("{:.17g}", y.time[t]);
    for (size_t c = 0; c < y.outputs.size(); ++c) text += fmt::format(",{:.17g}", y.values[t * y.outputs.size() + c]);
    text += "\n";
  }
  return text;
}

}  // namespace

void add_evaluate(Command& c) {
  auto o = std::make_shared<EvaluateArguments>();
  c.option("RESULTS", o->file, "results.h5 of a study, or its folder").required();
  c.option("--set", o->settings,
           "A value of what is random; what is not set is at its mean, or its median where a normal variable stands for it")
      .type("NAME=VALUE")
      .each();
  const Option density = c.option("--density", o->density, "The density of this output instead, as it scatters").type("OUTPUT");
  c.option("--time", o->time, "… at this time (default the time of its largest scatter)").type("T").needs(density);
  c.option("-o,--out", o->out, "Write into a file instead").type("FILE");
  add_trust(c);
  c.run([o] {
    core::AtomicFile out(o->out);
    out.write(o->density.empty() ? response_csv(*o) : density_csv(*o));
    out.commit();
    return exit_code::done;
  });
}

}  // namespace aleator::app
