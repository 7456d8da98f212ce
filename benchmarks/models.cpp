#include "models.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "model/language.hpp"

namespace aleator::core::bench {

namespace {

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::string chain_text(int rods) {
  constexpr double length = 0.1;
  std::string bodies, joints, laws;
  for (int i = 0; i < rods; ++i) {
    bodies += fmt::format("  rod{}: {{shape: {{box: [0.02, 0.02, {}]}}, density: 7800, at: [0, 0, {}]}}\n", i, length,
                          -length * (i + 0.5));
    joints += fmt::format("  hinge{}: {{revolute: [{}, rod{}], axis: {}, at: [0, 0, {}]}}\n", i,
                          i ? fmt::format("rod{}", i - 1) : "ground", i, i % 2 ? "x" : "y", -length * i);
  }
  for (int k = 1; k < 10; k += 2) laws += fmt::format("  rod{}: {{mass: {{cov: 0.3}}}}\n", k * rods / 10);
  return fmt::format(
      "title: Chain of {0} rods\n"
      "gravity: [3.924, 2.943, -8.496]\n"
      "bodies:\n{1}joints:\n{2}uncertain:\n{3}"
      "outputs:\n"
      "  tip: {{displacement: rod{4}, at: [0, 0, {5}]}}\n"
      "  middle: {{velocity: rod{6}, at: [0, 0, {7}], component: x}}\n"
      "  top: {{coordinate: hinge0}}\n"
      "simulation: {{duration: 2, step: 5e-3, output_step: 2e-2, integrator: runge-kutta}}\n",
      rods, bodies, joints, laws, rods - 1, -length * rods, rods / 2, -length * (rods / 2));
}

std::string beam_text(int elements) {
  std::string text = content(ALEATOR_SOURCE_DIR "/benchmarks/models/beam-100.yaml");
  const std::string hundred = "elements: 100\n";
  return text.replace(text.find(hundred), hundred.size(), fmt::format("elements: {}\n", elements));
}

std::string model_text(const std::string& name) {
  if (name.starts_with("chain-")) return chain_text(std::stoi(name.substr(6)));
  if (name.starts_with("beam-")) return beam_text(std::stoi(name.substr(5)));
  for (const std::string folder : {"examples", "benchmarks/models"}) {
    const std::string file = fmt::format("{}/{}/{}.yaml", ALEATOR_SOURCE_DIR, folder, name);
    if (std::filesystem::exists(file)) return content(file);
  }
  throw std::runtime_error("there is no model " + name);
}

Model model_named(const std::string& name) { return make_model(input::read_text(model_text(name), name + ".yaml", language())); }

}  // namespace aleator::core::bench
