// aleator plot RESULTS OUTPUT…: figures of results, as SVG or as a preview in the terminal.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "api/figures.hpp"
#include "base/atomic_file.hpp"
#include "cli/arguments.hpp"
#include "report/labels.hpp"
#include "report/svg_figure.hpp"
#include "report/terminal_figure.hpp"
#include "results/read.hpp"

namespace aleator::app {
namespace {

using namespace core;

struct PlotArguments {
  std::string file, svg, title, labels;
  bool titled = false;  // by `title`, which may be empty
  std::vector<std::string> with;
  FigureRequest figure;
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

void check_combination(const PlotArguments& o) {
  const auto only = [&](bool used, const char* option, std::initializer_list<const char*> kinds) {
    if (used && std::find(kinds.begin(), kinds.end(), o.figure.what) == kinds.end())
      throw UsageError(option, fmt::format("has no meaning with --what {}", o.figure.what));
  };
  only(!o.with.empty(), "--with", {"response", "distribution", "convergence", "spectrum"});
  only(!std::isnan(o.figure.at), "--at", {"distribution"});
  only(o.figure.view.realizations > 0, "--realizations", {"response"});
  only(o.figure.view.side_by_side, "--side-by-side", {"response"});
  only(std::isfinite(o.figure.view.from), "--from", {"response", "sensitivity", "correlations", "measured"});
  only(std::isfinite(o.figure.view.to), "--to", {"response", "sensitivity", "correlations", "measured"});
  if (!(o.figure.view.from < o.figure.view.to)) throw UsageError("--to", "must be later than --from");
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
  report::Figure figure = figure_of(o.figure, sources, [](std::string_view note) { say(stderr, "note: {}\n", note); });
  if (!o.figure.view.side_by_side) figure.columns = std::min(o.columns, int(figure.panels.size()));
  if (o.titled) figure.title = o.title;
  std::string text;
  if (o.svg.empty()) {
    const int width = std::max(40, terminal_width(stdout));
    text = report::terminal_text(figure, {.width = width, .colour = has_colours(stdout), .ascii = o.ascii});
  } else {
    const double least = report::least_height(figure, o.picture);
    if (o.picture.height > 0 && o.picture.height < least)
      throw UsageError("--height", fmt::format("these panels need at least {:.0f}", std::ceil(least)));
    text = report::svg_text(figure, o.picture);
  }
  write_file(o.svg.empty() ? "-" : o.svg, text);
  return exit_code::done;
}

}  // namespace

void add_plot(Command& c) {
  auto o = std::make_shared<PlotArguments>();
  c.option("RESULTS", o->file, "results.h5 of a study, nominal.h5 of a simulation, or a folder").required();
  c.option("OUTPUT", o->figure.names, "Outputs to show, default all; of a distribution also scalars, of profiles parameters");
  c.option("--what", o->figure.what, "Which figure (default response)")
      .one_of({"response", "distribution", "sensitivity", "correlations", "convergence", "spectrum", "profile", "measured"})
      .type("FIGURE");
  c.option("-o,--svg", o->svg, "Write the figure as SVG; - prints it").type("FILE");
  c.option("--at", o->figure.at, "distribution: at this time in s; default the time of its largest scatter").type("T");
  c.option("--from", o->figure.view.from, "Show from this time on, in s").type("T");
  c.option("--to", o->figure.view.to, "Show up to this time, in s").type("T");
  c.option("--realizations", o->figure.view.realizations, "response: also the first N realizations one by one")
      .whole(1, 1000)
      .type("N");
  c.option("--with", o->with, "Further results to show with these; may be repeated").type("RESULTS").each();
  c.option("--names", o->labels, "Names of the results, separated by commas; default their folders").type("A,B");
  c.flag("--side-by-side", o->figure.view.side_by_side, "response: results in columns instead of over each other");
  c.option("--columns", o->columns, "Panels in so many columns").whole(1, 6).type("N");
  c.option(
       "--title", [o](const std::string& text) { o->title = text, o->titled = true; }, "Instead of the title of the model")
      .type("TEXT");
  c.option("--width", o->picture.width, "Of the SVG in px; default 800").real(240, 10000).type("PX");
  c.option("--height", o->picture.height, "Of the SVG in px; default as the panels need").real(100, 10000).type("PX");
  c.flag("--dark", o->picture.dark, "SVG on a dark background");
  c.flag("--ascii", o->ascii, "Preview without characters beyond ASCII");
  add_trust(c);
  c.run([o] { return plot_command(*o); });
}

}  // namespace aleator::app
