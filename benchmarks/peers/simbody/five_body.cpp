// Five bodies on driven supports: two driven sliders (the second on a slide along x), the upper part a tree of a free body and two
// hinges; bushings between them. Nine coordinates, no constraints.
#include "peers/simbody/tools.hpp"

namespace simbody_peer {

using namespace SimTK;

namespace {

// u = from + speed (t − start), different in each piece.
class PiecewiseRamp : public Motion::Custom::Implementation {
 public:
  struct Piece {
    double start, from, speed;
  };
  explicit PiecewiseRamp(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}
  Motion::Level getLevel(const State&) const override { return Motion::Position; }
  void calcPrescribedPosition(const State& s, int, Real* q) const override {
    const Piece& p = pieces_[now];
    q[0] = p.from + p.speed * (s.getTime() - p.start);
  }
  void calcPrescribedPositionDot(const State&, int, Real* qdot) const override { qdot[0] = pieces_[now].speed; }
  void calcPrescribedPositionDotDot(const State&, int, Real* qdotdot) const override { qdotdot[0] = 0; }
  size_t now = 0;

 private:
  std::vector<Piece> pieces_;
};

// Axes of the lower body; the force acts at the upper one's attachment point, the opposite one at the same place; moments of springs
// are on the rotation vector.
class Bushing : public Force::Custom::Implementation {
 public:
  Bushing(const MobilizedBody& lower, const Vec3& at_lower, const MobilizedBody& upper, const Vec3& at_upper)
      : lower_(lower), upper_(upper), at_lower_(at_lower), at_upper_(at_upper) {}

  void calcForce(const State& s, Vector_<SpatialVec>& bodies, Vector_<Vec3>&, Vector&) const override {
    const Transform &A = lower_.getBodyTransform(s), &B = upper_.getBodyTransform(s);
    const SpatialVec &VA = lower_.getBodyVelocity(s), &VB = upper_.getBodyVelocity(s);
    const Vec3 arm = B.R() * at_upper_, p = B.p() + arm, r = p - A * at_lower_;
    const Vec3 d = ~A.R() * r;
    const Vec3 v = VB[1] + VB[0] % arm, v_lower = VA[1] + VA[0] % (p - A.p());
    const Vec3 rate = ~A.R() * (v - v_lower), w = ~A.R() * (VB[0] - VA[0]);
    const Vec4 turn = (~A.R() * B.R()).convertRotationToAngleAxis();
    const Vec3 theta = turn[0] * turn.getSubVec<3>(1);
    const Vec3 F = -(A.R() * Vec3(1e6 * d[0] + 300 * rate[0], 1e6 * d[1] + 300 * rate[1], 2.8e5 * d[2] + 260 * rate[2]));
    const Vec3 M = -(A.R() * (1e5 * theta + 50 * w));
    bodies[upper_.getMobilizedBodyIndex()] += SpatialVec(M + arm % F, F);
    bodies[lower_.getMobilizedBodyIndex()] -= SpatialVec(M + (p - A.p()) % F, F);
  }
  Real calcPotentialEnergy(const State&) const override { return 0; }

 private:
  MobilizedBody lower_, upper_;
  Vec3 at_lower_, at_upper_;
};

}  // namespace

std::vector<double> five_body(const Input& in, const Settings& settings) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity gravity(forces, matter, Vec3(0, 0, -9.81));
  const BodyNumbers &b1 = in.bodies[0], &b2 = in.bodies[1], &b3 = in.bodies[2], &b4 = in.bodies[3], &b5 = in.bodies[4];

  const Vec3 foot1(-1, 0, 0), foot2(1, 0, 0), neck1(-1, 0, 0.25), neck2(1, 0, 0.25), hinge1(-1, 0, 0.5), hinge2(1, 0, 0.5);
  MobilizedBody::Slider rb1(matter.Ground(), frame(nullptr, foot1, XAxis, ZAxis), rigid(b1), frame(&b1, foot1, XAxis, ZAxis));
  MobilizedBody::Slider lift(matter.Ground(), frame(nullptr, foot2, XAxis, ZAxis), Body::Massless(),
                             frame(nullptr, Vec3(0), XAxis, ZAxis));
  MobilizedBody::Slider rb2(lift, frame(nullptr, Vec3(0), XAxis, XAxis), rigid(b2), frame(&b2, foot2, XAxis, XAxis));
  MobilizedBody::Free rb3(matter.Ground(), Transform(vec(b3.center_of_mass)), rigid(b3), Transform());
  MobilizedBody::Pin rb5(rb3, frame(&b3, hinge1, ZAxis, YAxis), rigid(b5), frame(&b5, hinge1, ZAxis, YAxis));
  MobilizedBody::Pin rb4(rb5, frame(&b5, hinge2, ZAxis, YAxis), rigid(b4), frame(&b4, hinge2, ZAxis, YAxis));

  // A handle owns its implementation; a piece of motion is entered through these.
  auto *ramp1 = new PiecewiseRamp({{0, 0, 0}, {1e-3, 0, 2}, {6e-3, 0.01, 0}, {1.1e-2, 0.01, 0}, {1.6e-2, 0.01, 0}}),
       *ramp2 = new PiecewiseRamp({{0, 0, 0}, {1e-3, 0, 0}, {6e-3, 0, 0}, {1.1e-2, 0, 2}, {1.6e-2, 0.01, 0}});
  Motion::Custom drive1(rb1, ramp1), drive2(lift, ramp2);
  Force::Custom(forces, new Bushing(rb1, local(&b1, neck1), rb3, local(&b3, neck1)));
  Force::Custom(forces, new Bushing(rb2, local(&b2, neck2), rb4, local(&b4, neck2)));

  const State state = system.realizeTopology();
  const Vec3 observed = local(&b5, Vec3(0, 0, 0.55));
  Run run{system, settings, 2, {1e-3, 6e-3, 1.1e-2, 1.6e-2}, {}, {}};
  run.enter = [&](size_t piece) { ramp1->now = ramp2->now = piece; };
  run.observe = [&](const State& s, double* values) {
    values[0] = rb5.findStationAccelerationInGround(s, observed)[2];
    values[1] = rb5.getBodyAngularAcceleration(s)[0];
  };
  return run.go(state);
}

}  // namespace simbody_peer
