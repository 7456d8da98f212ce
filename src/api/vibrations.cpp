#include "api/vibrations.hpp"

#include <algorithm>

#include "study/loaded_model.hpp"

namespace aleator::core {
namespace {

const char* kind_of(const Mode& mode) {
  return mode.rigid ? "rigid" : mode.unstable ? "unstable" : mode.oscillating ? "oscillating" : "overdamped";
}

}  // namespace

Vibration described(const Mode& mode, const Topology& t) {
  static const char* const directions[] = {"x", "y", "z", "rx", "ry", "rz"};
  Eigen::Index i = 0;
  mode.shape.cwiseAbs().maxCoeff(&i);
  const bool turns = i % 6 >= 3 || !t.carriers[i / 6].is_place;
  const bool section = t.carriers[i / 6].vectors > 0 && turns;
  return {.frequency = mode.frequency,
          .damped_frequency = mode.damped_frequency,
          .damping_ratio = mode.damping_ratio + 0.0,  // no −0
          .real = mode.eigenvalue.real(),
          .imaginary = mode.eigenvalue.imag(),
          .kind = kind_of(mode),
          .body = t.carrier_name(int(i / 6)),
          .direction = section ? "section" : directions[i % 6]};
}

Vibrations vibrations(const aleator::Model& model, const ModalRequest& request) {
  const Model& m = model.compiled().model;
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  Vibrations out;
  out.about = about_of(m, request);
  const ModesFound found = find_modes(a, request);
  for (const Mode& mode : found.modes) out.modes.push_back(described(mode, m.topology));
  out.degrees_of_freedom = found.report.freedoms;
  out.balanced = found.report.balanced;
  out.unbalanced = found.report.unbalanced;
  out.unbalanced_body = found.report.unbalanced_body;
  out.left_out = found.report.left_out;
  return out;
}

}  // namespace aleator::core
