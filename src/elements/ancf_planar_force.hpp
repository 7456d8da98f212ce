// Elastic force of the planar beam (ancf_beam.hpp), with fewer operations than point by point. About the middle of the element, η = ξ − ½,
//   c' = C + η M + θ S,   θ = −4η²,      M = r_x2 − r_x1,   C = g − ¼ s,   S = g − ¾ s,   g = 3/2 (r_2 − r_1)/l,   s = r_x1 + r_x2
//   d  = D + η e,          d' = e/l,     D = ½ (d_1 + d_2),  e = d_2 − d_1
// so that points lie in pairs ±η around the middle, which itself needs no interpolation. Strains that do not need c'·c' or c'·d are polynomials of low degree,
//   K l = c'·e = C·e + η M·e + θ S·e,      T l = d·e = D·e + η e·e,      d·d = D·D + 2η D·e + η² e·e,      Q l² = ½ e·e,
// and only integrals over their stiffness are needed of K and T,  ∫ k φ_i φ_j dx,  φ = (1, η, θ), which depend on nothing that moves.
#pragma once

#include "elements/ancf_axis.hpp"

namespace aleator::core::ancf {

// Parameters as AncfBeam<2, 1> has them; e, f: r, r_x, r_y of both nodes.
template <class Parameters, class T>
ALEATOR_HD void planar_force(const Parameters& p, const Vec<T, 2>* e, Vec<T, 2>* f) {
  using V = Vec<T, 2>;
  constexpr int middle = points / 2, cE = 0, EN = 1, EQ = 2, cN = 3, NQ = 4, cQ = 5;  // places in C_ab/E
  constexpr int shear = 0, bend = 1, skew = 2;                                        // Γ, K, T among the products
  const V g = (T(1.5) * p.inverse_length) * (e[3] - e[0]), s = e[1] + e[4];
  const V C = add_scaled(T(-0.25), s, g), M = e[4] - e[1], S = add_scaled(T(-0.75), s, g);
  const V D = T(0.5) * (e[2] + e[5]), turn = e[5] - e[2];
  const T per_square = p.inverse_length * p.inverse_length;

  // K and T
  const T K[3] = {dot(C, turn), dot(M, turn), dot(S, turn)}, along = dot(D, turn), square = dot(turn, turn);
  T kK[3][3], kT[3], given_K[3], given_T[2];  // integrals of the stiffness, and of what the reference takes away
  for (int i = 0; i < 3; ++i) {
    given_K[i] = kT[i] = T(0);
    for (int j = 0; j < 3; ++j) kK[i][j] = T(0);
  }
  given_T[0] = given_T[1] = T(0);
  for (int q = 0; q < points; ++q) {
    const double eta = gauss_xi[q] - 0.5;
    const T phi[3] = {T(1), T(eta), T(-4 * eta * eta)};
    const T bending = p.point[q].young * p.point[q].mixed[bend], twisting = p.point[q].young * p.point[q].mixed[skew];
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) kK[i][j] += bending * per_square * (phi[i] * phi[j]);
      given_K[i] += bending * p.inverse_length * p.point[q].product[bend] * phi[i];
      kT[i] += twisting * per_square * T(i == 0 ? 1 : i == 1 ? eta : eta * eta);
    }
    for (int i = 0; i < 2; ++i) given_T[i] += twisting * p.inverse_length * p.point[q].product[skew] * phi[i];
  }
  T SK[3];
  for (int i = 0; i < 3; ++i) {
    SK[i] = -given_K[i];
    for (int j = 0; j < 3; ++j) SK[i] = multiply_add(kK[i < j ? i : j][i < j ? j : i], K[j], SK[i]);
  }
  T ST[2];
  for (int i = 0; i < 2; ++i) ST[i] = multiply_add(kT[i + 1], square, multiply_add(kT[i], along, -given_T[i]));

  // E, N, Q and Γ, point by point; squares are twice the strains
  const T twice = along + along, Q = per_square * square;
  V on_C, on_M = V::zero(), on_S = V::zero(), on_D, on_turn = V::zero();
  T SQ(0);
  const auto at = [&](int q, const V& c, const V& d, const T& eta, V& P, V& R) {
    const auto& point = p.point[q];
    const T* const n = point.normal;
    const double centred = gauss_xi[q] - 0.5, bump_here = bump(gauss_xi[q]);
    const T half = T(0.5) * point.young;
    // N is interpolated between the nodes where p.bubble is 1
    const T curved = T(0.25) * p.bubble + T(centred * centred) * (T(1) - p.bubble),
            beta = T(bump_here) * (p.bubble * p.length * p.length);
    const T zQ = Q - (point.square[2] + point.square[2]);
    const T even = multiply_add(curved, square, dot(D, D)) - T(2) * (point.square[1] + beta * point.square[2]);
    // what N and Q add to the stresses: a part that is even in η, and one that is odd
    const auto of = [&](const T& nN, const T& nQ) { return multiply_add(eta, nN * twice, multiply_add(nN, even, nQ * zQ)); };
    T zE = T(-2) * point.square[0], gamma = -point.product[shear];
    for (int i = 0; i < 2; ++i) zE = multiply_add(c[i], c[i], zE), gamma = multiply_add(c[i], d[i], gamma);
    const T SE = half * multiply_add(n[cE], zE, of(n[EN], n[EQ])), SN = half * multiply_add(n[EN], zE, of(n[cN], n[NQ]));
    SQ = multiply_add(half, multiply_add(n[EQ], zE, of(n[NQ], n[cQ])), multiply_add(beta, SN, SQ));
    const T SG = (point.young * point.mixed[shear]) * gamma;
    P = add_scaled(SG, d, SE * c), R = add_scaled(SG, c, SN * d);
  };
  at(middle, C, D, T(0), on_C, on_D);
  for (int q = 0; q < middle; ++q) {
    const T eta(0.5 - gauss_xi[q]), theta(-4 * (0.5 - gauss_xi[q]) * (0.5 - gauss_xi[q]));
    const V even = add_scaled(theta, S, C);
    V P[2], R[2];
    at(q, add_scaled(-eta, M, even), add_scaled(-eta, turn, D), -eta, P[0], R[0]);
    at(points - 1 - q, add_scaled(eta, M, even), add_scaled(eta, turn, D), eta, P[1], R[1]);
    const V sum = P[0] + P[1];
    on_C += sum, on_D += R[0] + R[1];
    on_S = add_scaled(theta, sum, on_S);
    on_M = add_scaled(eta, P[1] - P[0], on_M);
    on_turn = add_scaled(eta, R[1] - R[0], on_turn);
  }
  on_C = add_scaled(SK[0], turn, on_C), on_M = add_scaled(SK[1], turn, on_M), on_S = add_scaled(SK[2], turn, on_S);
  on_D = add_scaled(ST[0], turn, on_D);
  on_turn = add_scaled(SK[0], C, add_scaled(SK[1], M, add_scaled(SK[2], S, add_scaled(ST[0], D, on_turn))));
  on_turn = add_scaled(multiply_add(per_square, SQ, ST[1] + ST[1]), turn, on_turn);

  const V chord = (T(1.5) * p.inverse_length) * (on_C + on_S), slope = add_scaled(T(0.25), on_C, T(0.75) * on_S);
  const V director = T(0.5) * on_D;
  f[0] = T(-1) * chord, f[3] = chord;
  f[1] = T(-1) * slope - on_M, f[4] = on_M - slope;
  f[2] = director - on_turn, f[5] = director + on_turn;
}

}  // namespace aleator::core::ancf
