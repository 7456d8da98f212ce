#include "uncertainty/kummer_beta_moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace aleator::core {

namespace {

// φ(Q) = log ∫ e^α (1−e)^(β+1) exp(−s e (1−Q)) de on 0 ≤ Q ≤ 1, with mean and variance of e given Q. The derivatives with
// respect to Q of φ, of the mean and of the variance are s times the next cumulant: quintic Hermite interpolation.
class InnerIntegral {
 public:
  InnerIntegral(double a, double b, double s) {
    const double h = s / intervals;
    Node before{};
    for (int k = 0; k <= intervals; ++k) {
      const TiltedBeta law(a, b, s - k * h);
      const auto& [k1, k2, k3, k4] = law.cumulant;
      const Node now{{{law.log_z, h * k1, h * h * k2}, {k1, h * k2, h * h * k3}, {k2, h * k3, h * h * k4}}};
      if (k > 0)
        for (int f = 0; f < 3; ++f) piece_[k - 1][f] = quintic(before[f], now[f]);
      before = now;
    }
  }

  struct Value {
    double phi, mean, variance;
  };
  Value operator()(double q) const {
    const double at = q * intervals;
    const int k = at > 0 ? static_cast<int>(std::min(at, intervals - 1.0)) : 0;  // also of what is not a number
    const double t = at - k;
    const auto value = [&](const Polynomial& c) { return c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5])))); };
    return {value(piece_[k][0]), value(piece_[k][1]), value(piece_[k][2])};
  }

 private:
  static constexpr int intervals = 128;
  using Node = std::array<std::array<double, 3>, 3>;  // [φ, mean, variance][value, first, second derivative]
  using Polynomial = std::array<double, 6>;

  static Polynomial quintic(const std::array<double, 3>& from, const std::array<double, 3>& to) {
    const double d = to[0] - from[0] - from[1] - from[2] / 2, d1 = to[1] - from[1] - from[2], d2 = to[2] - from[2];
    return {from[0], from[1], from[2] / 2, 10 * d - 4 * d1 + d2 / 2, -15 * d + 7 * d1 - d2, 6 * d - 3 * d1 + d2 / 2};
  }

  std::array<std::array<Polynomial, 3>, intervals> piece_;
};

// Coordinate systems that end with the same direction share it, and so do all rules at one S: the last few are kept.
std::shared_ptr<const InnerIntegral> inner_integral(double a, double b, double s) {
  struct Kept {
    std::array<double, 3> of{};
    std::shared_ptr<const InnerIntegral> integral;
  };
  thread_local std::array<Kept, 6> kept;
  thread_local std::size_t next = 0;
  const std::array<double, 3> wanted{a, b, s};
  for (const Kept& k : kept)
    if (k.integral && k.of == wanted) return k.integral;
  Kept& oldest = kept[next++ % kept.size()];
  oldest = {wanted, std::make_shared<const InnerIntegral>(a, b, s)};
  return oldest.integral;
}

// The same for where points are placed: the last one.
std::shared_ptr<const KummerBetaFactors> factors_of(const KummerBetaOrdered& law) {
  thread_local KummerBetaOrdered of{};
  thread_local std::shared_ptr<const KummerBetaFactors> kept;
  if (!kept || of.lambda_l != law.lambda_l || of.lambda_u != law.lambda_u || of.s != law.s) {
    kept = std::make_shared<const KummerBetaFactors>(law.lambda_l, law.lambda_u, law.s);
    of = law;
  }
  return kept;
}

double positive_part(double v) { return std::max(v, 0.0); }

// Of B in the given order of the directions.
KummerBetaMoments integrate(const KummerBetaOrdered& law, KummerBetaRule rule);

}  // namespace

Eigen::Matrix3d KummerBetaCoordinates::matrix() const {
  const double big_r = std::sqrt((1 - q * q) * (1 - p * p)) * r - std::sqrt(c) * q * p;
  Eigen::Matrix3d t = Eigen::Matrix3d::Zero();
  t(0, 0) = std::sqrt(x), t(1, 1) = std::sqrt(c), t(2, 2) = std::sqrt(e);
  t(0, 1) = std::sqrt((1 - x) * (1 - c)) * p;
  t(0, 2) = std::sqrt((1 - x) * (1 - e)) * big_r;
  t(1, 2) = std::sqrt((1 - c) * (1 - e)) * q;
  return t.transpose() * t;
}

