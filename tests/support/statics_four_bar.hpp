// A four-bar linkage, in the plane or as the same bodies in space, where its hinges are redundant by three.
#pragma once

#include <cmath>

#include "support/run.hpp"

namespace aleator::core::test {

// Crank 0.3 m (drawn along y), coupler 1 m, rocker 0.8 m, pivots 1 m apart; `settings` goes below `simulation:`.
inline std::string four_bar(bool planar, const std::string& crank_speed, const std::string& settings) {
  // C: 1 m from B = (0, 0.3), 0.8 m from D = (1, 0). On the line through B along BD: at x along, y across.
  const double d = std::hypot(1, 0.3), along = (d * d + 1 - 0.64) / (2 * d), across = std::sqrt(1 - along * along);
  const double ux = 1 / d, uy = -0.3 / d, cx = along * ux - across * uy, cy = 0.3 + along * uy + across * ux;
  const auto point = [&](double x, double y) { return "[" + text(x) + ", " + text(y) + (planar ? "]" : ", 0]"); };
  const auto rod = [&](double x0, double y0, double x1, double y1) {
    const std::string angle = text(std::atan2(y1 - y0, x1 - x0));
    return "{shape: {box: [" + text(std::hypot(x1 - x0, y1 - y0)) +
           ", 0.04, 0.03]}, density: 2700, at: " + point((x0 + x1) / 2, (y0 + y1) / 2) +
           ", orientation: " + (planar ? angle : "{rpy: [0, 0, " + angle + "]}");
  };
  const std::string spin =
      crank_speed.empty() ? "" : ", angular_velocity: " + (planar ? crank_speed : "[0, 0, " + crank_speed + "]");
  return std::string(planar ? "plane: xy\ngravity: [1, -9.81]\n" : "gravity: [1, -9.81, 0]\n") +
         "bodies:\n  crank: " + rod(0, 0, 0, 0.3) + spin + "}\n  coupler: " + rod(0, 0.3, cx, cy) +
         "}\n  rocker: " + rod(cx, cy, 1, 0) + "}\n" + "joints:\n  A: {revolute: [ground, crank], axis: z, at: " + point(0, 0) +
         "}\n  B: {revolute: [crank, coupler], axis: z, at: " + point(0, 0.3) +
         "}\n  C: {revolute: [coupler, rocker], axis: z, at: " + point(cx, cy) +
         "}\n  D: {revolute: [rocker, ground], axis: z, at: " + point(1, 0) + "}\n" +
         "outputs:\n  C: {position: coupler, at: " + point(cx, cy) +
         "}\n  turns: {coordinate: A}\n  pull: {reaction: D}\nsimulation: " + settings + "\n";
}

}  // namespace aleator::core::test
