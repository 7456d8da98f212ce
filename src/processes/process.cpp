#include "processes/process.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>

#include "numerics/fourier.hpp"
#include "processes/normals.hpp"

namespace aleator::core::processes {

namespace {

using Complex = std::complex<double>;

// Twice ∫S over a cell by two points, split where S jumps or bends.
double cell_variance(const Density& s, double a, double b) {
  a = std::max(a, s.lowest), b = std::min(b, s.highest);
  if (!(b > a)) return 0;
  double sum = 0, from = a;
  const auto add = [&](double to) {
    const double middle = (from + to) / 2, half = (to - from) / 2, at = half / std::sqrt(3.0);
    sum += 2 * half * (s.two_sided(middle - at) + s.two_sided(middle + at));
    from = to;
  };
  for (const double k : s.kinks)
    if (k > from && k < b) add(k);
  add(b);
  return sum;
}

// Lower Cholesky factor of the coherences at one frequency; what round-off makes negative is 0.
void factor(const Process& p, const Coherence* coherence, double omega, double* out) {
  const std::size_t n = p.place_count();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? 1 : coherence ? (*coherence)(omega, p.distance[i * n + j]) : 0;
      for (std::size_t k = 0; k < j; ++k) sum -= out[i * n + k] * out[j * n + k];
      if (i == j)
        out[i * n + i] = std::sqrt(std::max(0.0, sum));
      else
        out[i * n + j] = out[j * n + j] > 1e-12 ? sum / out[j * n + j] : 0;
    }
}

// Knots with value and two derivatives on both sides.
struct Jets {
  std::vector<double> knots;
  std::vector<Jet<double>> left, right;
};

// The quintic with the values and derivatives of both ends (h is half the width):
//   even part: c0 + c2 + c4, 4 c2 + 16 c4, 4 c2 + 80 c4; odd part: c1 + c3 + c5, c1 + 9 c3 + 25 c5, 24 c3 + 200 c5
void quintic(const Jet<double>& a, const Jet<double>& b, double h, double* c) {
  const double A = (a.f + b.f) / 2, B = h * (b.d1 - a.d1) / 2, C = h * h * (a.d2 + b.d2) / 2;
  const double D = (b.f - a.f) / 2, E = h * (a.d1 + b.d1) / 2, F = h * h * (b.d2 - a.d2) / 2;
  c[4] = (C - B) / 64;
  c[2] = B / 4 - 4 * c[4];
  c[0] = A - c[2] - c[4];
  c[5] = (F - 3 * (E - D)) / 128;
  c[3] = (E - D) / 8 - 3 * c[5];
  c[1] = D - c[3] - c[5];
}

PiecewisePolynomial pieces_of(const Jets& j, std::vector<double> breakpoints) {
  PiecewisePolynomial p{j.knots, 5, std::vector<double>(6 * (j.knots.size() - 1)), std::move(breakpoints)};
  for (std::size_t i = 0; i + 1 < j.knots.size(); ++i)
    quintic(j.right[i], j.left[i + 1], (j.knots[i + 1] - j.knots[i]) / 2, &p.coefficients[6 * i]);
  return p;
}

// What is no number of points, or too large for one, becomes the largest, which reading refuses.
std::size_t count_of(double x) { return x >= 0 && x < 1e18 ? std::size_t(x) : std::numeric_limits<std::size_t>::max(); }

std::size_t pieces_in_duration(const Process& p) { return count_of(std::ceil(p.duration / p.step - 1e-9)); }

// x, ẋ, ẍ at the first points.
std::vector<Jet<double>> spectral(const Process& p, const Use& use, std::span<const double> z) {
  const std::size_t n = p.points, frequencies = p.deviation.size(), places = p.place_count();
  std::vector<Complex> first(n), second(n), x(n), y(n);
  const double spacing = p.spacing(), delay = use.delay + (p.arrival.empty() ? 0 : p.arrival[std::size_t(use.place)]);
  for (std::size_t k = 0; k < frequencies; ++k) {
    double a = 0, b = 0;
    for (std::size_t q = 0; q <= std::size_t(use.place); ++q) {
      double za = z[2 * (k * places + q)], zb = z[2 * (k * places + q) + 1];
      if (p.phases) {
        const double r = std::sqrt(2 / (za * za + zb * zb));
        za *= r, zb *= r;
      }
      const double l = places == 1 ? 1 : p.mixing[(k * places + std::size_t(use.place)) * places + q];
      a += l * za, b += l * zb;
    }
    const double w = double(k) * spacing, s = use.scale * p.deviation[k];
    Complex f(s * a, -s * b);
    if (delay != 0) f *= std::polar(1.0, -w * delay);
    if (k == 0) {
      first[0] = p.phases ? 0.0 : f.real();  // its mean over the period: one number
      continue;
    }
    // x + i ẋ in one transform: at −ω stands the conjugate of x̂ and of i ω x̂
    first[k] = f * (0.5 * (1 - w));
    first[n - k] = std::conj(f) * (0.5 * (1 + w));
    second[k] = f * (-0.5 * w * w);
    second[n - k] = std::conj(second[k]);
  }
  inverse_fourier(first, x);
  inverse_fourier(second, y);
  std::vector<Jet<double>> jets(pieces_in_duration(p) + 1);
  for (std::size_t i = 0; i < jets.size(); ++i) jets[i] = {x[i % n].real(), x[i % n].imag(), y[i % n].real()};
  return jets;
}

// The natural cubic spline through a record; 0 before its begin and after its end.
std::vector<Jet<double>> recorded(const Process& p, const Use& use, double draw) {
  const std::size_t rows = p.records.size(), row = std::min(rows - 1, std::size_t(std::max(0.0, draw) * double(rows)));
  const std::vector<double>& y = p.records[row];
  const std::size_t n = y.size();
  std::vector<double> m(n, 0.0), pivot(n, 0.0), right(n, 0.0);  // second derivatives: m'' + 4 m + m = 6 Δ²y/h²
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double load = 6 * (y[i + 1] - 2 * y[i] + y[i - 1]) / (p.step * p.step);
    pivot[i] = 1 / (4 - (i > 1 ? pivot[i - 1] : 0));
    right[i] = (load - (i > 1 ? right[i - 1] : 0)) * pivot[i];
  }
  for (std::size_t i = n - 1; i-- > 1;) m[i] = right[i] - (i + 2 < n ? pivot[i] * m[i + 1] : 0);
  Jets spline;
  for (std::size_t i = 0; i < n; ++i) {
    const double slope = i + 1 < n ? (y[i + 1] - y[i]) / p.step - p.step * (2 * m[i] + m[i + 1]) / 6
                                   : (y[i] - y[i - 1]) / p.step + p.step * (m[i - 1] + 2 * m[i]) / 6;
    spline.knots.push_back(double(i) * p.step);
    spline.right.push_back({y[i], slope, m[i]});
  }
  spline.left = spline.right;
  const PiecewisePolynomial curve = pieces_of(spline, {});
  std::vector<Jet<double>> jets(pieces_in_duration(p) + 1, {0, 0, 0});
  for (std::size_t i = 0; i < jets.size(); ++i) {
    const double t = double(i) * p.step - use.delay;
    if (t < 0 || t > spline.knots.back()) continue;
    const Jet<double> j = evaluate(curve, t);
    jets[i] = {use.scale * j.f, use.scale * j.d1, use.scale * j.d2};
  }
  return jets;
}

