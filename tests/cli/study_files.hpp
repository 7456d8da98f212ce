// Results files as numbers, to compare two studies bit for bit; and a study of milliseconds to compare.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "results/read.hpp"

namespace aleator::core::test {

// An oscillator with random stiffness and mass.
inline std::string oscillator(const std::string& study = "samples: 50, seed: 5") {
  return "title: Oscillator\nparameters: {k: 100, m: 1}\n"
         "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: m, velocity: [1, 0, 0]}\n"
         "joints:\n  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}}\n"
         "outputs:\n  x: {position: a, component: x, limits: {above: 0.11}}\n"
         "scalars:\n  peak: {maximum: x}\n"
         "simulation: {duration: 0.4, step: 4e-3, output_step: 0.02, integrator: runge-kutta}\n"
         "uncertain:\n  k: {uniform: {lower: 80, upper: 120}}\n  a: {mass: {cov: 0.1}}\n"
         "study: {" +
         study + "}\n";
}

// All datasets by name, as bits: NaN is equal to itself. What differs between any two runs (times, host) is in attributes.
using Bits = std::map<std::string, std::vector<std::uint64_t>>;

inline void collect(const results::StudyReader& r, const std::string& at, Bits& all) {
  const std::vector<std::string> children = r.children(at);
  for (const std::string& name : children) collect(r, at + "/" + name, all);
  if (!children.empty()) return;
  try {
    const std::vector<double> numbers = r.numbers(at);
    std::vector<std::uint64_t>& bits = all[at];
    bits.resize(numbers.size());
    if (!numbers.empty()) std::memcpy(bits.data(), numbers.data(), numbers.size() * sizeof(double));
  } catch (const results::ReadError&) {  // a group without members, or texts
  }
}

inline Bits bits_of(const std::string& file) {
  const results::StudyReader r(file);
  Bits all;
  for (const char* group : {"/time", "/samples", "/responses", "/statistics", "/scalars", "/convergence", "/sobol", "/chaos",
                            "/correlations", "/screening", "/variability", "/reliability", "/motion"})
    if (r.has(group)) collect(r, group, all);
  return all;
}

}  // namespace aleator::core::test
