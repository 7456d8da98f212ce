// aleator evaluate RESULTS --set NAME=VALUE…: the response at given values of what is random, from the expansion of a study; or
// the density of an output at a time. Or, after `variability`, mean and standard deviation with another correlation of the field.
#include <limits>

#include "api/csv.hpp"
#include "cli/arguments.hpp"

namespace aleator::app {
namespace {

struct EvaluateArguments {
  std::string file, density, correlation, out = "-";
  double time = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> settings;
};

std::string table(const EvaluateArguments& o) {
  if (!o.correlation.empty()) return usage_of("--correlation", [&] { return core::prediction_csv(o.file, o.correlation); });
  if (o.density.empty()) return usage_of("--set", [&] { return core::response_csv(o.file, read_settings(o.settings)); });
  const core::DensityTable d = usage_of("--density", [&] { return core::density_csv(o.file, o.density, o.time); });
  if (!d.scatters) say(stderr, "{} does not scatter at t = {:g} s\n", o.density, d.time);
  return d.csv;
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
  c.option("--correlation", o->correlation, "After run --method variability: mean and standard deviation with this correlation")
      .type("CORRELATION");
  c.option("-o,--out", o->out, "Write into a file instead").type("FILE");
  add_trust(c);
  c.run([o] {
    core::write_file(o->out, table(*o));
    return exit_code::done;
  });
}

}  // namespace aleator::app
