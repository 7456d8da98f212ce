#include "dynamics/ida.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dynamics/index1.hpp"

#ifdef ALEATOR_HAVE_IDA

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

namespace aleator {

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
    case IDA_TOO_MUCH_WORK: return "it takes too many steps";
    case IDA_TOO_MUCH_ACC: return "the tolerance asks for more digits than a double has";
    case IDA_ERR_FAIL: return "the error test fails even with the smallest step";
    case IDA_CONV_FAIL: return "Newton's iteration does not converge even with the smallest step";
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL: return "the linear equations cannot be solved";
    case IDA_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL: return "the forces or constraints cannot be evaluated";
    default: return "IDA gave up";
  }
}

class Ida final : public Stepper<double> {
 public:
  Ida(Assembly<double>& assembly, double tolerance);

  void begin(State<double>& s, double step) override;
  bool step(State<double>& s, double t1) override;
  std::string why() const override { return why_; }
  void evaluate_for_output(const State<double>& s, Side side) override;

 private:
  void create();
  void set_tolerances();
  void unpack(const double* y, const double* dy);
  bool evaluate(double t, const double* y, const double* dy, double* F);
  bool jacobian(double t, double cj, const double* y, const double* dy, SUNMatrix J);
  void add_rates(double cj, SUNMatrix J) const;
  void add_multipliers(SUNMatrix J) const;
  bool advance(double t1);

  Assembly<double>& assembly_;
  Index1<double> index1_;
  double tolerance_;
  int bodies_, velocities_, positions_;  // the unknowns: positions_ = 7 bodies, then velocities_, then active_.size()
  std::vector<int> full_;                // [velocities] place in [6 bodies]
  std::vector<int> active_;              // rows that are not superfluous …
  std::vector<int> place_;               // [rows] … and where they are among the unknowns, −1 for the others
  double rate_ = 0;                      // a of the stabilisation
  double start_ = 0, now_ = 0, stop_ = 0;
  State<double> at_;                     // what evaluate() works on
  std::vector<double> residual_, rows_, work_, base_, moved_;
  AlignedVector<double> turns_;          // at the last step of IDA
  std::string why_;

  Context context_;
  Vector y_, dy_, out_, id_, tolerances_;
  std::unique_ptr<_generic_SUNMatrix, FreeMatrix> matrix_;
  std::unique_ptr<_generic_SUNLinearSolver, FreeSolver> solver_;
  std::unique_ptr<void, FreeMemory> memory_;
};

Ida::Ida(Assembly<double>& assembly, double tolerance)
    : assembly_(assembly), index1_(assembly), tolerance_(tolerance), bodies_(assembly.bodies()), velocities_(assembly.model().structure.dofs), positions_(7 * bodies_) {
  const Structure& s = assembly.model().structure;
  full_.resize(velocities_);
  for (int i = 0; i < 6 * bodies_; ++i)
    if (s.dof[i] >= 0) full_[s.dof[i]] = i;
  place_.assign(s.rows, -1);
  for (int r = 0; r < s.rows; ++r)
    if (s.row_active[r]) {
      place_[r] = positions_ + velocities_ + int(active_.size());
      active_.push_back(r);
    }
  residual_.resize(6 * bodies_);
  rows_.resize(s.rows);
  create();
}

// --- the problem, as IDA sees it --------------------------------------------------------------------------------------------

void Ida::unpack(const double* y, const double* dy) {
  std::copy(y, y + positions_, at_.positions.begin());
  for (int b = 0; b < bodies_; ++b) RigidBody::normalize(&at_.positions[7 * b]);
  for (int i = 0; i < velocities_; ++i) {
    at_.velocities[full_[i]] = y[positions_ + i];
    at_.accelerations[full_[i]] = dy[positions_ + i];
  }
  for (size_t k = 0; k < active_.size(); ++k) at_.lambda[active_[k]] = y[positions_ + velocities_ + k];
}

