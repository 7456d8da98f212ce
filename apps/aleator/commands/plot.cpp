// aleator plot RESULTS OUTPUT…: figures of results, as SVG or as a preview in the terminal.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "analysis/density.hpp"
#include "base/atomic_file.hpp"
#include "cli/arguments.hpp"
#include "input/error.hpp"
#include "report/labels.hpp"
#include "report/study_figures.hpp"
#include "report/svg_figure.hpp"
#include "report/terminal_figure.hpp"
#include "results/read.hpp"

namespace aleator::app {
namespace {

using namespace core;

constexpr size_t most_panels = 6;  // when nobody said which

struct PlotArguments {
  std::string file, what = "response", svg, title, labels;
  bool titled = false;  // by `title`, which may be empty
  std::vector<std::string> names, with;
  double at = std::nan("");
  report::View view;
  report::SvgOptions picture;
  int columns = 1;
  bool ascii = false;
};

using Reader = results::StudyReader;

std::vector<std::string> names_of(const PlotArguments& o, const std::vector<std::string>& files) {
  if (o.labels.empty()) return report::labels_of(files);
  std::vector<std::string> given;
  std::istringstream list(o.labels);
  for (std::string name; std::getline(list, name, ',');) given.push_back(name);
  if (given.size() != files.size())
    throw UsageError("--names",
                               fmt::format("needs as many names as there are results, {}, found {}", files.size(), given.size()));
  return given;
}

// Those of all that were asked for; `v` means v.x, v.y, v.z.
std::vector<std::string> choose(const Reader& r, const std::vector<std::string>& asked, const std::vector<std::string>& all,
                                const char* kind = "output") {
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
std::vector<std::string> choose_outputs(const Reader& r, const std::vector<std::string>& asked, bool scalars) {
  std::vector<std::string> all = r.outputs();
  if (scalars && !asked.empty())
    for (const std::string& s : r.scalars()) all.push_back(s);
  return choose(r, asked, all);
}

// Those to show when nobody said which.
std::vector<std::string> some_of(const PlotArguments& o, const std::vector<report::Source>& sources,
                                 std::vector<std::string> names) {
  if (names.empty()) throw ReadError(sources[0].file->path(), "it has no outputs");
  if (o.what == "distribution") names = report::scattering(sources, names, o.at);
  const size_t outputs = sources[0].file->outputs().size();
  if (names.size() < outputs && names.size() <= most_panels)
    fmt::print(stderr, "note: {} of {} outputs; the others do not scatter\n", names.size(), outputs);
  if (names.size() <= most_panels) return names;
  fmt::print(stderr, "note: the first {} of {} outputs; name those you want to see\n", most_panels, names.size());
  return {names.begin(), names.begin() + most_panels};
}

report::Density density_of(const std::vector<double>& sample) {
  analysis::Density d = analysis::density_of(sample);
  return {std::move(d.values), std::move(d.density)};
}

void check_combination(const PlotArguments& o) {
  const auto only = [&](bool used, const char* option, std::initializer_list<const char*> kinds) {
    if (used && std::find(kinds.begin(), kinds.end(), o.what) == kinds.end())
      throw UsageError(option, fmt::format("has no meaning with --what {}", o.what));
  };
  only(!o.with.empty(), "--with", {"response", "distribution", "convergence"});
  only(!std::isnan(o.at), "--at", {"distribution"});
  only(o.view.realizations > 0, "--realizations", {"response"});
  only(o.view.side_by_side, "--side-by-side", {"response"});
  only(std::isfinite(o.view.from), "--from", {"response", "sobol", "correlations", "measured"});
  only(std::isfinite(o.view.to), "--to", {"response", "sobol", "correlations", "measured"});
  if (!(o.view.from < o.view.to)) throw UsageError("--to", "must be later than --from");
}

report::Figure figure_of(const PlotArguments& o, const std::vector<report::Source>& sources) {
  const Reader& r = *sources[0].file;
  if (o.what == "profile") return report::profile_figure(sources[0], choose(r, o.names, report::with_profiles(r), "parameter"));
  if (o.what == "measured")
    return report::measured_figure(sources[0], choose(r, o.names, report::measured_outputs(r), "measured output"), o.view);
  if (o.what != "response" && !r.is_study())
    throw ReadError(r.path(), fmt::format("it is one motion and has no {}; compute a study with aleator run", o.what));
  std::vector<std::string> names = choose_outputs(r, o.names, o.what == "distribution");
  for (size_t k = 1; k < sources.size(); ++k) choose_outputs(*sources[k].file, names, o.what == "distribution");
  if (o.names.empty()) names = some_of(o, sources, names);
  if (o.what == "distribution") {
    report::Figure f = report::distribution_figure(sources, names, o.at, density_of);
    if (std::isnan(o.at))
      for (const report::Panel& p : f.panels)
        if (p.heading != p.x.name) fmt::print(stderr, "note: {}\n", p.heading);  // a scalar has no time
    return f;
  }
  if (o.what == "sobol") return report::shares_figure(sources[0], names, o.view);
  if (o.what == "correlations") return report::correlations_figure(sources[0], names, o.view);
  if (o.what == "convergence") return report::convergence_figure(sources, names);
  return report::response_figure(sources, names, o.view);
}

int terminal_width() {
  winsize size{};
  if (const char* columns = std::getenv("COLUMNS"); columns && std::atoi(columns) > 0)
    return std::clamp(std::atoi(columns), 40, 400);
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return std::clamp(int(size.ws_col), 40, 400);
  return 80;
}

int plot_command(const PlotArguments& o) {
  check_combination(o);
  std::vector<std::unique_ptr<Reader>> files;
  std::vector<std::string> paths;
  for (size_t k = 0; k <= o.with.size(); ++k) {
    files.push_back(std::make_unique<Reader>(k == 0 ? o.file : o.with[k - 1], Reader::Accept::any));
    paths.push_back(files.back()->path());
  }
  const std::vector<std::string> names = names_of(o, paths);
  std::vector<report::Source> sources;
  for (size_t k = 0; k < files.size(); ++k) sources.push_back({files[k].get(), names[k]});
  report::Figure figure = figure_of(o, sources);
  if (!o.view.side_by_side) figure.columns = std::min(o.columns, int(figure.panels.size()));
  if (o.titled) figure.title = o.title;
  std::string text;
  if (o.svg.empty()) {
    const char* plain = std::getenv("NO_COLOR");
    const bool colour = isatty(STDOUT_FILENO) && !(plain && *plain);
    text = report::terminal_text(figure, {.width = terminal_width(), .colour = colour, .ascii = o.ascii});
  } else {
    const double least = report::least_height(figure, o.picture);
    if (o.picture.height > 0 && o.picture.height < least)
      throw UsageError("--height", fmt::format("these panels need at least {:.0f}", std::ceil(least)));
    text = report::svg_text(figure, o.picture);
  }
  AtomicFile out(o.svg.empty() ? "-" : o.svg);
  out.write(text);
  out.commit();
  return exit_code::done;
}

}  // namespace

void add_plot(Command& c) {
  auto o = std::make_shared<PlotArguments>();
  c.option("RESULTS", o->file, "results.h5 of a study, nominal.h5 of a simulation, or a folder").required();
  c.option("OUTPUT", o->names, "Outputs to show, default all; of a distribution also scalars, of profiles parameters");
  c.option("--what", o->what, "response (default), distribution, sobol, correlations, convergence, profile or measured")
      .one_of({"response", "distribution", "sobol", "correlations", "convergence", "profile", "measured"})
      .type("FIGURE");
  c.option("--svg", o->svg, "Write the figure as SVG; - prints it").type("FILE");
  c.option("--at", o->at, "distribution: at this time in s; default the time of its largest scatter").type("T");
  c.option("--from", o->view.from, "Show from this time on, in s").type("T");
  c.option("--to", o->view.to, "Show up to this time, in s").type("T");
  c.option("--realizations", o->view.realizations, "response: also the first N realizations one by one")
      .whole(1, 1000)
      .type("N");
  c.option("--with", o->with, "Further results to show with these; may be repeated")
      .type("RESULTS")
      .each();
  c.option("--names", o->labels, "Names of the results, separated by commas; default their folders").type("A,B");
  c.flag("--side-by-side", o->view.side_by_side, "response: results in columns instead of over each other");
  c.option("--columns", o->columns, "Panels in so many columns").whole(1, 6).type("N");
  c.option("--title", [o](const std::string& text) { o->title = text, o->titled = true; }, "Instead of the title of the model")
      .type("TEXT");
  c.option("--width", o->picture.width, "Of the SVG in px; default 800").real(240, 10000).type("PX");
  c.option("--height", o->picture.height, "Of the SVG in px; default as the panels need")
      .real(100, 10000)
      .type("PX");
  c.flag("--dark", o->picture.dark, "SVG on a dark background");
  c.flag("--ascii", o->ascii, "Preview without characters beyond ASCII");
  add_trust(c);
  c.run([o] { return plot_command(*o); });
}

}  // namespace aleator::app
