// One motion: that of the nominal model.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <aleator/model.hpp>

namespace aleator {

struct Trajectory {
  std::vector<double> time;
  std::vector<Channel> outputs;
  std::vector<double> values;  // [time][output]
  // How the bodies move, of simulate(): names of the frames (a body, or a node of a beam: NAME.0, NAME.1, …), and of each the position
  // x y z (m) and the quaternion qw qx qy qz in the inertial frame.
  std::vector<std::string> bodies;
  std::vector<double> poses;  // [time][body][7]
  std::string integrator;     // that computed it …
  double step = 0;            // … with this step
  bool complete = true;       // false: it was stopped at the last of the times

  std::vector<double> operator[](std::string_view output) const;  // throws std::out_of_range
};

struct SimulateOptions {
  std::function<void(double time, double duration)> on_progress;
  std::function<void(std::string_view note)> on_note;
  std::stop_token stop;
};

// Throws SimulationError.
Trajectory simulate(const Model& model, const SimulateOptions& options = {});

}  // namespace aleator
