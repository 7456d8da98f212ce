// aleator sample MODEL -n N: samples of the random quantities as CSV, without simulating.
#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "cli/arguments.hpp"
#include "propagation/method.hpp"
#include "study/loaded_model.hpp"

namespace aleator::app {
namespace {

using namespace core;

struct SampleArguments {
  ModelArguments model;
  long n = 0;
  long long seed = -1;
  std::string out = "-";
};

int sample_command(const SampleArguments& o) {
  const aleator::Model loaded = o.model.load();
  const core::Model& model = loaded.compiled().model;
  const RandomModel& random = loaded.compiled().random();
  for (const std::string& note : random.notes()) fmt::print(stderr, "{}: note: {}\n", o.model.file, note);
  if (random.empty())
    throw input::InputError(model.description.top.at, "nothing is uncertain: there is nothing to sample").in_file(o.model.file);
  Study study = study_of(loaded);
  if (o.seed >= 0) study.seed = std::uint64_t(o.seed);
  if (o.n > 0) study.samples = o.n;
  study.sensitivity = false;
  const std::uint64_t seed = study.seed;
  const long n = study.samples;
  const Plan plan = sampling_plan(study, random);

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

void add_sample(Command& c) {
  auto o = std::make_shared<SampleArguments>();
  o->model.add_to(c);
  c.option("-n,--samples", o->n, "How many (default those of the study)").whole(1, most_samples).type("N");
  c.option("--seed", o->seed, "Seed of the random numbers").whole(0, most_seed).type("S");
  c.option("-o,--out", o->out, "Write into a file instead").type("FILE");
  c.run([o] { return sample_command(*o); });
}

}  // namespace aleator::app
