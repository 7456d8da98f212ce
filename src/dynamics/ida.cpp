#include "dynamics/ida.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dynamics/index1.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/violation.hpp"
#include "numerics/dense.hpp"

#ifdef ALEATOR_HAVE_IDA

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <Eigen/Core>

namespace aleator::core {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// SUNDIALS objects that free themselves.
struct Context {
  SUNContext handle = nullptr;
  Context() { SUNContext_Create(nullptr, &handle); }
  ~Context() { SUNContext_Free(&handle); }
  Context(const Context&) = delete;
};
struct FreeVector {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
struct FreeMatrix {
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
};
struct FreeSolver {
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
struct FreeMemory {
  void operator()(void* m) const { IDAFree(&m); }
};
using Vector = std::unique_ptr<_generic_N_Vector, FreeVector>;

double* data(const Vector& v) { return N_VGetArrayPointer(v.get()); }

const char* reason(int flag) {
  switch (flag) {
    case IDA_TOO_MUCH_WORK:
      return "it takes too many steps";
    case IDA_TOO_MUCH_ACC:
      return "the tolerance asks for more digits than a double has";
    case IDA_ERR_FAIL:
      return "the error test fails even with the smallest step";
    case IDA_CONV_FAIL:
      return "Newton's iteration does not converge even with the smallest step";
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
      return "the linear equations cannot be solved";
    case IDA_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL:
      return "the forces or constraints cannot be evaluated";
    default:
      return "IDA gave up";
  }
}

class Ida final : public Stepper {
 public:
  Ida(Assembly<double>& assembly, double tolerance);

  void begin(State<double>& s, double step) override;
  bool step(State<double>& s, double t1) override;
  std::string why() const override { return why_; }
  void evaluate_for_output(State<double>& s, Side side) override;

 private:
  int size() const { return positions_ + velocities_ + int(basis_.cols()); }
  void start(const State<double>& s);
  void create(double t);
  void set_tolerances();
  void unpack(const double* y, const double* dy);
  bool evaluate(double t, const double* y, const double* dy, double* F);
  bool jacobian(double t, double cj, const double* y, const double* dy, SUNMatrix matrix);
  MatrixXd gradient(bool body_axes) const;
  MatrixXd range() const;
  bool range_has_changed() const;
  bool advance(double t1);
  Energies<double> power_at(double t);
  void add_work(double from, double to, Energies<double>& work);

  Assembly<double>& assembly_;
  Index1<double> index1_;
  double tolerance_;
  Carriers carriers_;
  int positions_, velocities_;         // the unknowns: positions_ = 7 carriers, then velocities_, then columns of B
  std::vector<int> full_;              // [velocities] place in [6 carriers]
  std::vector<int> active_;            // [active rows] rows that are not superfluous
  MatrixXd basis_;                     // B, [active rows][independent rows]
  VectorXd row_scale_, column_scale_;  // that make G a matrix of pure numbers
  double rate_ = 0;                    // a of the stabilisation
  double start_ = 0, now_ = 0, stop_ = 0;
  State<double> at_;  // what evaluate() works on
  VectorXd residual_, rows_, active_rows_, changed_, base_, moved_;
  AlignedVector<double> turns_;   // at the last step of IDA
  Energies<double> work_, told_;  // from the start to its beginning; as much of it as the state has
  double before_ = 0;             // its beginning
  std::string why_;
  Violation violation_;

