#include "dynamics/newton_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/named_place.hpp"

namespace aleator::core {

namespace {

// "friction of joint 'slide' (model.yaml:9:3)", "stops of …", "hysteresis of force 'pad' …" of all joints and forces, or of those at a body;
// empty: there are none.
std::string suspects(const Model& model, const std::string* body) {
  constexpr int most = 4;  // that are named
  std::string out;
  int count = 0;
  const auto look = [&](const char* entry, const input::Item& item, std::initializer_list<const char*> keys) {
    const std::vector<std::string>& ends = item.subject.words;
    if (body && std::find(ends.begin(), ends.end(), *body) == ends.end()) return;
    for (const char* what : keys)
      if ((item.find(what) || item.kind == "bouc_wen") && ++count <= most)
        out += fmt::format("{}{} of {}", out.empty() ? "" : ", ", what, named_entry(model, entry, item));
  };
  for (const input::Item& joint : model.description.section("joints")) look("joint", joint, {"friction", "stops", "hysteresis"});
  for (const input::Item& force : model.description.section("forces")) look("force", force, {"hysteresis"});
  if (count > most) out += fmt::format(" and {} more", count - most);
  return out;
}

}  // namespace

std::string step_failure(const Model& model, double t, double h) {
  const std::string cause = suspects(model, nullptr);
  return fmt::format("the step from t = {:.9g} s cannot be done, although it was reduced to {:.3g} s. {}", t, h,
                     cause.empty()
                         ? "The motion may have no continuation there; otherwise try a larger 'tolerance' or another 'integrator'"
                         : fmt::format("The model has {}: try a larger 'velocity' of friction, softer stops{}", cause,
                                       cause.find("hysteresis") == std::string::npos ? "" : " or a smaller 'exponent'"));
}

std::string energy_failure(const Model& model, double t, bool adapted, bool unstable) {
  std::string cause = suspects(model, nullptr);
  if (unstable) cause = "the fastest motion, with an explicit method" + (cause.empty() ? "" : ", or for " + cause);
  return fmt::format(
      "the motion has gained energy until t = {:.9g} s that no drive or load supplied: the step is too long{}. Try a smaller {}",
      t, cause.empty() ? "" : " for " + cause,
      adapted ? "'tolerance'" : "'step', or 'integrator: auto', which reduces steps where that is necessary");
}

std::string energy_warning(const Model& model, double off, double t, double kinetic) {
  const std::string cause = suspects(model, nullptr);
  const bool adapted = model.settings.step_tolerance > 0;
  return fmt::format(
      "the energy balance is off by {:.3g} J at t = {:.6g} s ({:.2g} of the largest kinetic energy): time stepping has {} "
      "energy, "
      "because steps are too long{} (the output 'energy_balance' shows when). Try a smaller {}",
      off, t, std::abs(off) / std::max(kinetic, 1e-300), off < 0 ? "lost" : "made", cause.empty() ? "" : " for " + cause,
      adapted ? "'tolerance'" : "'step', or 'integrator: auto', which reduces steps where that is necessary");
}

std::string stability_failure(double t, double h) {
  return fmt::format(
      "the explicit method is unstable at t = {:.9g} s: a step of {:.3g} s is too long for the fastest motion. Try a smaller "
      "'step', "
      "'integrator: radau', or 'integrator: auto', which reduces steps where that is necessary",
      t, h);
}

std::string newton_failure(const Model& model, const double* z, double t, double h) {
  int worst = 0;
  double largest = -1;
  for (size_t c = 0; c < model.topology.carriers.size(); ++c) {
    const double size = norm(Vec3<double>{z[6 * c], z[6 * c + 1], z[6 * c + 2]});
    if (model.topology.carriers[c].is_place && !(size <= largest)) worst = int(c), largest = size;
  }
  const std::string body = model.topology.carrier_name(worst), cause = suspects(model, &body);
  return fmt::format(
      "Newton's iteration did not converge in the step from t = {:.9g} s (h = {:.3g} s); it moves {} most{}. Try a "
      "smaller 'step', or 'integrator: auto', which reduces steps where that is necessary",
      t, h, named_body(model, body), cause.empty() ? "" : ", on which these act: " + cause);
}

}  // namespace aleator::core
