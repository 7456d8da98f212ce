// Steady motions, about which small vibrations are linearised as about a state at rest: everything turns with a frame at a constant
// angular velocity Ω about a fixed axis, or bodies spin where they are (Ω = 0). Seen in that frame the equations do not depend on time.
// With x = P(t) ξ, P the rotation of the frame and W = Ω~ on every vector,
//   δv = P (ξ̇ + W ξ),   δv̇ = P (ξ̈ + 2W ξ̇ + W² ξ − Ŵ (ξ̇ + W ξ)),
// where Ŵ = ω~ of its body on turns φ, because angular accelerations are those of body axes: R Ω̇ = φ̈ − ω × φ̇. So M ξ̈ + C' ξ̇ + K' ξ = 0 with
//   C' = C + M (2W − Ŵ),   K' = K + C W + M (W² − Ŵ W).
#pragma once

#include <Eigen/Core>
#include <string>

#include "dynamics/assembly.hpp"

namespace aleator::core {

struct Turning {
  Vec3<double> omega, point;  // of the frame: angular velocity, a point of its axis
  bool all = false;           // everything turns with it; otherwise Ω = 0 and velocities are those of the state

  // That of a rigid body of the model as a consistent state moves it. Throws SimulationError where it moves along its axis.
  static Turning with(const Assembly<double>& assembly, const State<double>& s, const std::string& body);
};

// Velocities of the steady motion, where everything turns; its accelerations, [6 carriers].
void set_turning(const Assembly<double>& assembly, const Turning& turning, State<double>& s, double* accelerations);

// C' and K' of C and K; after kinematics. M, C, K: dense, [dofs][dofs] without states of elements.
void add_turning(const Assembly<double>& assembly, const Turning& turning, const Eigen::MatrixXd& M, Eigen::MatrixXd& C,
                 Eigen::MatrixXd& K);
// The same of values on the sparse pattern of the assembly.
void add_turning(const Assembly<double>& assembly, const Turning& turning, const double* M, double* C, double* K);

}  // namespace aleator::core
