// aleator evaluate RESULTS --set NAME=VALUE…: the response at given values of what is random, from the expansion of a study; or
// the density of an output at a time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "analysis/chaos_statistics.hpp"
#include "analysis/density.hpp"
#include "analysis/stored_expansion.hpp"
#include "base/atomic_file.hpp"
#include "commands.hpp"
#include "expansion_draws.hpp"
#include "input/error.hpp"
#include "uncertainty/distribution_module.hpp"

namespace aleator::core::app {
namespace {

constexpr long evaluations = 100000;  // for a density

struct EvaluateArguments {
  std::string file, density, out = "-";
  double time = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> settings;
};

using Variable = results::Chaos::Variable;

// z of a value of the variable, or of a place u of a coordinate of a block.
double standard(const Variable& v, double value) {
  const auto refuse = [&](const std::string& why) { throw CLI::ValidationError("--set", fmt::format("{}: {}", v.name, why)); };
  const auto z = [&](double x) { return (x - v.center) / v.scale; };
  if (v.germ == "uniform") {
    if (!(value > 0 && value < 1)) refuse(fmt::format("is a coordinate between 0 and 1, found {:g}", value));
    return z(2 * value - 1);
  }
  if (v.law_name.empty()) refuse(fmt::format("depends on others; set the standard normal variable behind it: {}.z=…", v.name));
  const auto law = distribution_of(v);
  if (!(value >= law->lower() && value <= law->upper()))
    refuse(fmt::format("{:g} is impossible under its law ({}): between {:g} and {:g}", value, v.law, law->lower(), law->upper()));
  return z(v.germ == "value" ? value : distribution_module().normal_quantile(law->cdf(value)));
}

// Where the polynomial of degree one vanishes.
double mean_of(const Variable& v) { return v.recurrence.size() < 3 ? 0 : -v.recurrence[1] / v.recurrence[0]; }

std::vector<double> point_of(const std::vector<Variable>& variables, const std::vector<std::string>& settings) {
  std::vector<double> z;
  std::vector<std::string> names;
  for (const Variable& v : variables) {
    z.push_back(mean_of(v));
    names.push_back(v.name);
  }
  for (const Override& o : read_settings(settings)) {
    bool found = false;
    for (size_t i = 0; i < variables.size(); ++i) {
      if (o.name == variables[i].name) z[i] = standard(variables[i], o.value), found = true;
      if (o.name == variables[i].name + ".z") z[i] = o.value, found = true;
    }
    if (!found)
      throw CLI::ValidationError("--set",
                                 fmt::format("the expansion has no variable '{}'{}", o.name, input::suggestion(o.name, names)));
  }
  return z;
}

std::string density_csv(const EvaluateArguments& o, analysis::StoredExpansion s) {
  const auto found = std::find(s.outputs.begin(), s.outputs.end(), o.density);
  if (found == s.outputs.end())
    throw CLI::ValidationError("--density",
                               fmt::format("there is no output '{}'{}", o.density, input::suggestion(o.density, s.outputs)));
  if (o.time < s.times.front() || o.time > s.times.back())
    throw CLI::ValidationError("--time", fmt::format("is outside of {:g} … {:g} s", s.times.front(), s.times.back()));
  const size_t nc = s.outputs.size(), c = size_t(found - s.outputs.begin());
  // The nearest time there is or, if none is given, that of the largest scatter.
  const std::vector<double> variance = analysis::variance(s.expansion);
  size_t best = 0;
  for (size_t t = 0; t < s.times.size(); ++t)
    if (std::isnan(o.time) ? variance[t * nc + c] > variance[best * nc + c]
                           : std::abs(s.times[t] - o.time) < std::abs(s.times[best] - o.time))
      best = t;
  s.expansion.coefficients = analysis::RowMatrix(s.expansion.coefficients.col(Eigen::Index(best * nc + c)));
  const analysis::RowMatrix y = evaluate(s.expansion, draw_variables(s.variables, evaluations).z);
  const analysis::Density d = analysis::density_of({y.data(), y.data() + y.size()});
  if (d.values.empty()) fmt::print(stderr, "{} does not scatter at t = {:g} s\n", o.density, s.times[best]);
  std::string text = fmt::format("{},density at t = {:.17g}\n", o.density, s.times[best]);
  for (size_t i = 0; i < d.values.size(); ++i) text += fmt::format("{:.17g},{:.17g}\n", d.values[i], d.density[i]);
  return text;
}

std::string response_csv(const EvaluateArguments& o, const analysis::StoredExpansion& s) {
  const analysis::RowMatrix y = evaluate(s.expansion, point_of(s.variables, o.settings));
  std::string text = "time";
  for (const std::string& name : s.outputs) text += "," + name;
  text += "\n";
  for (size_t t = 0; t < s.times.size(); ++t) {
    text += fmt::format("{:.17g}", s.times[t]);
    for (size_t c = 0; c < s.outputs.size(); ++c) text += fmt::format(",{:.17g}", y(0, Eigen::Index(t * s.outputs.size() + c)));
    text += "\n";
  }
  return text;
}

int evaluate_command(const EvaluateArguments& o) {
  analysis::StoredExpansion s = analysis::read_expansion(results::StudyReader(o.file));
  AtomicFile out(o.out);
  out.write(o.density.empty() ? response_csv(o, s) : density_csv(o, std::move(s)));
  out.commit();
  return exit_code::done;
}

}  // namespace

void add_evaluate(CLI::App& app, Action& action) {
  auto o = std::make_shared<EvaluateArguments>();
  CLI::App* c = app.add_subcommand("evaluate", "Evaluate the expansion of a study, without simulating");
  c->add_option("RESULTS", o->file, "results.h5 of a study, or its folder")->required();
  c->add_option("--set", o->settings,
                "A value of what is random; what is not set is at its mean, or its median where a normal variable stands for it")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  auto* density =
      c->add_option("--density", o->density, "The density of this output instead, as it scatters")->type_name("OUTPUT");
  c->add_option("--time", o->time, "… at this time (default where it scatters most)")->type_name("T")->needs(density);
  c->add_option("--out", o->out, "Write into a file instead")->type_name("FILE");
  c->callback([o, &action] { action.run = [o] { return evaluate_command(*o); }; });
}

}  // namespace aleator::core::app
