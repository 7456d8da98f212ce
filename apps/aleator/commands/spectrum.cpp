// aleator spectrum MODEL: what processes do to a linear model, without sampling.
#include <filesystem>

#include "api/spectrum.hpp"
#include "base/atomic_file.hpp"
#include "cli/arguments.hpp"
#include "report/svg_figure.hpp"

namespace aleator::app {
namespace {

struct SpectrumArguments {
  ModelArguments model;
  std::string about = "equilibrium", out, compare;
  core::LinearSpectrumRequest request;
};

int spectrum_command(SpectrumArguments& o) {
  if (o.request.from > 0 && o.request.to > 0 && !(o.request.from < o.request.to))
    throw UsageError("--to", "must be above --from");
  o.request.about_equilibrium = o.about == "equilibrium";
  const Model model = o.model.load();
  const std::string folder = o.out.empty() ? "out/" + stem(o.model.file) : o.out;
  const core::LinearSpectrum found = core::spectrum_of(model, o.request);
  std::optional<core::SampledSpectrum> sampled;
  if (!o.compare.empty())
    sampled = core::sampled_spectrum(found, o.compare);
  else if (const std::string there = folder + "/results.h5"; std::filesystem::exists(there) && core::results_of(there, model))
    sampled = core::sampled_spectrum(found, there);
  say("{}", core::spectrum_text(found, sampled));
  core::create_folder(folder);
  core::write_file(folder + "/spectrum.csv", core::spectrum_csv(found));
  const core::report::Figure figure = core::linear_spectrum_figure(found);
  if (!figure.panels.empty()) core::write_file(folder + "/spectrum.svg", core::report::svg_text(figure, {}));
  tell("\nwrote {}",
       figure.panels.empty() ? folder + "/spectrum.csv" : fmt::format("{0}/spectrum.csv and {0}/spectrum.svg", folder));
  return exit_code::done;
}

}  // namespace

void add_spectrum(Command& c) {
  auto o = std::make_shared<SpectrumArguments>();
  o->model.add_to(c);
  c.option("--about", o->about, "Linearise about the equilibrium or the start")
      .one_of({"start", "equilibrium"})
      .show_default()
      .type("WHERE");
  c.option("-o,--out", o->out, "Folder for spectrum.csv and spectrum.svg (default out/NAME)").type("DIR");
  c.option("--compare", o->compare, "Results of a study to compare with (default those of this model in the folder)")
      .type("RESULTS");
  c.option("--from", o->request.from, "Lowest frequency in Hz").real(1e-9, 1e12).type("F");
  c.option("--to", o->request.to, "Highest frequency in Hz").real(1e-9, 1e12).type("F");
  c.option("--points", o->request.points, "How many frequencies, resonances besides").whole(2, 100000).show_default().type("N");
  add_trust(c);
  c.run([o] { return spectrum_command(*o); });
}

}  // namespace aleator::app
