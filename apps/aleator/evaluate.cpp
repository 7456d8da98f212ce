// aleator evaluate RESULTS --set NAME=VALUE…: the response at given values of what is random, from the expansion of a study.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "analysis/stored_expansion.hpp"
#include "commands.hpp"
#include "input/error.hpp"
#include "results/atomic_file.hpp"
#include "uncertainty/distribution.hpp"
#include "uncertainty/distribution_module.hpp"

namespace aleator::app {
namespace {

struct EvaluateArguments {
  std::string file, out = "-";
  std::vector<std::string> settings;
};

using Variable = results::Chaos::Variable;

Law law_of(const Variable& v) {
  Law law{v.law_name, {}, v.law, v.lower, v.upper};
  for (size_t i = 0; i < v.parameters.size(); ++i) law.parameters.push_back({v.parameters[i], v.values.at(i)});
  return law;
}

// z of a value of the variable, or of a place u of a coordinate of a block.
double standard(const Variable& v, double value) {
  const auto refuse = [&](const std::string& why) { throw CLI::ValidationError("--set", fmt::format("{}: {}", v.name, why)); };
  const auto z = [&](double x) { return (x - v.center) / v.scale; };
  if (v.germ == "uniform") {
    if (!(value > 0 && value < 1)) refuse(fmt::format("is a coordinate between 0 and 1, found {:g}", value));
    return z(2 * value - 1);
  }
  if (v.law_name.empty()) refuse(fmt::format("depends on others; set the standard normal variable behind it: {}.z=…", v.name));
  const auto law = make_distribution(law_of(v));
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

int evaluate_command(const EvaluateArguments& o) {
  const analysis::StoredExpansion s = analysis::read_expansion(results::StudyReader(o.file));
  const analysis::RowMatrix y = evaluate(s.expansion, point_of(s.variables, o.settings));
  std::string text = "time";
  for (const std::string& name : s.outputs) text += "," + name;
  text += "\n";
  for (size_t t = 0; t < s.times.size(); ++t) {
    text += fmt::format("{:.17g}", s.times[t]);
    for (size_t c = 0; c < s.outputs.size(); ++c) text += fmt::format(",{:.17g}", y(0, Eigen::Index(t * s.outputs.size() + c)));
    text += "\n";
  }
  results::AtomicFile out(o.out);
  out.write(text);
  out.commit();
  return exit_code::done;
}

}  // namespace

void add_evaluate(CLI::App& app, Action& action) {
  auto o = std::make_shared<EvaluateArguments>();
  CLI::App* c = app.add_subcommand("evaluate", "Evaluate the expansion of a study at given values, without simulating");
  c->add_option("RESULTS", o->file, "results.h5 of a study, or its folder")->required();
  c->add_option("--set", o->settings,
                "A value of what is random; what is not set is at its mean, or its median where a normal variable stands for it")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  c->add_option("--out", o->out, "Write into a file instead")->type_name("FILE");
  c->callback([o, &action] { action.run = [o] { return evaluate_command(*o); }; });
}

}  // namespace aleator::app
