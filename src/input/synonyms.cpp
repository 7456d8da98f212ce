#include "input/synonyms.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace aleator::core::input {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// In lower case and with _. A word may mean several things: the first that is known where it stands is taken.
constexpr Pair synonyms[] = {
    // sections
    {"links", "bodies"},
    {"parts", "bodies"},
    {"constraints", "joints"},
    {"connections", "joints"},
    {"loads", "forces"},
    {"springs", "forces"},
    {"sensors", "outputs"},
    {"results", "outputs"},
    {"measurements", "outputs"},
    {"random", "uncertain"},
    {"distributions", "uncertain"},
    {"variables", "parameters"},
    {"constants", "parameters"},
    {"markers", "points"},
    {"solver", "simulation"},
    {"settings", "simulation"},
    {"name", "title"},
    {"description", "title"},
    {"g", "gravity"},
    // simulation and study
    {"dt", "step"},
    {"h", "step"},
    {"timestep", "step"},
    {"time_step", "step"},
    {"end", "duration"},
    {"end_time", "duration"},
    {"t_end", "duration"},
    {"tend", "duration"},
    {"stop_time", "duration"},
    {"final_time", "duration"},
    {"sampling_time", "output_step"},
    {"solver", "integrator"},
    {"method", "integrator"},
    {"rk4", "runge-kutta"},
    {"rk45", "dormand-prince"},
    {"ode45", "dormand-prince"},
    {"ab4", "adams-bashforth"},
    {"adams", "adams-bashforth"},
    {"ode113", "adams-bashforth"},
    {"hht", "generalized-alpha"},
    {"newmark", "generalized-alpha"},
    {"bdf", "ida"},
    {"runs", "samples"},
    {"realizations", "samples"},
    {"n_samples", "samples"},
    {"mc", "monte-carlo"},
    {"lhs", "latin-hypercube"},
    {"pce", "polynomial-chaos"},
    // bodies and shapes
    {"com", "center_of_mass"},
    {"cog", "center_of_mass"},
    {"cm", "center_of_mass"},
    {"centre_of_mass", "center_of_mass"},
    {"center_of_gravity", "center_of_mass"},
    {"position", "at"},
    {"pos", "at"},
    {"origin", "at"},
    {"location", "at"},
    {"xyz", "at"},
    {"rotation", "orientation"},
    {"rpy", "orientation"},
    {"quat", "quaternion"},
    {"omega", "angular_velocity"},
    {"weight", "mass"},
    {"geometry", "shape"},
    {"cuboid", "box"},
    {"block", "box"},
    {"brick", "box"},
    {"cube", "box"},
    {"ball", "sphere"},
    {"youngs_modulus", "E"},
    {"young", "E"},
    {"poisson", "nu"},
    {"rho", "density"},
    // joints and forces
    {"hinge", "revolute"},
    {"pin", "revolute"},
    {"rotational", "revolute"},
    {"slider", "prismatic"},
    {"translational", "prismatic"},
    {"sliding", "prismatic"},
    {"weld", "fixed"},
    {"rigid", "fixed"},
    {"ball", "spherical"},
    {"ball_joint", "spherical"},
    {"socket", "spherical"},
    {"cardan", "universal"},
    {"rod", "distance"},
    {"free_axes", "locked"},
    {"limits", "stops"},
    {"range", "stops"},
    {"min", "lower"},
    {"max", "upper"},
    {"drive", "motion"},
    {"spring", "spring_damper"},
    {"damper", "spring_damper"},
    {"tsda", "spring_damper"},
    {"rsda", "torsion_spring"},
    {"k", "stiffness"},
    {"c", "damping"},
    {"d", "damping"},
    {"damper", "damping"},
    {"l0", "length"},
    {"rest_length", "length"},
    {"rest", "length"},
    {"moment", "torque"},
    {"isolator", "bouc_wen"},
    {"hysteretic", "bouc_wen"},
    {"bouc_wen", "hysteresis"},
    {"alpha", "post_yield_ratio"},
    {"n", "exponent"},
    // distributions
    {"gaussian", "normal"},
    {"gauss", "normal"},
    {"log_normal", "lognormal"},
    {"loguniform", "log_uniform"},
    {"average", "mean"},
    {"mu", "mean"},
    {"expectation", "mean"},
    {"sigma", "std"},
    {"stddev", "std"},
    {"std_dev", "std"},
    {"sd", "std"},
    {"standard_deviation", "std"},
    {"deviation", "std"},
    {"variance", "std"},
    {"coefficient_of_variation", "cov"},
    {"cv", "cov"},
    {"coeff_of_variation", "cov"},
    {"min", "from"},
    {"max", "to"},
    {"lower", "from"},
    {"upper", "to"},
};

constexpr std::pair<std::string_view, double> densities[] = {
    {"steel", 7850}, {"iron", 7870},     {"aluminium", 2700}, {"aluminum", 2700}, {"titanium", 4500}, {"copper", 8960},
    {"brass", 8500}, {"concrete", 2400}, {"wood", 600},       {"water", 1000},    {"rubber", 1100},   {"plastic", 1200},
};

std::string folded(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::string_view synonym(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t longest = 32;
  if (word.size() > longest) return "";
  const std::string plain = folded(word);
  for (const auto& [other, ours] : synonyms)
    if (other == plain && std::find(known.begin(), known.end(), ours) != known.end()) return ours;
  return "";
}

double density_of(std::string_view material) {
  const std::string plain = folded(material);
  for (const auto& [name, density] : densities)
    if (name == plain) return density;
  return 0;
}

}  // namespace aleator::core::input
