#include "cli/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "cli/colour.hpp"
#include "commands/commands.hpp"
#include "input/command_words.hpp"
#include "results/version.hpp"

namespace aleator::app {

// --- options ---

Option& Option::type(const std::string& name) { return facts_->type = name, option_->type_name(name), *this; }
Option& Option::required() { return facts_->required = true, option_->required(), *this; }
Option& Option::one_of(const std::vector<std::string>& words) {
  const auto wrong = [words](const std::string& text) { return core::input::wrong_choice(text, words); };
  option_->check(CLI::Validator(wrong, fmt::format("{{{}}}", fmt::join(words, ","))));
  return facts_->choices = words, *this;
}
Option& Option::show_default() { return option_->capture_default_str(), *this; }
Option& Option::folder() { return option_->check(CLI::ExistingDirectory.description("")), *this; }
Option& Option::each() {
  facts_->repeated = true;
  option_->take_all()->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  return *this;
}
Option& Option::list(char separator) { return option_->delimiter(separator), *this; }
Option& Option::needs(const Option& other) { return option_->needs(other.option_), *this; }
Option& Option::excludes(const Option& other) { return option_->excludes(other.option_), *this; }
Option& Option::check(const std::function<std::string(const std::string&)>& wrong) {
  option_->check(CLI::Validator([wrong](const std::string& text) { return wrong(text); }, ""));
  return *this;
}

Option& Option::whole(long long least, long long most) {
  option_->transform(CLI::Validator([=](std::string& text) { return core::input::wrong_whole(text, least, most); }, ""));
  return *this;
}

Option& Option::real(double least, double most) {
  return check([=](const std::string& text) { return core::input::wrong_real(text, least, most); });
}

// --- commands ---

Option Command::added(CLI::Option* option, const std::string& names, const std::string& help) {
  return {option, options_.emplace_back(OptionFacts{names, help, ""})};
}
template <class T>
Option Command::option(const std::string& names, T& to, const std::string& help) {
  Option o = added(app_.add_option(names, to, help), names, help);
  options_.back().repeated = std::is_same_v<T, std::vector<std::string>>;
  return o;
}
template Option Command::option(const std::string&, std::string&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::option(const std::string&, int&, const std::string&);
template Option Command::option(const std::string&, long&, const std::string&);
template Option Command::option(const std::string&, long long&, const std::string&);
template Option Command::option(const std::string&, double&, const std::string&);
Option Command::option(const std::string& names, const std::function<void(const std::string&)>& take, const std::string& help) {
  return added(app_.add_option_function<std::string>(names, take, help), names, help);
}
Option Command::flag(const std::string& names, bool& to, const std::string& help) {
  return added(app_.add_flag(names, to, help), names, help);
}
Option Command::flag(const std::string& names, std::function<void()> take, const std::string& help) {
  return added(app_.add_flag_callback(names, std::move(take), help), names, help);
}

bool Command::has(const std::string& name) const {
  return std::any_of(options_.begin(), options_.end(), [&](const OptionFacts& o) { return o.names == name; });
}

void Command::run(std::function<int()> action) {
  app_.callback([this_action = std::move(action), &chosen = chosen_] { chosen = this_action; });
}

// --- the line ---

namespace {

// "there is no command 'simulat' (did you mean 'simulate'?)"
std::string unknown_command(const std::string& word) {
  std::vector<std::string> known;
  for (const CommandEntry& c : commands()) known.emplace_back(c.name);
  return word.starts_with('-') ? "" : core::input::unknown_command(word, known);
}

}  // namespace

std::unique_ptr<const ParsedLine> parse_command_line(const std::vector<std::string>& words) {
  auto parsed = std::make_unique<ParsedLine>();
  CLI::App app("Multibody dynamics in which the bodies themselves are uncertain.", "aleator");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer("'aleator COMMAND -h' describes a command, with examples.");
  const std::string version = fmt::format("aleator {} ({})", core::results::version(), core::results::commit());
  app.set_version_flag("--version", version);
  for (const CommandEntry& entry : commands()) {
    CLI::App* const c = app.add_subcommand(entry.name, entry.help);
    c->set_version_flag("--version", version);
    std::string examples = "Examples:";
    for (const Example& e : entry.examples) examples += fmt::format("\n  aleator {}\n      {}", e.line, e.words);
    c->footer(examples);
    parsed->commands.push_back(std::make_shared<Command>(*c, parsed->run, fmt::format("aleator {}", fmt::join(words, " "))));
    entry.add(*parsed->commands.back());
    if (!words.empty() && words[0] == entry.name && parsed->commands.back()->has("--json") &&
        std::find(words.begin(), words.end(), "--json") != words.end())
      parsed->json_of = entry.name;
  }
  if (words.empty()) return std::cout << app.help(), std::move(parsed);
  const auto refuse = [&](const std::string& why) {
    parsed->code = reported([&]() -> int { throw UsageError(why); }, parsed->json_of);
    say(stderr, "Try 'aleator {}--help'.\n", app.get_subcommands().empty() ? "" : app.get_subcommands()[0]->get_name() + " ");
    parsed->run = nullptr;
  };
  const auto why = [&](const CLI::ParseError& e) -> std::string {
    if (const std::string unknown = unknown_command(words[0]); !unknown.empty()) return unknown;
    std::vector<std::string> names;
    for (size_t i = 0; i < parsed->commands.size(); ++i)
      if (words[0] == commands()[i].name)
        for (const OptionFacts& o : parsed->commands[i]->options()) names.push_back(o.names);
    const std::string unknown =
        e.get_exit_code() == int(CLI::ExitCodes::ExtrasError) ? core::input::unknown_option(words, names) : "";
    return unknown.empty() ? e.what() : unknown;
  };
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0)
      parsed->code = app.exit(e);  // --help, --version
    else
      refuse(why(e));
  } catch (const UsageError& e) {
    refuse(e.what());
  }
  return parsed;
}

std::vector<std::deque<OptionFacts>> options_of_commands() {
  std::vector<std::deque<OptionFacts>> all;
  CLI::App app;
  std::function<int()> none;
  for (const CommandEntry& entry : commands()) {
    Command command(*app.add_subcommand(entry.name), none, "");
    entry.add(command);
    all.push_back(command.options());
  }
  return all;
}

int run_command_line(const std::vector<std::string>& words) {
  const std::unique_ptr<const ParsedLine> parsed = parse_command_line(words);
  const int code = parsed->run ? reported(parsed->run, parsed->json_of) : parsed->code;
  const int lost = reported([]() -> int { return print_raw(""), exit_code::done; });
  return code == exit_code::done ? lost : code;
}

}  // namespace aleator::app