KummerBetaOrdered ordered(double lambda_l, double lambda_u, const Eigen::Vector3d& s, const KummerBetaSystem& system) {
  const Eigen::Vector3d t(s[system.order[0]], s[system.order[1]], s[system.order[2]]);
  return system.mirrored ? KummerBetaOrdered{lambda_u, lambda_l, -t} : KummerBetaOrdered{lambda_l, lambda_u, t};
}

Eigen::Matrix3d reordered(const Eigen::Matrix3d& b, const KummerBetaSystem& system) {
  Eigen::Matrix3d out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out(system.order[i], system.order[j]) = system.mirrored ? (i == j ? 1.0 : 0.0) - b(i, j) : b(i, j);
  return out;
}

KummerBetaFactors::KummerBetaFactors(double lambda_l, double lambda_u, const Eigen::Vector3d& s)
    : x(2 - lambda_l, 2 - lambda_u, s[0]),
      c(1.5 - lambda_l, 2 - lambda_u, s[1]),
      e(1 - lambda_l, 2 - lambda_u, s[2]),
      p2(0.5, 1.5 - lambda_u, 0),
      q2(0.5, 1.5 - lambda_u, 0),
      r2(0.5, 1 - lambda_u, 0) {
  std::array<TiltedBeta*, 6> law{&x, &c, &e, &p2, &q2, &r2};
  constexpr double close = 1e-3;  // the tilts only place points: they need not be exact
  for (int sweep = 0; sweep < 60; ++sweep) {
    double change = 0;
    for (int k = 0; k < 6; ++k) {
      const double mx = x.cumulant[0], mc = c.cumulant[0], me = e.cumulant[0], mp = p2.cumulant[0], mq = q2.cumulant[0],
                   mr = r2.cumulant[0];
      const double r_squared = (1 - mq) * (1 - mp) * mr + mc * mq * mp;  // R², its cross term averaged out
      const double s3 = s[2] * (1 - me);
      const double tilts[6] = {s[0] - s[1] * (1 - mc) * mp - s3 * r_squared,
                               s[1] * (1 - (1 - mx) * mp) + s3 * mq * ((1 - mx) * mp - 1),
                               s[2] * (1 - (1 - mc) * mq - (1 - mx) * r_squared),
                               s[1] * (1 - mx) * (1 - mc) + s3 * (1 - mx) * (mc * mq - (1 - mq) * mr),
                               s3 * ((1 - mc) + (1 - mx) * (mc * mp - (1 - mp) * mr)),
                               s3 * (1 - mx) * (1 - mq) * (1 - mp)};
      const double tilt = sweep == 0 ? tilts[k] : 0.5 * (tilts[k] + law[k]->tilt);
      const double before = law[k]->cumulant[0], deviation = std::sqrt(law[k]->cumulant[1]);
      *law[k] = TiltedBeta(law[k]->a, law[k]->b, tilt);
      change = std::max(change, std::abs(law[k]->cumulant[0] - before) / deviation);
    }
    if (change < close) break;
  }
}

KummerBetaMoments kummer_beta_moments(double lambda_l, double lambda_u, const Eigen::Vector3d& s, KummerBetaSystem system,
                                      KummerBetaRule rule) {
  const auto& [order, mirrored] = system;
  const auto found = integrate(ordered(lambda_l, lambda_u, s, system), rule);
  // ∫ e^(−tr S B) … dB = e^(−tr S) ∫ e^(tr S H) … dH,  H = I − B
  KummerBetaMoments out{mirrored ? found.log_z - s.sum() : found.log_z, {}, {}, {}};
  for (int i = 0; i < 3; ++i) {
    out.mean[order[i]] = mirrored ? 1 - found.mean[i] : found.mean[i];
    for (int j = 0; j < 3; ++j) {
      out.covariance(order[i], order[j]) = found.covariance(i, j);
      out.square(order[i], order[j]) = found.square(i, j);
    }
  }
  for (int i = 0; i < 3; ++i) out.square(i, i) = out.covariance(i, i) + out.mean[i] * out.mean[i];
  return out;
}

