// What the fuzz targets feed bytes to, one function per target (fuzz/NAME.cpp). It returns, whether the bytes were right or an
// error of the input said why not; anything else is a finding. The ordinary tests replay the corpus through the same functions.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/json_reader.hpp"
#include "coupling/dakota.hpp"
#include "import/model_text.hpp"
#include "inference/measured_table.hpp"
#include "inference/read_measurements.hpp"
#include "input/compiler.hpp"
#include "input/csv.hpp"
#include "model/language.hpp"
#include "propagation/settings.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::fuzz {

// A model as `check` reads it: its description, the mechanism, the laws, the study.
inline void model(std::string_view bytes) {
  try {
    const Model m = make_model(input::draft_of_text(std::string(bytes), "model.yaml", language()));
    const RandomModel random(m);
    read_study(m);
  } catch (const input::InputError&) {
  }
}

// A robot description, URDF or MJCF; what is made of it is a model, whether right or wrong.
inline void robot(std::string_view bytes) {
  try {
    const importing::FileSource none{[](const std::string&) { return false; }, [](const std::string&) { return std::string(); }};
    importing::ImportOptions options;
    options.repair = true;
    const std::string text =
        importing::text_of(importing::model_of(importing::read_description("robot.xml", std::string(bytes), none, options),
                                               options, [](const std::string& f) { return f; }));
    make_model(input::draft_of_text(text, "model.yaml", language()));
  } catch (const input::InputError&) {
  }
}

// An expression of two parameters and the time.
inline void expression(std::string_view bytes) {
  try {
    input::Compiler compiler({"a", "length"});
    const input::Number number = compiler.number(bytes, {1, 1}, input::Compiler::Time::allowed);
    input::Description description;
    for (const char* name : {"a", "length"}) description.parameters.push_back({name, {.constant = 0.5}});
    description.expressions = compiler.finish();
    const input::Scope scope(description);
    for (const double t : {0.0, 0.3, 1e9}) scope(number, t);
  } catch (const input::ExpressionError&) {
  } catch (const input::InputError&) {
  }
}

// A study file of `aleator identify`.
inline void identification(std::string_view bytes) {
  try {
    inference::IdentificationStudy study = inference::read_identification_text(std::string(bytes), "study.yaml");
    for (const bool planar : {false, true}) inference::complete_ranges(study, planar, [](const std::string&) { return 2.0; });
  } catch (const input::InputError&) {
  }
}

// A CSV file, as the table of a function and as a measured specimen.
inline void table(std::string_view bytes) {
  try {
    input::parse_csv(std::string(bytes), "table.csv");
  } catch (const input::InputError&) {
  }
  const auto file = std::filesystem::temp_directory_path() / ("aleator-fuzz-" + std::to_string(getpid()) + ".csv");
  std::ofstream(file, std::ios::binary) << bytes;
  try {
    inference::IdentificationStudy study;
    study.method = inference::IdentificationStudy::Method::sweep;
    study.file = file.string();
    study.data.specimens = {file.string()};
    const std::string outputs[] = {"left", "accel_z", "tip.x"};
    inference::read_measurements(study, outputs, 10.0);
  } catch (const input::InputError&) {
  }
  std::filesystem::remove(file);
}

// What a client of `serve` sends.
inline void json(std::string_view bytes) {
  try {
    read_json(bytes);
  } catch (const JsonError&) {
  }
}

// A parameters file of Dakota.
inline void dakota(std::string_view bytes) {
  try {
    coupling::read_dakota_parameters(std::string(bytes), "params.in");
  } catch (const InputError&) {
  }
}

struct Target {
  const char* name;
  void (*run)(std::string_view bytes);
};
inline constexpr Target targets[] = {{"model", model},
                                     {"expression", expression},
                                     {"identification", identification},
                                     {"table", table},
                                     {"json", json},
                                     {"dakota", dakota},
                                     {"robot", robot}};

}  // namespace aleator::core::fuzz
