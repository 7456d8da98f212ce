// aleator sample MODEL -n N: samples of the random quantities as CSV, without simulating.
#include <fmt/format.h>

#include <memory>

#include "base/atomic_file.hpp"
#include "commands.hpp"
#include "design/study.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::app {
namespace {

struct SampleArguments {
  ModelArguments model;
  long n = 0;
  long long seed = -1;
  std::string out = "-";
};

int sample_command(const SampleArguments& o) {
  const Model model = o.model.load();
  const std::vector<Override> settings = o.model.overrides();
  const RandomModel random(model, settings);
  for (const std::string& note : random.notes()) fmt::print(stderr, "{}: note: {}\n", o.model.file, note);
  if (random.empty())
    throw input::InputError(model.description.top.at, "nothing is uncertain: there is nothing to sample").in_file(o.model.file);
  Study study = read_study(model, split_settings(model.description, settings).model);
  if (o.seed >= 0) study.seed = std::uint64_t(o.seed);
  if (o.n > 0) study.samples = o.n;
  study.shares = false;
  const std::uint64_t seed = study.seed;
  const long n = study.samples;
  const Plan plan = make_plan(study, random);

  AtomicFile file(o.out);
  std::string text = "realization";
  for (const std::string& c : random.columns()) text += "," + c;
  text += "\n";
  for (long k = 0; k < n; ++k) {
    text += fmt::format("{}", k);
    for (const double x : sample_of(random, plan, seed, k)) text += fmt::format(",{:.17g}", x);
    text += "\n";
    if (text.size() > (size_t(1) << 20)) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
  file.commit();
  return exit_code::done;
}

}  // namespace

void add_sample(CLI::App& app, Action& action) {
  auto o = std::make_shared<SampleArguments>();
  CLI::App* c = app.add_subcommand("sample", "Print samples of what is uncertain as CSV, without simulating");
  o->model.add_to(*c);
  c->add_option("-n,--samples", o->n, "How many (default those of the study)")
      ->check(whole_number(1, most_samples))
      ->type_name("N");
  c->add_option("--seed", o->seed, "Seed of the random numbers")->check(whole_number(0, most_seed))->type_name("S");
  c->add_option("--out", o->out, "Write into a file instead")->type_name("FILE");
  c->callback([o, &action] { action.run = [o] { return sample_command(*o); }; });
}

}  // namespace aleator::core::app
