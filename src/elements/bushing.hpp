// Bushing: a six-dimensional spring-damper between markers a and b, in axes fixed to a.
//   d = R_aᵀ (p_b − p_a),   ḋ = R_aᵀ (v_b − v_a − ω_a × r),      force on b at p_b:   F = −R_a (K d + C ḋ)
//   θ = log(R_aᵀ R_b),      w = R_aᵀ (ω_b − ω_a),                moment on b:         M = −R_a (J(θ)⁻ᵀ Kθ θ + Cθ w)
// The opposite force acts on a's body at the same place p_b. J⁻ᵀ u = u + ½ θ×u + c θ×(θ×u) makes the moment the gradient
// of ½ θᵀ Kθ θ; for equal stiffnesses it is Kθ θ. A small turn changes θ by J⁻¹ (δφ_b − δφ_a), J⁻¹ = I − ½ θ~ + c θ~².
#pragma once

#include "elements/kernel.hpp"

namespace aleator::core {

struct Bushing {
  struct Topology {
    int a, b;
  };
  template <class T>
  struct Parameters {
    Vec3<T> stiffness, damping;                        // along the axes
    Vec3<T> rotational_stiffness, rotational_damping;  // about the axes
  };
  static constexpr int pairs = 1;
  static constexpr bool is_force = true;
  static MarkerPair markers(const Topology& t) { return {t.a, t.b}; }

  template <class T>
  ALEATOR_HD static Vec3<T> times(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
  }

  template <class T>
  struct Deformation {
    Vec3<T> r, d, rate, theta, w;
  };
  template <class T>
  ALEATOR_HD static Deformation<T> deformation(const MarkerFrame<T>& A, const MarkerFrame<T>& B) {
    const Vec3<T> r = B.p - A.p;
    return {r, transposed_times(A.R, r), transposed_times(A.R, B.v - A.v - cross(A.w, r)),
            rotation_vector(transposed_times(A.R, B.R)), transposed_times(A.R, B.w - A.w)};
  }

  // θ × Kθ is written so that it vanishes, and with it the rest, where stiffnesses are known to be equal.
  template <class T>
  ALEATOR_HD static Vec3<T> moment_of_spring(const Vec3<T>& theta, const Vec3<T>& stiffness) {
    const Vec3<T>&k = stiffness, &t = theta;
    const Vec3<T> u = times(k, t), w = {(k.z - k.y) * (t.y * t.z), (k.x - k.z) * (t.z * t.x), (k.y - k.x) * (t.x * t.y)};
    return u + T(0.5) * w + cot_coefficient(dot(theta, theta)) * cross(theta, w);
  }

  template <class T>
  ALEATOR_HD static PairWrench<T> wrench(const Parameters<T>& p, const MarkerFrame<T>& A, const Deformation<T>& s) {
    const Vec3<T> F = -(A.R * (times(p.stiffness, s.d) + times(p.damping, s.rate)));
    const Vec3<T> M = -(A.R * (moment_of_spring(s.theta, p.rotational_stiffness) + times(p.rotational_damping, s.w)));
    return {{-F, -M - cross(s.r, F)}, {F, M}};
  }

  template <class T>
  ALEATOR_HD static PairWrench<T> force(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    const MarkerFrame<T>& A = e.marker[t.a];
    return wrench(p, A, deformation(A, e.marker[t.b]));
  }

  // d/dθ of moment_of_spring, with u = Kθ:
  //   K + ½(θ~K − u~) + c [ (θ·u) I + θ(u + Kθ)ᵀ − x² K − 2uθᵀ ] + 2c' θ×(θ×u) θᵀ,   x² = θ·θ,  c' = dc/dx²
  template <class T>
  ALEATOR_HD static Mat3<T> moment_slope(const Vec3<T>& theta, const Vec3<T>& stiffness) {
    const Vec3<T> u = times(stiffness, theta);
    const Mat3<T> K = Mat3<T>::diagonal(stiffness);
    const T x2 = dot(theta, theta), c = cot_coefficient(x2), slope = cot_coefficient_slope(x2), tu = dot(theta, u), two(2);
    Mat3<T> D = K + T(0.5) * (skew(theta) * K - skew(u));
    D += c * (tu * Mat3<T>::identity() + two * outer(theta, u) - x2 * K - two * outer(u, theta));
    return D + (two * slope) * outer(cross(theta, cross(theta, u)), theta);
  }

