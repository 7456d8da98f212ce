#include "api/figures.hpp"

#include <fmt/format.h>

#include "analysis/density.hpp"
#include "input/error.hpp"
#include "results/read.hpp"

namespace aleator::core {
namespace {

constexpr size_t most_panels = 6;  // when nobody said which

// Those of all that were asked for; `v` means v.x, v.y, v.z.
std::vector<std::string> choose(const results::StudyReader& r, const std::vector<std::string>& asked,
                                const std::vector<std::string>& all, const char* kind = "output") {
  if (asked.empty()) return all;
  std::vector<std::string> chosen;
  for (const std::string& name : asked) {
    const size_t before = chosen.size();
    for (const std::string& one : all)
      if (one == name || (one.starts_with(name + ".") && one.size() == name.size() + 2)) chosen.push_back(one);
    if (chosen.size() == before)
      throw ReadError(r.path(), fmt::format("it has no {} '{}'{}", kind, name, input::suggestion(name, all)));
  }
  return chosen;
}

// The outputs, and scalars where they can be shown, that were asked for.
std::vector<std::string> choose_outputs(const results::StudyReader& r, const std::vector<std::string>& asked, bool scalars) {
  std::vector<std::string> all = r.outputs();
  if (scalars && !asked.empty())
    for (const std::string& s : r.scalars()) all.push_back(s);
  return choose(r, asked, all);
}

// Those to show when nobody said which.
std::vector<std::string> some_of(const FigureRequest& o, const std::vector<report::Source>& sources,
                                 std::vector<std::string> names, const FigureNote& note) {
  if (names.empty()) throw ReadError(sources[0].file->path(), "it has no outputs");
  if (o.what == "distribution") names = report::scattering(sources, names, o.at);
  const size_t outputs = sources[0].file->outputs().size();
  if (names.size() < outputs && names.size() <= most_panels)
    note(fmt::format("{} of {} outputs; the others do not scatter", names.size(), outputs));
  if (names.size() <= most_panels) return names;
  note(fmt::format("the first {} of {} outputs; name those you want to see", most_panels, names.size()));
  return {names.begin(), names.begin() + most_panels};
}

report::Density density_of(const std::vector<double>& sample) {
  analysis::Density d = analysis::density_of(sample);
  return {std::move(d.values), std::move(d.density)};
}

}  // namespace

report::Figure figure_of(const FigureRequest& o, const std::vector<report::Source>& sources, const FigureNote& note) {
  const results::StudyReader& r = *sources[0].file;
  if (o.what == "profile") return report::profile_figure(sources[0], choose(r, o.names, report::with_profiles(r), "parameter"));
  if (o.what == "measured")
    return report::measured_figure(sources[0], choose(r, o.names, report::measured_outputs(r), "measured output"), o.view);
  if (o.what != "response" && !r.is_study())
    throw ReadError(r.path(), fmt::format("it is one motion and has no {}; compute a study with aleator run", o.what));
  if (o.what == "spectrum") {
    if (r.spectra().empty())
      throw ReadError(
          r.path(),
          "it has no spectra; give outputs of the model the key 'spectrum', as in 'spectrum: {from: 2}', and run it again");
    return report::spectrum_figure(sources, choose(r, o.names, r.spectra(), "spectrum of"));
  }
  std::vector<std::string> names = choose_outputs(r, o.names, o.what == "distribution");
  for (size_t k = 1; k < sources.size(); ++k) choose_outputs(*sources[k].file, names, o.what == "distribution");
  if (o.names.empty()) names = some_of(o, sources, names, note);
  if (o.what == "distribution") {
    report::Figure f = report::distribution_figure(sources, names, o.at, density_of);
    if (std::isnan(o.at))
      for (const report::Panel& p : f.panels)
        if (p.heading != p.x.name) note(p.heading);  // a scalar has no time
    return f;
  }
  if (o.what == "sensitivity") return report::shares_figure(sources[0], names, o.view);
  if (o.what == "correlations") return report::correlations_figure(sources[0], names, o.view);
  if (o.what == "convergence") return report::convergence_figure(sources, names);
  return report::response_figure(sources, names, o.view);
}

}  // namespace aleator::core