// F(t, y, ẏ); false when it has no finite value.
bool Ida::evaluate(double t, const double* y, const double* dy, double* F) {
  unpack(y, dy);
  const Topology& topology = assembly_.model().topology;
  assembly_.kinematics(t, t > start_ ? Side::left : Side::right, at_.positions.data(), at_.velocities.data(), turns_.data());
  assembly_.constrain();
  assembly_.forces();

  for (int b = 0; b < bodies_; ++b) {
    const double* q = y + 7 * b;
    double rate[7];
    RigidBody::derivative(q, &at_.velocities[6 * b], rate);
    const double excess = 1 - (q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    for (int i = 0; i < 7; ++i) F[7 * b + i] = dy[7 * b + i] - rate[i] - (i < 3 ? 0 : 0.5 * rate_ * excess * q[i]);
  }

  assembly_.residual(at_.accelerations.data(), at_.lambda.data(), residual_.data());
  for (int i = 0; i < velocities_; ++i) F[positions_ + i] = residual_[full_[i]];

  const Evaluation<double>& e = assembly_.evaluation();
  assembly_.velocity_residual(rows_.data());
  for (int r = 0; r < assembly_.rows(); ++r)
    rows_[r] = 2 * rate_ * rows_[r] + rate_ * rate_ * e.residual[r] + e.bias[r] - assembly_.regularization()[r] * at_.lambda[r];
  for (size_t k = 0; k < topology.block_row.size(); ++k) {
    const int b = topology.block_body[k];
    if (b == bodies_) continue;
    const double* a = &at_.accelerations[6 * b];
    const Vec3<double> alpha = assembly_.frames()[b].R * Vec3<double>{a[3], a[4], a[5]};
    rows_[topology.block_row[k]] += dot(e.jacobian[k].F, Vec3<double>{a[0], a[1], a[2]}) + dot(e.jacobian[k].M, alpha);
  }
  double sum = 0;
  for (size_t k = 0; k < active_.size(); ++k) F[positions_ + velocities_ + k] = rows_[active_[k]];
  for (int i = 0; i < positions_ + velocities_ + int(active_.size()); ++i) sum += F[i];
  return std::isfinite(sum) && !assembly_.status().failed;
}

// ∂F/∂y + c ∂F/∂ẏ: differences in the columns of q and v, exact in those of λ and of ẏ.
bool Ida::jacobian(double t, double cj, const double* y, const double* dy, SUNMatrix J) {
  const int n = positions_ + velocities_ + int(active_.size());
  SUNMatZero(J);
  base_.resize(n), moved_.resize(n);
  work_.assign(y, y + n);
  if (!evaluate(t, y, dy, base_.data())) return false;
  for (int j = 0; j < positions_ + velocities_; ++j) {
    const double h = 1e-7 * std::max(1.0, std::abs(y[j]));
    work_[j] = y[j] + h;
    if (!evaluate(t, work_.data(), dy, moved_.data())) return false;
    work_[j] = y[j];
    double* column = SM_COLUMN_D(J, j);
    for (int i = 0; i < n; ++i) column[i] = (moved_[i] - base_[i]) / h;
  }
  if (!evaluate(t, y, dy, moved_.data())) return false;
  add_rates(cj, J);
  add_multipliers(J);
  return true;
}

// c ∂F/∂ẏ = c [I; M; G], the angular parts of v̇ in body axes
void Ida::add_rates(double cj, SUNMatrix J) const {
  for (int j = 0; j < positions_; ++j) SM_ELEMENT_D(J, j, j) += cj;
  const Structure& s = assembly_.model().structure;
  const Topology& topology = assembly_.model().topology;
  for (int j = 0; j < velocities_; ++j) {
    const int b = full_[j] / 6, i = full_[j] % 6;
    double* column = SM_COLUMN_D(J, positions_ + j);
    const auto& p = assembly_.body_parameters()[b];
    if (i < 3) {
      column[positions_ + j] += cj * p.mass;
      continue;
    }
    const Vec3<double> turning = assembly_.frames()[b].R * p.inertia.column(i - 3);
    for (int k = 0; k < 3; ++k)
      if (const int row = s.dof[6 * b + 3 + k]; row >= 0) column[positions_ + row] += cj * turning[k];
  }
  for (size_t k = 0; k < topology.block_row.size(); ++k) {
    const int b = topology.block_body[k], row = place_[topology.block_row[k]];
    if (b == bodies_ || row < 0) continue;
    const Wrench<double>& g = assembly_.evaluation().jacobian[k];
    const Vec3<double> turn = transposed_times(assembly_.frames()[b].R, g.M);
    for (int i = 0; i < 6; ++i)
      if (const int column = s.dof[6 * b + i]; column >= 0) SM_ELEMENT_D(J, row, positions_ + column) += cj * (i < 3 ? g.F[i] : turn[i - 3]);
  }
}

// [Gᵀ; −ε]. In the matrix (not in F) ε is larger, so that the errors of differences do not drown it: a redundant row then has a
// pivot, and the part of λ that it concerns moves nothing.
void Ida::add_multipliers(SUNMatrix J) const {
  const Structure& s = assembly_.model().structure;
  const Topology& topology = assembly_.model().topology;
  for (int r : active_) SM_ELEMENT_D(J, place_[r], place_[r]) -= 1e4 * assembly_.regularization()[r];
  for (size_t k = 0; k < topology.block_row.size(); ++k) {
    const int b = topology.block_body[k], column = place_[topology.block_row[k]];
    if (b == bodies_ || column < 0) continue;
    const Wrench<double>& g = assembly_.evaluation().jacobian[k];
    for (int i = 0; i < 6; ++i)
      if (const int row = s.dof[6 * b + i]; row >= 0) SM_ELEMENT_D(J, positions_ + row, column) += i < 3 ? g.F[i] : g.M[i - 3];
  }
}

// --- stepping ---------------------------------------------------------------------------------------------------------------

void Ida::create() {
  const int n = positions_ + velocities_ + int(active_.size());
  for (Vector* v : {&y_, &dy_, &out_, &id_, &tolerances_}) v->reset(N_VNew_Serial(n, context_.handle));
  matrix_.reset(SUNDenseMatrix(n, n, context_.handle));
  solver_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.handle));
  memory_.reset(IDACreate(context_.handle));
  for (int i = 0; i < n; ++i) data(id_)[i] = i < positions_ + velocities_ ? 1 : 0;  // 1: differential
}

