// Completions: commands, options, the words an option takes, and files of the right kind.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "manual.hpp"

namespace aleator::manual {
namespace {

using app::OptionFacts;

bool takes_value(const OptionFacts& o) { return !o.positional() && !o.type.empty(); }

std::vector<std::string> names_if(const CommandManual& c, bool (*wanted)(const OptionFacts&)) {
  std::vector<std::string> names;
  for (const OptionFacts& o : c.options)
    if (wanted(o))
      for (const std::string& n : names_of(o)) names.push_back(n);
  return names;
}

// --- bash ---

// A line that fills COMPREPLY.
std::string bash_action(Value value, const OptionFacts& o) {
  switch (value) {
    case Value::words:
      return fmt::format("_aleator_words '{}'", fmt::join(o.choices, " "));
    case Value::model:
      return "_aleator_files '*.yaml'";
    case Value::results:
      return "_aleator_files '*.h5'";
    case Value::model_or_results:
      return "_aleator_files '*.yaml' '*.h5'";
    case Value::folder:
      return "_aleator_files";
    case Value::file:
      return "_aleator_files '*'";
    case Value::nothing:
      break;
  }
  return ":";
}

std::string bash_command(const CommandManual& c) {
  const auto any = [](const OptionFacts& o) { return !o.positional(); };
  std::string text = fmt::format("    {})\n      options='{}'\n      valued=' {} '\n", c.entry.name,
                                 fmt::join(names_if(c, any), " "), fmt::join(names_if(c, takes_value), " "));
  std::vector<std::string> positionals;
  bool repeated = false;
  for (const OptionFacts& o : c.options) {
    if (!o.positional()) continue;
    positionals.push_back(fmt::format("\"{}\"", bash_action(value_of(c, o), o)));
    repeated = o.repeated;
  }
  return text +
         fmt::format("      positionals=({})\n      repeated={}\n      ;;\n", fmt::join(positionals, " "), repeated ? 1 : 0);
}

std::string bash_values(const CommandManual& c) {
  std::string text;
  for (const OptionFacts& o : c.options) {
    const std::string action = bash_action(value_of(c, o), o);
    if (!takes_value(o) || action == ":") continue;
    std::string names;
    for (const std::string& n : names_of(o)) names += fmt::format("{}'{} {}'", names.empty() ? "" : " | ", c.entry.name, n);
    text += fmt::format("    {}) {} ;;\n", names, action);
  }
  return text;
}

// --- zsh ---

// For single quotes, and for the brackets of an explanation.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char ch : text) {
    if (ch == '\'')
      out += "'\\''";
    else if (ch == '[' || ch == ']' || ch == ':' || ch == '\\')
      out += std::string("\\") + ch;
    else
      out += ch;
  }
  return out;
}

std::string zsh_action(Value value, const OptionFacts& o) {
  switch (value) {
    case Value::words:
      return fmt::format("({})", fmt::join(o.choices, " "));
    case Value::model:
      return "_files -g \"*.yaml(-.)\"";
    case Value::results:
      return "_files -g \"*.h5(-.)\"";
    case Value::model_or_results:
      return "_files -g \"*.(yaml|h5)(-.)\"";
    case Value::folder:
      return "_files -/";
    case Value::file:
      return "_files";
    case Value::nothing:
      break;
  }
  return " ";
}

std::string zsh_option(const CommandManual& c, const OptionFacts& o) {
  const std::string action = zsh_action(value_of(c, o), o);
  if (o.positional()) return fmt::format("'{}:{}:{}'", o.repeated ? "*" : o.required ? "" : ":", zsh_text(o.names), action);
  const std::vector<std::string> names = names_of(o);
  const std::string value = takes_value(o) ? fmt::format(":{}:{}", zsh_text(o.type), action) : "";
  const std::string all = names.size() == 1 ? names[0] : fmt::format("{{{}}}", fmt::join(names, ","));
  const std::string before = o.repeated ? "'*'" : names.size() == 1 ? "" : fmt::format("'({})'", fmt::join(names, " "));
  return fmt::format("{}{}'[{}]{}'", before, all, zsh_text(o.help), value);
}

}  // namespace

std::string bash_completion(const std::vector<CommandManual>& commands) {
  std::vector<std::string> names;
  std::string options, values;
  for (const CommandManual& c : commands) {
    names.emplace_back(c.entry.name);
    options += bash_command(c);
    values += bash_values(c);
  }
  return fmt::format(R"(# Completion of aleator for bash: source this file. Written by aleator_manual from the table of commands.

_aleator_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }}

# Folders, and files that match one of the patterns.
_aleator_files() {{
  local pattern
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(
    compgen -d -- "$cur"
    for pattern; do compgen -f -X "!$pattern" -- "$cur" | while IFS= read -r file; do [[ -d $file ]] || echo "$file"; done; done
  )
}}

_aleator() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
  local options valued repeated position=0 i
  local -a positionals
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _aleator_words '{} -h --help --version'
    return
  fi
  case $command in
{}    *) return ;;
  esac
  if [[ $valued == *" $previous "* ]]; then
    case "$command $previous" in
{}    esac
    return
  fi
  if [[ $cur == -* ]]; then
    _aleator_words "$options"
    return
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in
      -*) [[ $valued == *" ${{COMP_WORDS[i]}} "* ]] && ((++i)) ;;
      *) ((++position)) ;;
    esac
  done
  ((repeated && position >= ${{#positionals[@]}})) && position=$((${{#positionals[@]}} - 1))
  ((position < ${{#positionals[@]}})) && eval "${{positionals[position]}}"
  return 0
}}

complete -F _aleator aleator ./aleator
)",
                     fmt::join(names, " "), options, values);
}

std::string zsh_completion(const std::vector<CommandManual>& commands) {
  std::string list, cases;
  for (const CommandManual& c : commands) {
    list += fmt::format("    '{}:{}'\n", c.entry.name, zsh_text(c.entry.help));
    cases += fmt::format("        {})\n          _arguments -s", c.entry.name);
    for (const OptionFacts& o : c.options) cases += fmt::format(" \\\n            {}", zsh_option(c, o));
    cases += "\n          ;;\n";
  }
  return fmt::format(R"(#compdef aleator
# Completion of aleator for zsh: a folder of $fpath holds it as _aleator. Written by aleator_manual from the table of commands.

_aleator() {{
  local curcontext=$curcontext state line
  local -a commands
  commands=(
{}  )
  _arguments -C '(- *)'{{-h,--help}}'[Print the help]' '(- *)--version[Print the version]' '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      curcontext=${{curcontext%:*:*}}:aleator-$words[1]:
      case $words[1] in
{}      esac
      ;;
  esac
}}

_aleator "$@"
)",
                     list, cases);
}

}  // namespace aleator::manual