namespace {

KummerBetaMoments integrate(const KummerBetaOrdered& law, KummerBetaRule rule) {
  const auto& [lambda_l, lambda_u, s] = law;
  const auto kept_factors = factors_of(law);
  const auto kept_inner = inner_integral(1 - lambda_l, 2 - lambda_u, s[2]);
  const KummerBetaFactors& factors = *kept_factors;
  const InnerIntegral& inner = *kept_inner;
  const auto rx = factors.x.gauss(rule.n), rc = factors.c.gauss(rule.n);
  const auto rp = factors.p2.gauss(rule.m), rq = factors.q2.gauss(rule.m), rr = factors.r2.gauss(rule.m);

  // Σ weight · (1, B_ii, B_ii B_jj, B_ij²), weights relative to exp(offset)
  double offset = -1e300, z = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d products = Eigen::Matrix3d::Zero(), square = Eigen::Matrix3d::Zero();
  for (int ix = 0; ix < rule.n; ++ix)
    for (int ic = 0; ic < rule.n; ++ic) {
      const double x = rx.x[ix], c = rc.x[ic], root_c = std::sqrt(c);
      for (int ip = 0; ip < rule.m; ++ip)
        for (int iq = 0; iq < rule.m; ++iq) {
          const double p2 = rp.x[ip], q2 = rq.x[iq], pq = std::sqrt(p2 * q2);
          const double b22 = c + (1 - x) * (1 - c) * p2, b12 = x * (1 - x) * (1 - c) * p2;
          const double outer =
              -s[0] * x - s[1] * b22 + factors.x.tilt * x + factors.c.tilt * c + factors.p2.tilt * p2 + factors.q2.tilt * q2;
          const double w_outer = rx.w[ix] * rc.w[ic] * rp.w[ip] * rq.w[iq];
          for (int ir = 0; ir < rule.m; ++ir)
            for (const int sign : {-1, 1}) {  // p, q ≥ 0 by symmetry, r of both signs
              const double r2 = rr.x[ir];
              const double big_r = sign * std::sqrt((1 - q2) * (1 - p2) * r2) - root_c * pq;
              const double q_all = (1 - c) * q2 + (1 - x) * big_r * big_r;
              const auto [phi, mean, variance] = inner(q_all);
              const double exponent = outer + factors.r2.tilt * r2 - s[2] * q_all + phi;
              if (exponent > offset) {  // a new largest term: rescale the sums
                const double shrink = std::exp(offset - exponent);
                offset = exponent, z *= shrink, first *= shrink, products *= shrink, square *= shrink;
              }
              const double w = w_outer * rr.w[ir] * std::exp(exponent - offset);
              const double b33 = q_all + (1 - q_all) * mean;
              const double mixed = (1 - x) * std::sqrt(p2) * big_r + root_c * std::sqrt(q2);
              z += w;
              first[0] += w * x, first[1] += w * b22, first[2] += w * b33;
              products(0, 0) += w * x * x, products(1, 1) += w * b22 * b22;
              products(2, 2) += w * (b33 * b33 + (1 - q_all) * (1 - q_all) * positive_part(variance));
              products(0, 1) += w * x * b22, products(0, 2) += w * x * b33, products(1, 2) += w * b22 * b33;
              square(0, 1) += w * b12;
              square(0, 2) += w * x * (1 - x) * (1 - mean) * big_r * big_r;
              square(1, 2) += w * (1 - c) * (1 - mean) * mixed * mixed;
            }
        }
    }

  KummerBetaMoments out;
  // The rules are normalised: their Z come back; 2 for the two signs, each of weight ½, of the three symmetric coordinates.
  out.log_z =
      std::log(z / 2) + offset + factors.x.log_z + factors.c.log_z + factors.p2.log_z + factors.q2.log_z + factors.r2.log_z;
  out.mean = first / z;
  products = (products / z).selfadjointView<Eigen::Upper>().toDenseMatrix();
  square = (square / z).selfadjointView<Eigen::Upper>().toDenseMatrix();
  out.covariance = products - out.mean * out.mean.transpose();
  square.diagonal() = products.diagonal();
  out.square = square;
  return out;
}

}  // namespace

}  // namespace aleator::core