  Context context_;
  Vector y_, dy_, out_, constants_;
  std::unique_ptr<_generic_SUNMatrix, FreeMatrix> matrix_;
  std::unique_ptr<_generic_SUNLinearSolver, FreeSolver> solver_;
  std::unique_ptr<void, FreeMemory> memory_;
};

Ida::Ida(Assembly<double>& assembly, double tolerance)
    : assembly_(assembly),
      index1_(assembly),
      tolerance_(tolerance),
      carriers_(assembly.carriers()),
      positions_(7 * carriers_.count),
      velocities_(assembly.model().structure.dofs),
      violation_(assembly.model()) {
  const Structure& s = assembly.model().structure;
  full_.resize(velocities_);
  for (int i = 0; i < assembly.velocities(); ++i)
    if (s.dof[i] >= 0) full_[s.dof[i]] = i;
  for (int r = 0; r < s.rows; ++r)
    if (s.row_active[r]) active_.push_back(r);
  residual_.resize(assembly.velocities());
  rows_.resize(s.rows);
  active_rows_.resize(Eigen::Index(active_.size()));
}

// --- the problem, as IDA sees it --------------------------------------------------------------------------------------------

void Ida::unpack(const double* y, const double* dy) {
  std::copy(y, y + positions_, at_.positions.begin());
  carriers_.normalize(at_.positions.data());
  for (int i = 0; i < velocities_; ++i) {
    at_.velocities[full_[i]] = y[positions_ + i];
    at_.accelerations[full_[i]] = dy[positions_ + i];
  }
  active_rows_.noalias() = basis_ * Eigen::Map<const VectorXd>(y + positions_ + velocities_, basis_.cols());
  for (size_t k = 0; k < active_.size(); ++k) at_.lambda[active_[k]] = active_rows_(Eigen::Index(k));
}

// F(t, y, ẏ); false when it has no finite value.
bool Ida::evaluate(double t, const double* y, const double* dy, double* F) {
  unpack(y, dy);
  assembly_.kinematics(t, t > start_ ? Side::left : Side::right, at_.positions.data(), at_.velocities.data(), turns_.data());
  assembly_.constrain();
  assembly_.forces();

  carriers_.derivative(y, at_.velocities.data(), F);
  for (int i = 0; i < positions_; ++i) F[i] = dy[i] - F[i];
  for (int b = 0; b < carriers_.rigid; ++b) {
    const double* q = y + 7 * b;
    const double excess = 1 - (q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    for (int i = 3; i < 7; ++i) F[7 * b + i] -= 0.5 * rate_ * excess * q[i];
  }

  assembly_.residual(at_.accelerations.data(), at_.lambda.data(), residual_.data());
  for (int i = 0; i < velocities_; ++i) F[positions_ + i] = residual_[full_[i]];

  const Topology& topology = assembly_.model().topology;
  const Evaluation<double>& e = assembly_.evaluation();
  assembly_.velocity_residual(rows_.data());
  for (int r = 0; r < assembly_.rows(); ++r) rows_[r] = 2 * rate_ * rows_[r] + rate_ * rate_ * e.residual[r] + e.bias[r];
  for (size_t k = 0; k < topology.block_row.size(); ++k) {
    const int b = topology.block_carrier[k];
    if (b == carriers_.count) continue;
    const double* a = &at_.accelerations[6 * b];
    const Vec3<double> alpha = assembly_.frames()[b].R * Vec3<double>{a[3], a[4], a[5]};
    rows_[topology.block_row[k]] += dot(e.jacobian[k].F, Vec3<double>{a[0], a[1], a[2]}) + dot(e.jacobian[k].M, alpha);
  }
  for (size_t k = 0; k < active_.size(); ++k) active_rows_(Eigen::Index(k)) = rows_[active_[k]];
  Eigen::Map<VectorXd>(F + positions_ + velocities_, basis_.cols()).noalias() = basis_.transpose() * active_rows_;
  return Eigen::Map<VectorXd>(F, size()).allFinite() && !assembly_.status().failed;
}

// G of active rows and velocities; the columns of turns for angular velocities in inertial or in body axes.
MatrixXd Ida::gradient(bool body_axes) const {
  const Structure& s = assembly_.model().structure;
  const Topology& topology = assembly_.model().topology;
  MatrixXd G = MatrixXd::Zero(Eigen::Index(active_.size()), velocities_);
  std::vector<int> place(s.rows, -1);
  for (size_t k = 0; k < active_.size(); ++k) place[active_[k]] = int(k);
  for (size_t k = 0; k < topology.block_row.size(); ++k) {
    const int b = topology.block_carrier[k], row = place[topology.block_row[k]];
    if (b == carriers_.count || row < 0) continue;
    const Wrench<double>& g = assembly_.evaluation().jacobian[k];
    const Vec3<double> turn = body_axes ? transposed_times(assembly_.frames()[b].R, g.M) : g.M;
    for (int i = 0; i < 6; ++i)
      if (const int column = s.dof[6 * b + i]; column >= 0) G(row, column) += i < 3 ? g.F[i] : turn[i - 3];
  }
  return G;
}

// ∂F/∂y + c ∂F/∂ẏ: differences in the columns of q and v, exact in those of μ and of ẏ.
bool Ida::jacobian(double t, double cj, const double* y, const double* dy, SUNMatrix matrix) {
  const int n = size(), m = int(basis_.cols());
  Eigen::Map<MatrixXd> J(SM_DATA_D(matrix), n, n);
  base_.resize(n), moved_.resize(n);
  changed_ = Eigen::Map<const VectorXd>(y, n);
  if (!evaluate(t, y, dy, base_.data())) return false;
  for (int j = 0; j < positions_ + velocities_; ++j) {
    const double h = 1e-7 * std::max(1.0, std::abs(y[j]));
    changed_(j) = y[j] + h;
    if (!evaluate(t, changed_.data(), dy, moved_.data())) return false;
    changed_(j) = y[j];
    J.col(j) = (moved_ - base_) / h;
  }
  if (!evaluate(t, y, dy, moved_.data())) return false;

  // GᵀB, and c [I; M; BᵀG] with the angular parts of v̇ in body axes
  J.rightCols(m).setZero();
  J.block(positions_, positions_ + velocities_, velocities_, m) = gradient(false).transpose() * basis_;
  J.block(positions_ + velocities_, positions_, m, velocities_) += cj * basis_.transpose() * gradient(true);
  for (int j = 0; j < positions_; ++j) J(j, j) += cj;
  std::vector<double> unit(size_t(assembly_.velocities())), forces(unit.size());
  for (int j = 0; j < velocities_; ++j) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[size_t(full_[j])] = 1;
    assembly_.inertia_forces(unit.data(), forces.data());
    for (size_t i = 0; i < forces.size(); ++i)
      if (const int row = assembly_.model().structure.dof[i]; row >= 0) J(positions_ + row, positions_ + j) += cj * forces[i];
  }
  return true;
}

// An orthonormal basis of the range of G, in pure numbers, at the last evaluation.
MatrixXd Ida::range() const {
  const auto [basis, rank] =
      dense::orthonormal_basis(row_scale_.asDiagonal() * gradient(false) * column_scale_.asDiagonal(), 1e-9);
  return basis.leftCols(rank);
}

// Redundant rows: the ranges of G at the start and now enclose a large angle.
bool Ida::range_has_changed() const {
  const MatrixXd now = range();
  if (now.cols() != basis_.cols()) return true;
  const MatrixXd then = row_scale_.cwiseInverse().asDiagonal() * basis_;
  const VectorXd cosines = dense::singular_values(dense::transposed_times(then, now)).values;
  return cosines(cosines.size() - 1) < 0.5;
}

// --- stepping ---------------------------------------------------------------------------------------------------------------

// The index-1 equations have just been evaluated at this state.
void Ida::start(const State<double>& s) {
  at_ = s;
  turns_ = s.turns;
  start_ = now_ = before_ = s.t;
  work_ = told_ = {};

  column_scale_.resize(velocities_);
  for (int i = 0; i < velocities_; ++i) {
    const int c = full_[i] / 6, half = full_[i] % 6 / 3;
    column_scale_(i) = 1 / std::sqrt(std::max(assembly_.inertia(c, half), 1e-12 * assembly_.inertia(c, 0)));
  }
  row_scale_ = (gradient(false) * column_scale_.asDiagonal()).rowwise().norm().cwiseMax(1e-12).cwiseInverse();
  basis_ = active_.empty() ? MatrixXd(0, 0) : range();
  if (basis_.cols() == basis_.rows())
    basis_.setIdentity();
  else
    basis_ = row_scale_.asDiagonal() * basis_;

  create(s.t);
  std::copy(s.positions.begin(), s.positions.end(), data(y_));
  carriers_.derivative(s.positions.data(), s.velocities.data(), data(dy_));
  VectorXd lambda(Eigen::Index(active_.size()));
  for (int i = 0; i < velocities_; ++i) {
    data(y_)[positions_ + i] = s.velocities[full_[i]];
    data(dy_)[positions_ + i] = s.accelerations[full_[i]];
  }
  for (size_t k = 0; k < active_.size(); ++k) lambda(Eigen::Index(k)) = s.lambda[active_[k]];
  const VectorXd mu = basis_.cols() == basis_.rows() ? lambda : dense::solve_least_squares(basis_, lambda);
  for (int k = 0; k < mu.size(); ++k) {
    data(y_)[positions_ + velocities_ + k] = mu(k);
    data(dy_)[positions_ + velocities_ + k] = 0;
  }
  IDAReInit(memory_.get(), s.t, y_.get(), dy_.get());
  IDASetStopTime(memory_.get(), stop_);
}

void Ida::create(double t) {
  const int n = size();
  if (memory_ && N_VGetLength(y_.get()) == n) return;
  memory_.reset();
  for (Vector* v : {&y_, &dy_, &out_, &constants_}) {
    v->reset(N_VNew_Serial(n, context_.handle));
    N_VConst(0, v->get());
  }
  matrix_.reset(SUNDenseMatrix(n, n, context_.handle));
  solver_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.handle));
  memory_.reset(IDACreate(context_.handle));

