// aleator sample MODEL -n N: samples of the random quantities as CSV, without simulating.
#include "api/csv.hpp"
#include "cli/arguments.hpp"
#include "study/loaded_model.hpp"

namespace aleator::app {
namespace {

struct SampleArguments {
  ModelArguments model;
  long n = 0;
  long long seed = -1;
  std::string out = "-";
};

int sample_command(const SampleArguments& o) {
  const Model loaded = o.model.load();
  for (const std::string& note : loaded.compiled().random().notes()) say(stderr, "{}: note: {}\n", o.model.file, note);
  Study study = study_of(loaded);
  if (o.seed >= 0) study.seed = std::uint64_t(o.seed);
  if (o.n > 0) study.samples = o.n;
  core::AtomicFile file(o.out);
  core::write_samples(loaded, study, file);
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