// g(x/σ) and e(t) x by the chain and product rules. Where the envelope bends, another knot.
Jets shaped(const Process& p, const Use& use, std::vector<Jet<double>> jets, std::vector<double>& breakpoints) {
  if (p.marginal.kind != Marginal::Kind::normal) {
    const double size = p.rms() * use.scale;
    for (Jet<double>& j : jets) {
      const Jet<double> g = p.marginal(j.f / size);
      j = {size * g.f, g.d1 * j.d1, g.d2 * j.d1 * j.d1 / size + g.d1 * j.d2};
    }
  }
  Jets out;
  for (std::size_t i = 0; i < jets.size(); ++i) out.knots.push_back(double(i) * p.step);
  out.left = out.right = std::move(jets);
  if (!p.envelope) return out;
  for (const double kink : p.envelope->kinks()) {
    const auto after = std::upper_bound(out.knots.begin(), out.knots.end(), kink);
    if (kink <= 0 || after == out.knots.end()) continue;
    if (kink < p.duration) breakpoints.push_back(kink);
    const auto i = std::size_t(after - out.knots.begin());
    if (kink - out.knots[i - 1] < 1e-9 * p.step) continue;
    double c[6];
    const double width = out.knots[i] - out.knots[i - 1];
    quintic(out.right[i - 1], out.left[i], width / 2, c);
    const Jet<double> j = evaluate<double>(c, 5, (2 * kink - out.knots[i - 1] - out.knots[i]) / width, width);
    out.knots.insert(after, kink);
    out.left.insert(out.left.begin() + long(i), j), out.right.insert(out.right.begin() + long(i), j);
  }
  const auto times = [&](const Jet<double>& e, Jet<double>& x) {
    x = {e.f * x.f, e.d1 * x.f + e.f * x.d1, e.d2 * x.f + 2 * e.d1 * x.d1 + e.f * x.d2};
  };
  for (std::size_t i = 0; i < out.knots.size(); ++i) {
    times(p.envelope->at(out.knots[i], Side::left), out.left[i]);
    times(p.envelope->at(out.knots[i], Side::right), out.right[i]);
  }
  return out;
}