// Those of λ are beyond reach: multipliers follow from q and v.
void Ida::set_tolerances() {
  double length = 0;
  for (int b = 0; b < bodies_; ++b)
    for (int i = 0; i < 3; ++i) length = std::max(length, std::abs(at_.positions[7 * b + i]));
  for (const auto& m : assembly_.model().nominal.markers) length = std::max(length, norm(m.offset));
  if (length == 0) length = 1;
  const double small = 0.01 * tolerance_;
  for (int i = 0; i < positions_; ++i) data(tolerances_)[i] = i % 7 < 3 ? small * length : small;
  for (int i = 0; i < velocities_; ++i) data(tolerances_)[positions_ + i] = small;
  for (size_t k = 0; k < active_.size(); ++k) data(tolerances_)[positions_ + velocities_ + k] = 1e100;
  IDASVtolerances(memory_.get(), tolerance_, tolerances_.get());
}

void Ida::begin(State<double>& s, double step) {
  rate_ = 0.1 / step;
  index1_.evaluate(s, Side::right);
  index1_.project_velocities(s);
  index1_.evaluate(s, Side::right);
  index1_.accelerations(s);

  const bool first = at_.positions.empty();
  at_ = s;
  turns_ = s.turns;
  start_ = now_ = s.t;
  std::copy(s.positions.begin(), s.positions.end(), data(y_));
  for (int b = 0; b < bodies_; ++b) RigidBody::derivative(&s.positions[7 * b], &s.velocities[6 * b], data(dy_) + 7 * b);
  for (int i = 0; i < velocities_; ++i) {
    data(y_)[positions_ + i] = s.velocities[full_[i]];
    data(dy_)[positions_ + i] = s.accelerations[full_[i]];
  }
  for (size_t k = 0; k < active_.size(); ++k) {
    data(y_)[positions_ + velocities_ + k] = s.lambda[active_[k]];
    data(dy_)[positions_ + velocities_ + k] = 0;
  }

  void* memory = memory_.get();
  if (first) {
    const auto F = [](double t, N_Vector y, N_Vector dy, N_Vector r, void* self) {
      return static_cast<Ida*>(self)->evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), N_VGetArrayPointer(r)) ? 0 : 1;
    };
    const auto J = [](double t, double cj, N_Vector y, N_Vector dy, N_Vector, SUNMatrix matrix, void* self, N_Vector, N_Vector, N_Vector) {
      return static_cast<Ida*>(self)->jacobian(t, cj, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), matrix) ? 0 : 1;
    };
    IDAInit(memory, F, s.t, y_.get(), dy_.get());
    set_tolerances();
    IDASetUserData(memory, this);
    IDASetErrHandlerFn(memory, [](int, const char*, const char*, char*, void*) {}, nullptr);  // its flags tell enough
    IDASetId(memory, id_.get());
    IDASetSuppressAlg(memory, 1);
    IDASetLinearSolver(memory, solver_.get(), matrix_.get());
    IDASetJacFn(memory, J);
  } else {
    IDAReInit(memory, s.t, y_.get(), dy_.get());
  }

  // Never beyond a kink.
  const double duration = assembly_.model().settings.duration;
  stop_ = std::max(duration, s.t + step);
  for (double t : assembly_.realization().breakpoints)
    if (t > s.t + 1e-12 * duration) {
      stop_ = std::min(stop_, t);
      break;
    }
  IDASetStopTime(memory, stop_);
}

