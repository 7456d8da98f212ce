// Studies of `aleator identify` for tests: an oscillator whose response is known in closed form, specimens of it, and what was found.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "program.hpp"
#include "results/identification.hpp"
#include "results/read.hpp"

namespace aleator::core::test {

// A mass on a spring, at rest until a constant force f acts: x = f/k (1 − cos ωt), ω = √(k/m), without the damper.
inline std::string pushed_mass(const std::string& uncertain, const std::string& parameters = "f: 2, k: 1, c: 0, m: 1") {
  return "parameters: {" + parameters +
         "}\n"
         "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: m}\n"
         "joints:\n  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}, damper: c}\n"
         "forces:\n  push: {force: a, value: [f, 0, 0]}\n"
         "outputs:\n  x: {position: a, component: x}\n"
         "simulation: {duration: 1, step: 0.05, output_step: 0.05, integrator: runge-kutta}\n" +
         uncertain;
}

inline double pushed_position(double f, double k, double m, double t) { return f / k * (1 - std::cos(std::sqrt(k / m) * t)); }

// measured/NN.csv with values y(specimen, time) of x at the times of the model.
inline void write_specimens(const Folder& folder, int specimens, const std::vector<double>& times,
                            const std::function<double(int, double)>& y) {
  ASSERT_EQ(std::system(("mkdir -p " + folder / "measured").c_str()), 0);
  for (int s = 0; s < specimens; ++s) {
    std::string text = "time,x\n";
    char line[80];
    for (const double t : times) {
      std::snprintf(line, sizeof line, "%.17g,%.17g\n", t, y(s, t));
      text += line;
    }
    folder.write("measured/" + std::to_string(100 + s) + ".csv", text);
  }
}

inline Outcome identify(const Folder& folder, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"identify", "id.yaml", "--out", "o", "--no-report"});
  return aleator(more, folder.path());
}

inline results::Identification found_in(const Folder& folder, const std::string& file = "o/results.h5") {
  const results::StudyReader reader(folder / file, results::StudyReader::Accept::any);
  return *results::read_identification(reader);
}

// However the lines of the text are broken.
inline bool says(std::string text, const std::string& words) {
  for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
  return text.find(words) != std::string::npos;
}

}  // namespace aleator::core::test
