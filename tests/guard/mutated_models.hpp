// Models with mistakes, made from all examples: read, assembled, counted, simulated for a moment, brought to rest and made to
// vibrate, in this process.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/mutations.hpp"
#include "dynamics/equilibrium.hpp"
#include "dynamics/modes.hpp"
#include "input/error.hpp"
#include "model/language.hpp"
#include "published/example_text.hpp"
#include "support/run.hpp"

namespace aleator::test {

enum class End { read_error, simulation_error, finished };

inline End simulate_a_moment(const std::string& text) {
  const std::string file = std::string(ALEATOR_SOURCE_DIR) + "/examples/mutated.yaml";  // for the tables it refers to
  try {
    Model m = make_model(input::read_text(text, file, language()));
    m.settings.duration = std::min(m.settings.duration, 20 * m.settings.step);
    m.settings.output_step = std::max(m.settings.output_step, m.settings.step);
    if (m.settings.integrator == "ida") m.settings.integrator = "generalized-alpha";  // may take its time
    const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
    Assembly<double> a(m, r);
    const State<double> start = assemble(a);
    find_redundancy(a, start);
    simulate_model(m, m.nominal, {.poses = true});
    if (m.structure.dofs > 300) return End::finished;  // a beam with many elements: right, but slow
    modes(a, start);
    equilibrium(a, start);
    return End::finished;
  } catch (const input::InputError& e) {
    EXPECT_STRNE(e.what(), "");
    return End::read_error;
  } catch (const SimulationError& e) {
    EXPECT_STRNE(e.what(), "");
    return End::simulation_error;
  }
}

// How `count` of them ended; any other exception is a failure of the test.
inline std::map<End, int> ends_of_mutated_models(int count, unsigned seed) {
  std::vector<std::string> examples;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ALEATOR_SOURCE_DIR) + "/examples"))
    if (entry.path().extension() == ".yaml") examples.push_back(text_of_file(entry.path().string()));
  std::sort(examples.begin(), examples.end());
  Mutations mutations(seed);
  std::map<End, int> ends;
  for (int i = 0; i < count; ++i) {
    const std::string text = mutations.mutated(examples[i % examples.size()]);
    SCOPED_TRACE(text);
    EXPECT_NO_THROW(++ends[simulate_a_moment(text)]);
  }
  return ends;
}

}  // namespace aleator::test