  void* memory = memory_.get();
  const auto F = [](double time, N_Vector y, N_Vector dy, N_Vector r, void* self) {
    return static_cast<Ida*>(self)->evaluate(time, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), N_VGetArrayPointer(r)) ? 0 : 1;
  };
  const auto J = [](double time, double cj, N_Vector y, N_Vector dy, N_Vector, SUNMatrix matrix, void* self, N_Vector, N_Vector,
                    N_Vector) {
    return static_cast<Ida*>(self)->jacobian(time, cj, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), matrix) ? 0 : 1;
  };
  IDAInit(memory, F, t, y_.get(), dy_.get());
  IDASetUserData(memory, this);
  IDASetErrHandlerFn(
      memory, [](int, const char*, const char*, char*, void*) {}, nullptr);  // its flags tell enough
  set_tolerances();
  for (int i = 0; i < n; ++i) data(constants_)[i] = i < positions_ + velocities_ ? 1 : 0;  // 1: differential
  IDASetId(memory, constants_.get());
  IDASetSuppressAlg(memory, 1);
  IDASetLinearSolver(memory, solver_.get(), matrix_.get());
  IDASetJacFn(memory, J);
}

// Those of μ are beyond reach: multipliers follow from q and v.
void Ida::set_tolerances() {
  double length = 0;
  for (int c = 0; c < carriers_.first_state; ++c)
    for (int i = 0; i < 3; ++i) length = std::max(length, std::abs(at_.positions[7 * c + i]));
  for (const auto& m : assembly_.model().nominal.markers) length = std::max(length, norm(m.offset));
  if (length == 0) length = 1;
  const double small = 0.01 * tolerance_;
  for (int i = 0; i < size(); ++i)
    data(constants_)[i] = i >= positions_ + velocities_ ? 1e100 : i < positions_ && i % 7 < 3 ? small * length : small;
  for (int i = 7 * carriers_.first_state; i < positions_; ++i)
    data(constants_)[i] = 1e100;  // integrals of states that nobody reads
  for (int i = 0; i < velocities_; ++i)
    if (full_[i] >= 6 * carriers_.first_state) data(constants_)[positions_ + i] = tolerance_;  // 1 is the size states may have
  IDASVtolerances(memory_.get(), tolerance_, constants_.get());
}

