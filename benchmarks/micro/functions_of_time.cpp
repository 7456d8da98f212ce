// What a realization costs whose functions of time have random parameters: sines and exponentials are in closed form, of what repeats
// itself one period is interpolated, and the rest on the pieces of the nominal function. The argument is the number of periods within the duration.
#include <benchmark/benchmark.h>

#include <string>

#include "model/language.hpp"
#include "model/model.hpp"

namespace aleator::core {
namespace {

Model driven_by(const std::string& function) {
  return make_model(
      input::read_text("parameters: {a: 1, f: 1, n: 1}\nbodies: {m: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
                       "joints: {g: {prismatic: [ground, m], axis: x, actuator: " +
                           function + "}}\nsimulation: {duration: 1, step: 0.1}\n",
                       "m.yaml", language()));
}

void realization(benchmark::State& state, const std::string& function) {
  const std::string periods = std::to_string(state.range(0));
  std::string text = function;
  for (std::size_t at; (at = text.find('N')) != std::string::npos;) text.replace(at, 1, periods);
  const Model model = driven_by(text);
  double k = 0;
  for (auto _ : state) {
    const double shift = 0.001 * (k = k < 50 ? k + 1 : -50);  // faster and slower ones
    const std::vector<Override> own = {{"a", 1 + shift}, {"f", 1 + shift}};
    benchmark::DoNotOptimize(realize(model, own).signals.data());
  }
}

#define ALEATOR_FUNCTION(name, text) \
  BENCHMARK_CAPTURE(realization, name, text)->Arg(1)->Arg(64)->Arg(640)->Unit(benchmark::kMicrosecond)
ALEATOR_FUNCTION(sine, "{sine: {amplitude: a, frequency: N*f}}");
ALEATOR_FUNCTION(expression, "\"a*sin(2*pi*N*f*t)\"");
ALEATOR_FUNCTION(decaying, "\"a*exp(-2*f*t)*sin(2*pi*N*f*t) + 0.1*cos(3*t)\"");
ALEATOR_FUNCTION(growing, "\"a*t*sin(2*pi*N*f*t)\"");
ALEATOR_FUNCTION(chirp, "\"a*sin(2*pi*N*f*t^2)\"");
ALEATOR_FUNCTION(rectified, "\"a*abs(sin(2*pi*N*f*t))\"");
ALEATOR_FUNCTION(rectified_sum, "\"a*abs(sin(2*pi*N*f*t) + cos(2*pi*N*f*t))\"");
ALEATOR_FUNCTION(saturated, "\"a*tanh(3*sin(2*pi*N*f*t))\"");
ALEATOR_FUNCTION(decaying_rectified, "\"a*exp(-f*t)*abs(sin(2*pi*N*f*t))\"");
ALEATOR_FUNCTION(decaying_rectified_cosine, "\"10*exp(-3*a*t)*abs(cos(2*pi*N*f*t + a))\"");
ALEATOR_FUNCTION(rectified_about_a_constant, "\"2 + a*exp(-f*t)*abs(sin(2*pi*N*f*t))\"");
ALEATOR_FUNCTION(decaying_chirp, "\"sin(pi*N*f*t + pi*N*a*t^2)*exp(-a*t)\"");
ALEATOR_FUNCTION(two_sines, "\"a*sin(2*pi*N*f*t) + 0.3*sin(2*pi*0.618*N*a*t + 1)\"");
ALEATOR_FUNCTION(two_rectified, "\"abs(a*sin(2*pi*N*f*t) + 0.3*sin(2*pi*0.618*N*a*t + 1))\"");
#undef ALEATOR_FUNCTION

}  // namespace
}  // namespace aleator::core
