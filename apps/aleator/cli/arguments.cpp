#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>

#include "commands.hpp"
#include "inference/identification_file.hpp"
#include "model/language.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::app {

void add_allow_files(CLI::App& command, std::vector<std::string>& folders) {
  command.add_option("--allow-files", folders, "Let the model refer to files in this folder too, not only in its own")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory)
      ->take_all()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void ModelArguments::add_to(CLI::App& command) {
  command.add_option("MODEL", file, "Model file (YAML)")->required();
  command
      .add_option("--set", settings,
                  "Replace a number: a parameter, BODY.mass, BODY.center_of_mass.x, BODY.inertia.xx, BEAM.E, a variable of a "
                  "random field (BEAM.E.xi1), or a number of a law (BODY.mass.cov, PARAMETER.std)")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_allow_files(command, allowed);
}

std::vector<Override> ModelArguments::overrides() const { return read_settings(settings); }

std::vector<Override> read_settings(const std::vector<std::string>& settings) {
  std::vector<Override> out;
  for (const std::string& s : settings) {
    const size_t equals = s.find('=');
    const std::string value = equals == std::string::npos ? "" : s.substr(equals + 1);
    char* end = nullptr;
    const double x = std::strtod(value.c_str(), &end);
    if (equals == 0 || value.empty() || *end != 0 || !std::isfinite(x))
      throw CLI::ValidationError("--set", fmt::format("expects NAME=VALUE with a finite number, found '{}'", s));
    out.push_back({s.substr(0, equals), x});
  }
  return out;
}

static bool is_study_of_identification(const std::string& file) {
  try {
    inference::read_identification_file(file);
    return true;
  } catch (const input::InputError&) {
    return false;
  }
}

static input::Description read_model(const std::string& file, const std::vector<std::string>& allowed) {
  try {
    return input::read_file(file, language(), allowed);
  } catch (const input::InputError&) {
    if (!is_study_of_identification(file)) throw;
    throw input::InputError({1, 1}, "this is a study of identification, no model: `aleator identify` reads it").in_file(file);
  }
}

Model ModelArguments::load() const {
  return compile(sources ? input::read_text(sources->text, file, language(), {}, &sources->files) : read_model(file, allowed));
}

Model ModelArguments::compile(input::Description description) const {
  const std::vector<Override> all = overrides();
  const SplitSettings split = split_settings(description, all);
  Model model = make_model(std::move(description), split.model);
  if (!split.field.empty()) model.nominal = realize(model, RandomModel(model, all).nominal_overrides());
  return model;
}

CLI::Validator whole_number(long long least, long long most) {
  return CLI::Validator(
      [=](const std::string& text) -> std::string {
        long long x = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
        if (error == std::errc{} && end == text.data() + text.size() && x >= least && x <= most) return "";
        return fmt::format("expects a whole number from {} to {}, found '{}'", least, most, text);
      },
      "");
}

CLI::Validator real_number(double least, double most) {
  return CLI::Validator(
      [=](const std::string& text) -> std::string {
        char* end = nullptr;
        const double x = std::strtod(text.c_str(), &end);
        if (!text.empty() && *end == 0 && x >= least && x <= most) return "";
        return fmt::format("expects a number from {:g} to {:g}, found '{}'", least, most, text);
      },
      "");
}

std::string stem(const std::string& file) { return std::filesystem::path(file).stem().string(); }

std::string number(double x) { return fmt::format("{:.4g}", x); }

}  // namespace aleator::core::app
