// Small vibrations about a state at rest. With small motions x of the active velocities' directions (inertial axes),
//   M ẍ + C ẋ + K x + Gᵀ δλ = 0,   G x = 0;
// with a basis N of the motions the joints leave free, x = N z, these are NᵀMN z̈ + NᵀCN ż + NᵀKN z = 0, whose solutions are
// z = e^{st} ẑ. K holds what springs, loads and gravity do, and the reactions λ (a pendulum's stiffness is its tension).
#pragma once

#include <Eigen/Core>
#include <complex>

#include "dynamics/index1.hpp"
#include "dynamics/turning.hpp"

namespace aleator::core {

struct Mode {
  double frequency = 0;             // |s| / 2π, Hz: that of the undamped vibration when damping is proportional
  double damped_frequency = 0;      // Im s / 2π, Hz
  double damping_ratio = 0;         // −Re s / |s|
  std::complex<double> eigenvalue;  // s, 1/s; of a conjugate pair the one with Im s > 0
  Eigen::VectorXcd shape;           // [6 carriers] displacement and turn in inertial axes, largest component 1
  bool rigid = false;               // s = 0: moves without being pulled back
  bool oscillating = false;         // a conjugate pair. Otherwise s is real: an overdamped pair makes two modes
  bool unstable = false;            // Re s > 0: grows
};

struct ModesReport {
  int freedoms = 0;
  bool balanced = true;         // the state is an equilibrium
  double unbalanced = 0;        // otherwise: the largest acceleration of a body at rest there, m/s² …
  std::string unbalanced_body;  // … and that body
  bool left_out = false;        // overdamped modes of a large model that accumulate about one frequency are not all there
};

constexpr int sparse_above = 700;  // velocities from which on a few modes are found by the sparse matrix: dense ones take longer

// Sorted by frequency, rigid ones first. Velocities of `about` are ignored, motions are frozen. Where it is no equilibrium, the
// equations are linearised with the multipliers that a start from rest would have, and the report says so.
// Throws SimulationError when a free motion has no inertia.
// About a steady motion (turning.hpp) they are those seen in its frame, and velocities count. `number`: so many that are not rigid are enough,
// where more take long; 0: all of them.
std::vector<Mode> modes(Assembly<double>& assembly, const State<double>& about, ModesReport* report = nullptr,
                        const Turning* turning = nullptr, int number = 0, int sparse = sparse_above);

// --- what statics shares ----------------------------------------------------------------------------------------------------

// λ that hold the loads best at rest, motions frozen: [M Gᵀ; G 0] [v̇; λ] = [f + more; 0]; the least ones where rows are redundant.
// Sets velocities to zero, not states of elements (elements/carrier.hpp), evaluates the assembly, and fills v̇ and λ. `more` is [dofs], or null. False when it cannot be done.
// In a steady motion: with its velocities, and v̇ what is there besides its accelerations.
bool hold_at_rest(Assembly<double>& assembly, State<double>& s, Solver<double>& solver, const double* more = nullptr,
                  const Turning* turning = nullptr);

// Dense matrices of active velocities (and active rows) at the positions and multipliers of a state, at rest. States of elements are no
// unknowns: they follow small motions at once, so that hysteresis has its stiffness before yielding.
struct Linearised {
  Eigen::MatrixXd M, C, K;  // [dofs][dofs]
  Eigen::MatrixXd G;        // [active rows][dofs]
};
Linearised linearise(Assembly<double>& assembly, const State<double>& s, const Turning* turning = nullptr);

// An orthonormal basis of the vectors x with G x = 0, [columns of G][freedoms]; redundant rows are found.
Eigen::MatrixXd free_motions(const Eigen::MatrixXd& G);

// --- what linear responses share ----------------------------------------------------------------------------------------------

// 1/√M_ii: in coordinates x = scale y metres and radians weigh what they weigh in the kinetic energy.
Eigen::VectorXd mass_scale(const Eigen::MatrixXd& M);

// The projected equations in coordinates in which the mass matrix is the identity: x = basis z.
struct Reduced {
  Eigen::MatrixXd basis, C, K;
  double stiffness = 0;  // size of the numbers K was made of, for round-off
};
// Throws SimulationError when a free motion has no inertia, or numbers are not finite.
Reduced reduce(const Assembly<double>& assembly, const Linearised& l);
// All vibrations of the reduced equations; shapes are basis z.
std::vector<Mode> vibrations_of(const Reduced& r);

// K = U Σ Vᵀ of the reduced equations, z = V ζ, σ = ω² falling; those after the first `elastic` are 0 to round-off.
struct Decoupled {
  Eigen::VectorXd sigma;
  Eigen::MatrixXd V;
  int elastic = 0;
};
Decoupled decouple(const Reduced& r);
bool symmetric(const Eigen::MatrixXd& K);

// Whether the state is an equilibrium, or a steady motion; `stiffness` as in Reduced, `damping` the same of C (1/s).
ModesReport check_balance(const Assembly<double>& assembly, const State<double>& rest, int freedoms, double stiffness,
                          double damping = 0);

// Models whose matrices are too large for dense algebra are refused.
constexpr int largest_dense = 3000;  // velocities
void refuse_large(const Assembly<double>& assembly, int most = largest_dense);

}  // namespace aleator::core