void Ida::begin(State<double>& s, double step) {
  rate_ = 0.1 / step;
  index1_.evaluate(s, Side::right);
  index1_.project_velocities(s);
  index1_.evaluate(s, Side::right);
  index1_.accelerations(s);

  // Never beyond a kink.
  const double duration = assembly_.model().settings.duration;
  stop_ = std::max(duration, s.t + step);
  for (double t : assembly_.realization().breakpoints)
    if (t > s.t + 1e-12 * duration) {
      stop_ = std::min(stop_, t);
      break;
    }
  start(s);
}

// Steps as IDA likes them, until t₁ is reached; angles are counted on at each.
bool Ida::advance(double t1) {
  constexpr int most = 200000;
  if (t1 > stop_) IDASetStopTime(memory_.get(), stop_ = t1);
  for (int steps = 0; now_ < t1; ++steps) {
    if (assembly_.accounts()) add_work(before_, now_, work_);
    before_ = now_;
    const int flag = steps < most ? IDASolve(memory_.get(), stop_, &now_, y_.get(), dy_.get(), IDA_ONE_STEP) : IDA_TOO_MUCH_WORK;
    if (flag < 0) {
      const bool work = flag == IDA_TOO_MUCH_WORK, digits = flag == IDA_TOO_MUCH_ACC;
      why_ = fmt::format("IDA stopped at t = {:.9g} s: {}. Try {} 'tolerance' (now {:g})", now_, reason(flag),
                         work || digits ? "a larger" : "another", tolerance_);
      return false;
    }
    unpack(data(y_), data(dy_));
    assembly_.kinematics(now_, Side::left, at_.positions.data(), at_.velocities.data(), turns_.data());
    assembly_.update_turns(turns_.data());
  }
  return true;
}