// Steps of equal height; an envelope counts as in the middle of each.
PiecewisePolynomial held(const Process& p, const Use& use, std::span<const double> z) {
  const std::size_t n = pieces_in_duration(p), places = p.place_count(), late = std::size_t(std::lround(use.delay / p.step));
  PiecewisePolynomial out;
  for (std::size_t i = 0; i <= n; ++i) out.knots.push_back(double(i) * p.step);
  for (std::size_t i = 1; i < n; ++i) out.breakpoints.push_back(out.knots[i]);
  out.coefficients.assign(n, 0.0);
  if (z.empty()) return out;
  const double size = use.scale * p.rms();
  for (std::size_t i = late; i < n; ++i) {
    double x = 0;
    for (std::size_t q = 0; q <= std::size_t(use.place); ++q)
      x += (places == 1 ? 1 : p.mixing[std::size_t(use.place) * places + q]) * z[(i - late) * places + q];
    const double e = p.envelope ? p.envelope->at((double(i) + 0.5) * p.step, Side::right).f : 1;
    out.coefficients[i] = size * e * p.marginal(x).f;
  }
  return out;
}

}  // namespace

double Process::spacing() const { return 2 * pi / period(); }

double Process::rms() const {
  if (kind == Kind::white_noise) return std::sqrt(2 * pi * density(0) / step);
  double sum = 0;
  if (kind == Kind::spectrum) {
    for (const double s : deviation) sum += s * s;
    if (phases && !deviation.empty()) sum -= deviation[0] * deviation[0];
    return std::sqrt(sum);
  }
  std::size_t count = 0;
  for (const auto& r : records)
    for (const double y : r) sum += y * y, ++count;
  return std::sqrt(sum / double(std::max<std::size_t>(1, count)));
}

std::size_t Process::normals() const {
  if (kind == Kind::recorded) return 0;
  if (kind == Kind::white_noise) return place_count() * pieces_in_duration(*this);
  return 2 * place_count() * deviation.size();
}

