// aleator twin MODEL --specimens N: measured data made by the model itself, with noise, to try identification on: there the truth
// is known.
#include <aleator/identification.hpp>

#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_line.hpp"

namespace aleator::app {
namespace {

struct TwinArguments {
  ModelArguments model;
  SyntheticData data;
  long long seed = 1;
  std::string out;

  std::string folder() const { return out.empty() ? "out/" + stem(model.file) + "-twin" : out; }
};

int twin_command(const TwinArguments& o, const std::string& line) {
  ProgressLine progress;
  RunOptions options = terminal_options(progress, line);
  options.folder = o.folder();
  SyntheticData data = o.data;
  data.seed = std::uint64_t(o.seed);
  const auto outputs = usage_of("--noise", [&] { return write_synthetic_data(o.model.load(), data, options); });
  if (interrupted()) return exit_code::interrupted;
  say("wrote {} specimens with {} outputs into {}, and what they are made of into {}/truth.txt\n", data.specimens, outputs.size(),
      o.folder(), o.folder());
  for (const SyntheticOutput& m : outputs) say("  {}: noise {} {}\n", m.name, core::number(m.noise), m.unit);
  return exit_code::done;
}

}  // namespace

void add_twin(Command& c) {
  auto o = std::make_shared<TwinArguments>();
  o->model.add_to(c);
  c.option("-n,--specimens", o->data.specimens, "How many specimens are measured").required().whole(1, 1000000).type("N");
  c.option("--outputs", o->data.outputs, "Outputs that are measured (default all)").list(',').type("A,B");
  c.option("--noise", o->data.noise, "Standard deviation of the noise: of an output, or in percent of its nominal rms, or of all")
      .each()
      .type("NAME=X|NAME=X%|X%");
  c.option("--every", o->data.every, "Keep every Kth time of the model").whole(1, 1000000).type("K");
  c.option("--gaps", o->data.gaps, "Fraction of the values that are missing").real(0, 0.99).type("SHARE");
  c.flag("--irregular", o->data.irregular, "Measure at times a little off those of the model");
  c.option("--seed", o->seed, "Seed of specimens and noise (default 1)").whole(0, most_seed).type("S");
  c.option("-o,--out", o->out, "Folder for the data (default out/NAME-twin)").type("DIR");
  c.run([o, &c] { return twin_command(*o, c.line()); });
}

}  // namespace aleator::app