// Steps as IDA likes them, until t₁ is reached; angles are counted on at each.
bool Ida::advance(double t1) {
  constexpr int most = 200000;
  if (t1 > stop_) IDASetStopTime(memory_.get(), stop_ = t1);
  for (int steps = 0; now_ < t1; ++steps) {
    const int flag = steps < most ? IDASolve(memory_.get(), stop_, &now_, y_.get(), dy_.get(), IDA_ONE_STEP) : IDA_TOO_MUCH_WORK;
    if (flag < 0) {
      const bool work = flag == IDA_TOO_MUCH_WORK, digits = flag == IDA_TOO_MUCH_ACC;
      why_ = fmt::format("IDA stopped at t = {:.9g} s: {}. Try {} 'tolerance' (now {:g})", now_, reason(flag), work || digits ? "a larger" : "another", tolerance_);
      return false;
    }
    unpack(data(y_), data(dy_));
    assembly_.kinematics(now_, Side::left, at_.positions.data(), at_.velocities.data(), turns_.data());
    assembly_.update_turns(turns_.data());
  }
  return true;
}

bool Ida::step(State<double>& s, double t1) {
  if (!advance(t1)) return true;
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
  if (bad) why_ = fmt::format("the equations of motion cannot be solved at t = {:.9g} s", t1);
  return bad;
}

void Ida::evaluate_for_output(const State<double>& s, Side side) {
  assembly_.kinematics(s.t, side, s.positions.data(), s.velocities.data(), s.turns.data());
  assembly_.constrain();
  assembly_.forces();
}

}  // namespace

bool have_ida() { return true; }
std::unique_ptr<Stepper<double>> make_ida(Assembly<double>& assembly, double tolerance) { return std::make_unique<Ida>(assembly, tolerance); }

}  // namespace aleator

#else

namespace aleator {

bool have_ida() { return false; }
std::unique_ptr<Stepper<double>> make_ida(Assembly<double>&, double) {
  throw SimulationError("this program was built without SUNDIALS, so 'integrator: ida' is not available; install the package libsundials-dev and build again");
}

}  // namespace aleator

#endif