  template <class T>
  ALEATOR_HD static void tangent(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, PairTangent<T>& d,
                                 PairWrench<T>& w) {
    const MarkerFrame<T>&A = e.marker[t.a], &B = e.marker[t.b];
    const Deformation<T> s = deformation(A, B);
    w = wrench(p, A, s);
    const Mat3<T>& R = A.R;
    const Mat3<T> Rt = transpose(R), r = skew(s.r), F = skew(w.b.F);
    const Mat3<T> k = R * (Mat3<T>::diagonal(p.stiffness) * Rt), c = R * (Mat3<T>::diagonal(p.damping) * Rt);
    // Force on b. Turning a turns its axes (δF = −F~ δφa + R δ(·)) and changes d and ḋ:
    //   δd = Rᵀ(δr + r~ δφa),   δḋ = Rᵀ(δv_r − r~... ) at constant velocities: Rᵀ( (v_r − ω×r)~ δφa − ω_a × δr )
    const Vec3<T> slip = B.v - A.v - cross(A.w, s.r);
    const Mat3<T> wa = skew(A.w);
    Mat3<T> dF[4], dM[4];
    dF[2] = -(k - c * wa);
    dF[0] = -dF[2];
    dF[1] = -F - k * r - c * skew(slip);
    dF[3] = Mat3<T>{};
    // Moment on b: δM = −M~ δφa − R D J⁻¹ Rᵀ (δφb − δφa) − R Cθ δw,   δw = (ω_b − ω_a)~ δφa in a's axes at constant velocities
    const Mat3<T> th = skew(s.theta);
    const Mat3<T> inverse = Mat3<T>::identity() - T(0.5) * th + cot_coefficient(dot(s.theta, s.theta)) * (th * th);
    const Mat3<T> kr = R * (moment_slope(s.theta, p.rotational_stiffness) * (inverse * Rt));
    const Mat3<T> cr = R * (Mat3<T>::diagonal(p.rotational_damping) * Rt);
    dM[3] = -kr;
    dM[1] = kr - skew(w.b.M) - cr * skew(B.w - A.w);
    dM[0] = dM[2] = Mat3<T>{};
    // On a: F_a = −F, M_a = −M − r × F; δ(r × F) = r~ δF − F~ δr.
    for (int j = 0; j < 4; ++j) {
      d.K[2][j] = dF[j];
      d.K[3][j] = dM[j];
      d.K[0][j] = -dF[j];
      d.K[1][j] = -dM[j] - r * dF[j];
    }
    d.K[1][2] += F;
    d.K[1][0] -= F;
    // Velocities: δF = −c (δv_b − δv_a + r~ δω_a), δM = −cr (δω_b − δω_a).
    Mat3<T> vF[4] = {c, -(c * r), -c, Mat3<T>{}};
    for (int j = 0; j < 4; ++j) {
      d.C[2][j] = vF[j];
      d.C[0][j] = -vF[j];
      d.C[1][j] = -(r * vF[j]);
      d.C[3][j] = Mat3<T>{};
    }
    d.C[3][1] = cr;
    d.C[3][3] = -cr;
    d.C[1][1] -= cr;
    d.C[1][3] += cr;
  }

  template <class T>
  ALEATOR_HD static T energy(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    const Deformation<T> s = deformation(e.marker[t.a], e.marker[t.b]);
    return T(0.5) * (dot(times(p.stiffness, s.d), s.d) + dot(times(p.rotational_stiffness, s.theta), s.theta));
  }
  template <class T>
  ALEATOR_HD static void power(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, bool dissipation,
                               Energies<T>& out) {
    if (!dissipation) return;
    const Deformation<T> s = deformation(e.marker[t.a], e.marker[t.b]);
    out.dissipated += dot(times(p.damping, s.rate), s.rate) + dot(times(p.rotational_damping, s.w), s.w);
  }
};

extern const Kernel bushing_kernel;

}  // namespace aleator::core