void settle(Process& p, double asked_cutoff, double asked_period, int leading, const Process* like) {
  if (p.kind == Process::Kind::white_noise) p.points = pieces_in_duration(p), p.cutoff = pi / p.step;
  if (p.kind == Process::Kind::recorded) p.points = p.records[0].size(), p.cutoff = pi / p.step;
  if (p.kind != Process::Kind::spectrum) return;
  if (like) {
    p.cutoff = like->cutoff, p.step = like->step, p.points = like->points, p.leading = like->leading;
  } else {
    p.cutoff = asked_cutoff > 0 ? asked_cutoff : quantile(p.density, 0.99);
    if (asked_cutoff <= 0 && std::isfinite(p.density.highest)) p.cutoff = p.density.highest;
    p.step = pi / (2 * p.cutoff);
    p.points =
        std::isfinite(p.step) ? count_of(std::ceil((asked_period > 0 ? asked_period : 2 * p.duration) / p.step - 1e-9)) : 0;
    if (p.points == 0 || p.points > most_points) return;  // reading refuses it
    p.points = fourier_length(p.points);
  }
  const double spacing = p.spacing();
  const auto frequencies = std::size_t(std::floor(p.cutoff / spacing + 1e-9)) + 1;
  p.deviation.resize(frequencies);
  for (std::size_t k = 0; k < frequencies; ++k) {
    const double from = std::max(0.0, (double(k) - 0.5) * spacing), to = std::min((double(k) + 0.5) * spacing, p.cutoff);
    p.deviation[k] = std::sqrt(std::max(0.0, cell_variance(p.density, from, to)));
  }
  if (like) return;
  std::vector<int> order(frequencies);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return p.deviation[std::size_t(a)] > p.deviation[std::size_t(b)]; });
  const auto per_frequency = int(2 * p.place_count());
  for (const int k : order)
    for (int i = 0; i < per_frequency && int(p.leading.size()) < leading; ++i) p.leading.push_back(k * per_frequency + i);
}

void mix(Process& p, const Coherence& coherence) {
  const std::size_t n = p.place_count(), frequencies = p.kind == Process::Kind::spectrum ? p.deviation.size() : 1;
  if (n == 1) return;
  p.mixing.assign(frequencies * n * n, 0.0);
  for (std::size_t k = 0; k < frequencies; ++k) factor(p, &coherence, double(k) * p.spacing(), &p.mixing[k * n * n]);
  if (coherence.wave_speed == 0) return;
  for (std::size_t i = 0; i < n; ++i) p.arrival.push_back(p.distance[i] / coherence.wave_speed);  // after the first place
}

PiecewisePolynomial at_rest(const Process& p, const Use& use) {
  if (p.kind == Process::Kind::white_noise) return held(p, use, {});
  std::vector<double> breakpoints;
  const Jets jets = shaped({.kind = p.kind, .step = p.step, .duration = p.duration, .envelope = p.envelope}, use,
                           std::vector<Jet<double>>(pieces_in_duration(p) + 1, {0, 0, 0}), breakpoints);
  return pieces_of(jets, std::move(breakpoints));
}

PiecewisePolynomial realization(const Process& p, const Use& use, double draw, std::span<const double> normals) {
  if (p.kind == Process::Kind::white_noise) return held(p, use, normals);
  std::vector<double> breakpoints;
  const Jets jets =
      shaped(p, use, p.kind == Process::Kind::recorded ? recorded(p, use, draw) : spectral(p, use, normals), breakpoints);
  return pieces_of(jets, std::move(breakpoints));
}

std::vector<double> numbers_of(const Process& p, double draw, std::span<const double> leading) {
  std::vector<double> z(p.normals());
  if (leading.size() <= p.leading.size()) {
    fill_normals(draw, p.name, z);
  } else {
    std::vector<char> leads(z.size());
    for (const int i : p.leading) leads[std::size_t(i)] = 1;
    std::size_t next = p.leading.size();
    for (std::size_t i = 0; i < z.size() && next < leading.size(); ++i)
      if (!leads[i]) z[i] = leading[next++];
  }
  for (std::size_t i = 0; i < leading.size() && i < p.leading.size(); ++i) z[std::size_t(p.leading[i])] = leading[i];
  return z;
}

}  // namespace aleator::core::processes
