// The stationary motion of a linear system whose inputs are random processes. Over the uses a, b of one process, with factors c and delays τ,
//   S_y(ω) = Σ_ab H_a conj(H_b) c_a c_b γ_ab(ω) e^{−iω(τ_a − τ_b)} S(ω),
// γ the coherence of its places; processes are independent of each other. The variance is 2 ∫ S_y dω up to the cut-off, with which realizations are
// made; of white noise, Y X Yᵀ with A X + X Aᵀ + 2π S₀ B Bᵀ = 0.
#pragma once

#include <memory>

#include "dynamics/linear_response.hpp"

namespace aleator::core {

struct Excitation {
  struct Use {
    int input = 0;  // of the system
    processes::Use use;
  };
  std::shared_ptr<const processes::Process> process;  // it has a density
  std::vector<Use> uses;

  double density(double omega) const;  // 0 above the cut-off
  bool white() const { return process->kind == processes::Process::Kind::white_noise; }
};

class StationaryMotion {
 public:
  // Throws SimulationError where a process excites a motion that nothing damps.
  StationaryMotion(LinearSystem system, std::vector<Excitation> excitations);

  const LinearSystem& system() const { return system_; }
  const std::vector<Excitation>& excitations() const { return excitations_; }

  // [channels][excitations] S_y/S; its root is what the amplitude of a sine is multiplied by.
  Eigen::MatrixXd power_gain(double omega) const;
  // [channels][excitations] Infinite where an output sees white noise itself.
  Eigen::MatrixXd variances() const;
  // 1/s: how fast the slowest motion forgets the start.
  double slowest_decay() const;
  // Rising from one to the other, rad/s; with those at which something resonates.
  std::vector<double> frequencies(double from, double to, int points) const;
  // rad/s: from where to where something is to be seen.
  std::pair<double, double> range() const;

 private:
  bool by_lyapunov(const Excitation& e) const;
  Eigen::VectorXd white_variances(const Excitation& e) const;
  std::vector<double> interval_ends(double to, double longest) const;

  LinearSystem system_;
  std::vector<Excitation> excitations_;
};

}  // namespace aleator::core
