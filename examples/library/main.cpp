// Aleator as a library: a model from a text (or from a file, when one is given) is simulated; its first output is printed.
#include <cstdio>

#include "dynamics/simulate.hpp"
#include "model/language.hpp"

constexpr const char* pendulum = R"(
gravity: [0, 0, -9.81]
bodies: {rod: {shape: {box: [1, 0.05, 0.05]}, density: 7800, at: [0.5, 0, 0]}}
joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}}
outputs: {angle: {coordinate: pin}}
simulation: {duration: 2, output_step: 0.25}
)";

int main(int argc, char** argv) try {
  using namespace aleator::core;
  const Model model = argc > 1 ? load_model(argv[1]) : make_model(input::read_text(pendulum, "pendulum", language()));
  const Trajectory<double> motion = simulate_model(model, model.nominal);
  const Output& output = model.topology.outputs.at(0);
  for (size_t k = 0; k < motion.times.size(); ++k)
    std::printf("t = %5.3f s   %s = %9.6f %s\n", motion.times[k], output.name.c_str(), motion.values[k * motion.channels],
                output.unit.c_str());
} catch (const std::exception& e) {  // a wrong model (InputError), or a simulation that failed (SimulationError)
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
