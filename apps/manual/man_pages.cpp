// Man pages in the macros of man(7).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>

#include "manual.hpp"
#include "results/version.hpp"

namespace aleator::manual {
namespace {

struct Entry {
  const char *term, *words;
};

constexpr Entry exit_codes[] = {
    {"0", "done"},
    {"1", "compare: a difference is above the tolerance; identify: the model does not explain the measurements"},
    {"2", "wrong command line"},
    {"3", "the model, the data or the results are invalid"},
    {"4", "the simulation failed, or so many realizations that there are no results"},
    {"5", "the study is finished, but some realizations failed"},
    {"6", "results could not be written, or the folder contains an unfinished run"},
    {"130", "interrupted; finished work is saved"},
};

constexpr Entry files[] = {
    {"out/NAME/results.h5", "results of a study (HDF5); partial.h5 while it is not complete"},
    {"out/NAME/report.html", "its report, for any browser"},
    {"out/NAME/nominal.h5, nominal.csv", "the nominal motion, by simulate"},
};

constexpr Entry environment[] = {
    {"NO_COLOR", "not empty: no colours"},
    {"CLICOLOR_FORCE", "not empty: colours on pipes, too"},
    {"COLUMNS", "width of plots in the terminal and of the progress line"},
};

// Characters that are typed, not typographic ones; a point or an apostrophe does not begin a line.
std::string escaped(std::string_view text) {
  std::string out = !text.empty() && (text[0] == '.' || text[0] == '\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '`')
      out += "\\(ga";
    else
      out += c;
  }
  return out;
}

// With a capital letter, unless it begins with the name of a file or a command, and a full stop.
std::string sentence(std::string_view text) {
  std::string out(text);
  const std::string_view first = text.substr(0, text.find(' '));
  if (std::all_of(first.begin(), first.end(), [](unsigned char c) { return std::isalpha(c) || c == ','; }))
    out[0] = char(std::toupper(static_cast<unsigned char>(out[0])));
  return escaped(out) + (out.ends_with('.') || out.ends_with('?') ? "" : ".");
}

// `name` as written in .TH and NAME: aleator, aleator-run.
std::string begin(const std::string& name, const std::string& what) {
  std::string title = name;
  for (char& c : title) c = char(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(
      ".\\\" Written by aleator_manual from the table of commands.\n.TH {} 1 \"\" \"Aleator {}\" \"Aleator\"\n"
      ".SH NAME\n{} \\- {}\n",
      escaped(title), core::results::version(), escaped(name), escaped(what));
}

std::string section(const char* heading, std::span<const Entry> entries) {
  std::string text = fmt::format(".SH {}\n", heading);
  for (const Entry& e : entries) text += fmt::format(".TP\n.B {}\n{}\n", escaped(e.term), sentence(e.words));
  return text;
}

std::string see_also(const std::vector<std::string>& pages) {
  std::string text = ".SH SEE ALSO\n";
  for (const std::string& p : pages) text += fmt::format(".BR {} (1){}\n", escaped(p), &p == &pages.back() ? "" : ",");
  return text;
}

// "-o, --out DIR"
std::string option_term(const app::OptionFacts& o) {
  if (o.positional()) return fmt::format("\\fI{}\\fR{}", escaped(o.names), o.repeated ? " …" : "");
  std::string term;
  for (const std::string& name : names_of(o)) term += fmt::format("{}\\fB{}\\fR", term.empty() ? "" : ", ", escaped(name));
  return o.type.empty() ? term : fmt::format("{} \\fI{}\\fR", term, escaped(o.type));
}

std::string option_entry(const app::OptionFacts& o) {
  std::string text = fmt::format(".TP\n{}\n{}\n", option_term(o), sentence(o.help));
  if (!o.choices.empty()) {
    text += "One of";
    for (const std::string& c : o.choices) text += fmt::format("{} \\fB{}\\fR", &c == &o.choices.front() ? "" : ",", escaped(c));
    text += ".\n";
  }
  if (o.repeated && !o.positional()) text += "May be given several times.\n";
  return text;
}

std::string lower_first(std::string text) {
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
    text[0] = char(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

std::string examples(const app::CommandEntry& entry) {
  std::string text = ".SH EXAMPLES\n";
  for (const app::Example& e : entry.examples)
    text += fmt::format(".TP\n.B aleator {}\n{}\n", escaped(e.line), sentence(e.words));
  return text;
}

}  // namespace

std::string man_page(const std::vector<CommandManual>& commands) {
  std::string text = begin("aleator", "multibody dynamics in which the bodies themselves are uncertain");
  text +=
      ".SH SYNOPSIS\n.SY aleator\n.I COMMAND\n.RI [ OPTION ]…\n.YS\n.SY aleator\n.B \\-\\-help\n.YS\n.SY aleator\n"
      ".B \\-\\-version\n.YS\n";
  text +=
      ".SH DESCRIPTION\nA mechanism is described once, in a model file (YAML), together with what is not known exactly "
      "about it.\n.B aleator\ncomputes the distribution of its motion: mean, probability bands, probabilities that limits are "
      "exceeded, Sobol indices; from measurements it identifies the uncertainty that explains them.\n.PP\n"
      "Each command has a page of its own, and\n.B aleator\n.I COMMAND\n.B \\-h\nprints a short one.\n";
  text +=
      ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrint the help, with examples for each command.\n"
      ".TP\n.B \\-\\-version\nPrint the version.\n.SH COMMANDS\n";
  std::vector<std::string> pages;
  for (const CommandManual& c : commands) {
    text += fmt::format(".TP\n.BR aleator\\-{} (1)\n{}\n", c.entry.name, sentence(c.entry.help));
    pages.push_back(std::string("aleator-") + c.entry.name);
  }
  text +=
      ".SH EXAMPLES\n.TP\n.B aleator run examples/five\\-body.yaml\nThe study of the model, into out/five\\-body.\n"
      ".TP\n.B aleator report out/five\\-body\nIts report, for any browser.\n";
  return text + section("EXIT STATUS", exit_codes) + section("ENVIRONMENT", environment) + section("FILES", files) +
         see_also(pages);
}

std::string man_page(const CommandManual& c) {
  const std::string name = std::string("aleator-") + c.entry.name;
  std::string text = begin(name, lower_first(c.entry.help));
  text += fmt::format(".SH SYNOPSIS\n.SY aleator\\ {}\n.RI [ OPTION ]…\n", c.entry.name);
  for (const app::OptionFacts& o : c.options)
    if (o.positional())
      text += (o.required ? ".I " + escaped(o.names) : ".RI [ " + escaped(o.names) + " ]") + (o.repeated ? "…\n" : "\n");
  text += fmt::format(".YS\n.SH DESCRIPTION\n{}\n.SH OPTIONS\n", sentence(c.entry.help));
  for (const app::OptionFacts& o : c.options) text += option_entry(o);
  return text + examples(c.entry) + section("EXIT STATUS", exit_codes) + section("FILES", files) + see_also({"aleator"});
}

}  // namespace aleator::manual