// By the interpolation of its last step; multipliers follow from positions and velocities.
Energies<double> Ida::power_at(double t) {
  IDAGetDky(memory_.get(), t, 0, out_.get());
  unpack(data(out_), data(dy_));
  at_.t = t;
  std::copy(turns_.begin(), turns_.end(), at_.turns.begin());
  index1_.evaluate(at_, t > start_ ? Side::left : Side::right);
  index1_.accelerations(at_);
  return assembly_.power(at_.lambda.data());
}

// By Simpson's rule, within its last step.
void Ida::add_work(double from, double to, Energies<double>& work) {
  if (!(to > from)) return;
  const double h = to - from;
  work.add(h / 6, power_at(from)), work.add(4 * h / 6, power_at(from + h / 2)), work.add(h / 6, power_at(to));
}

bool Ida::step(State<double>& s, double t1) {
  if (!advance(t1)) return true;
  if (assembly_.accounts()) {
    Energies<double> work = work_;
    add_work(before_, t1, work);
    s.work.add(1, work), s.work.add(-1, told_);
    told_ = work;
  }
  if (now_ > t1)
    IDAGetDky(memory_.get(), t1, 0, out_.get());  // its own interpolation, as good as its steps
  else
    N_VScale(1, y_.get(), out_.get());
  unpack(data(out_), data(dy_));
  s.t = t1;
  std::copy(at_.positions.begin(), at_.positions.end(), s.positions.begin());
  std::copy(at_.velocities.begin(), at_.velocities.end(), s.velocities.begin());
  std::copy(turns_.begin(), turns_.end(), s.turns.begin());
  const bool bad = index1_.evaluate(s, Side::left);
  index1_.accelerations(s);
  assembly_.update_turns(s.turns.data());
  if (bad) {
    why_ = fmt::format("the equations of motion cannot be solved at t = {:.9g} s", t1);
  } else if (const double* open = assembly_.evaluation().residual; violation_.is_too_large(open)) {
    why_ = violation_.message({open, size_t(assembly_.rows())}, t1) + "; or take a smaller 'tolerance'";
    return true;
  }

  if (!bad && t1 < stop_ && basis_.cols() < basis_.rows() && range_has_changed()) start(s);
  return bad;
}

void Ida::evaluate_for_output(State<double>& s, Side side) {
  assembly_.kinematics(s.t, side, s.positions.data(), s.velocities.data(), s.turns.data());
  assembly_.constrain();
  assembly_.forces();
}

}  // namespace

bool have_ida() { return true; }
static std::unique_ptr<Stepper> make_ida(Assembly<double>& a, const Settings& s) {
  return std::make_unique<Ida>(a, tolerance_of(s));
}

}  // namespace aleator::core

#else

namespace aleator::core {

bool have_ida() { return false; }
static std::unique_ptr<Stepper> make_ida(Assembly<double>&, const Settings&) {
  throw SimulationError(
      "this program was built without SUNDIALS, so 'integrator: ida' is not available; install the package libsundials-dev and "
      "build again");
}

}  // namespace aleator::core

#endif

namespace aleator::core {

constinit const Integrator ida_integrator{
    .order = 5, .chooses_steps = true, .tolerance = 1e-8, .is_available = have_ida, .make = make_ida};

}  // namespace aleator::core
