#include "dynamics/stationary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace aleator::core {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using processes::Process;

namespace {

constexpr double pi = processes::pi;

bool damped(const LinearSystem::Motion& m) { return m.eigenvalue.real() < -1e-9 * std::abs(m.eigenvalue); }

double delay_of(const Process& p, const processes::Use& use) {
  return use.delay + (p.arrival.empty() ? 0 : p.arrival[std::size_t(use.place)]);
}

// γ between two places, from the factors that realizations are made with: linear between their frequencies.
double coherence(const Process& p, int a, int b, double omega) {
  if (a == b || p.mixing.empty()) return 1;
  const std::size_t n = p.place_count(), last = p.mixing.size() / (n * n) - 1;
  const auto at = [&](std::size_t k) {
    double sum = 0;
    for (std::size_t q = 0; q < n; ++q)
      sum += p.mixing[(k * n + std::size_t(a)) * n + q] * p.mixing[(k * n + std::size_t(b)) * n + q];
    return sum;
  };
  if (last == 0) return at(0);
  const double place = std::min(omega / p.spacing(), double(last));
  const std::size_t k = std::min(std::size_t(place), last - 1);
  return at(k) + (place - double(k)) * (at(k + 1) - at(k));
}

// Gauss–Legendre, eight points on [−1, 1].
constexpr std::array node = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
constexpr std::array weight = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

template <class F>
ArrayXd gauss(const F& f, double a, double b) {
  const double middle = (a + b) / 2, half = (b - a) / 2;
  ArrayXd sum = ArrayXd(weight[0] * (f(middle - half * node[0]) + f(middle + half * node[0])));
  for (std::size_t i = 1; i < node.size(); ++i) sum += weight[i] * (f(middle - half * node[i]) + f(middle + half * node[i]));
  return sum * half;
}

template <class F>
ArrayXd adaptive(const F& f, double a, double b, const ArrayXd& whole, const ArrayXd& tolerance, int depth) {
  const double m = (a + b) / 2;
  const ArrayXd left = gauss(f, a, m), right = gauss(f, m, b);
  if (depth == 0 || ((left + right - whole).abs() <= tolerance).all()) return left + right;
  return adaptive(f, a, m, left, tolerance, depth - 1) + adaptive(f, m, b, right, tolerance, depth - 1);
}

// Of several functions at a time, between ends that leave no peak within an interval: to about 1e-9 of each integral.
template <class F>
ArrayXd integral(const F& f, const std::vector<double>& ends) {
  std::vector<ArrayXd> rough;
  for (std::size_t i = 1; i < ends.size(); ++i) rough.push_back(gauss(f, ends[i - 1], ends[i]));
  if (rough.empty()) return {};
  ArrayXd size = rough[0].abs();
  for (std::size_t i = 1; i < rough.size(); ++i) size += rough[i].abs();
  ArrayXd sum = ArrayXd::Zero(size.size());
  for (std::size_t i = 1; i < ends.size(); ++i) sum += adaptive(f, ends[i - 1], ends[i], rough[i - 1], 1e-10 * size, 12);
  return sum;
}

void sort_and_unite(std::vector<double>& all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end(), [](double a, double b) { return b - a <= 1e-12 * b; }), all.end());
}

}  // namespace

double Excitation::density(double omega) const { return !white() && omega > process->cutoff ? 0 : process->density(omega); }

StationaryMotion::StationaryMotion(LinearSystem system, std::vector<Excitation> excitations)
    : system_(std::move(system)), excitations_(std::move(excitations)) {
  for (const LinearSystem::Motion& m : system_.motions) {
    if (damped(m)) continue;
    for (const Excitation& e : excitations_)
      if (e.density(m.eigenvalue.imag()) > 0)
        throw SimulationError(
            fmt::format("there is no stationary motion: nothing damps the vibration at {:.4g} Hz of {}, and process "
                        "'{}' excites it: its variance would grow for ever; give it a damper",
                        m.eigenvalue.imag() / (2 * pi), m.where, e.process->name));
  }
}

MatrixXd StationaryMotion::power_gain(double omega) const {
  const MatrixXcd H = system_.transfer(omega);
  MatrixXd gain = MatrixXd::Zero(H.rows(), Index(excitations_.size()));
  for (std::size_t e = 0; e < excitations_.size(); ++e) {
    const Process& p = *excitations_[e].process;
    std::vector<VectorXcd> parts;  // by place: uses of one place are the same function
    std::vector<int> places;
    for (const Excitation::Use& u : excitations_[e].uses) {
      const VectorXcd h = H.col(u.input) * (u.use.scale * std::polar(1.0, -omega * delay_of(p, u.use)));
      const auto at = std::find(places.begin(), places.end(), u.use.place);
      if (at == places.end())
        places.push_back(u.use.place), parts.push_back(h);
      else
        parts[std::size_t(at - places.begin())] += h;
    }
    for (std::size_t a = 0; a < parts.size(); ++a) {
      gain.col(Index(e)) += parts[a].cwiseAbs2();
      for (std::size_t b = 0; b < a; ++b)
        gain.col(Index(e)) += 2 * coherence(p, places[a], places[b], omega) * parts[a].cwiseProduct(parts[b].conjugate()).real();
    }
  }
  return gain.cwiseMax(0.0);
}

// White noise whose uses come at the same time; otherwise it is integrated up to the frequency of its steps.
bool StationaryMotion::by_lyapunov(const Excitation& e) const {
  return e.white() &&
         std::all_of(e.uses.begin(), e.uses.end(), [&](const auto& u) { return u.use.delay == e.uses[0].use.delay; });
}

VectorXd StationaryMotion::white_variances(const Excitation& e) const {
  const Index channels = system_.Y.rows(), states = system_.A.rows();
  MatrixXd Q = MatrixXd::Zero(states, states);
  VectorXd direct = VectorXd::Zero(channels);
  for (const Excitation::Use& a : e.uses) {
    for (const Excitation::Use& b : e.uses)
      Q += (2 * pi * e.density(0) * a.use.scale * b.use.scale * coherence(*e.process, a.use.place, b.use.place, 0)) *
           system_.B[0].col(a.input) * system_.B[0].col(b.input).transpose();
    for (const MatrixXd& E : system_.E) direct += std::abs(a.use.scale) * E.col(a.input).cwiseAbs();
  }
  VectorXd variance = VectorXd::Zero(channels);
  if (states > 0) {
    const MatrixXd X = dense::solve_lyapunov(system_.form, Q);
    variance = ((system_.Y * X).cwiseProduct(system_.Y)).rowwise().sum().cwiseMax(0.0);
  }
  for (Index c = 0; c < channels; ++c)
    if (direct(c) > 0) variance(c) = std::numeric_limits<double>::infinity();
  return variance;
}

// Octaves, what bends or ends densities, and resonances: |H|² of a motion with the eigenvalue −d + iω has its peak within ω ± d.
std::vector<double> StationaryMotion::interval_ends(double to, double longest) const {
  std::vector<double> ends = {0, to};
  const auto add = [&](double w) {
    if (w > 0 && w < to) ends.push_back(w);
  };
  for (const Excitation& e : excitations_) {
    add(e.process->density.lowest), add(e.process->density.highest), add(e.process->cutoff);
    for (const double k : e.process->density.kinks) add(k);
    for (double w = e.process->density.scale; w > 1e-6 * e.process->density.scale; w /= 2) add(w);
    for (double w = e.process->density.scale; w < to; w *= 2) add(w);
  }
  for (const LinearSystem::Motion& m : system_.motions) {
    const double at = m.eigenvalue.imag(), width = std::abs(m.eigenvalue.real());
    add(at), add(std::abs(m.eigenvalue));
    for (const double k : {1.0, 4.0, 16.0, 64.0}) add(at - k * width), add(at + k * width);
  }
  sort_and_unite(ends);
  if (!(longest > 0) || to / longest > 1e5) return ends;
  std::vector<double> finer;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const int parts = std::max(1, int(std::ceil((ends[i] - ends[i - 1]) / longest)));
    for (int k = 0; k < parts; ++k) finer.push_back(ends[i - 1] + (ends[i] - ends[i - 1]) * k / parts);
  }
  finer.push_back(to);
  return finer;
}

MatrixXd StationaryMotion::variances() const {
  const Index channels = system_.Y.rows(), count = Index(excitations_.size());
  MatrixXd out = MatrixXd::Zero(channels, count);
  double cutoff = 0, delay = 0;
  for (Index e = 0; e < count; ++e) {
    const Excitation& x = excitations_[std::size_t(e)];
    if (by_lyapunov(x)) {
      out.col(e) = white_variances(x);
      continue;
    }
    cutoff = std::max(cutoff, std::min(x.process->cutoff, x.process->density.highest));
    for (const Excitation::Use& u : x.uses) delay = std::max(delay, delay_of(*x.process, u.use));
  }
  if (cutoff == 0) return out;
  const auto density = [&](double w) -> ArrayXd {
    MatrixXd s = power_gain(w);
    for (Index e = 0; e < count; ++e) {
      const Excitation& x = excitations_[std::size_t(e)];
      s.col(e) *= by_lyapunov(x) || w > x.process->cutoff ? 0 : x.density(w);
    }
    return s.reshaped().array();
  };
  const ArrayXd sum = 2 * integral(density, interval_ends(cutoff, delay > 0 ? pi / delay : 0));
  for (Index i = 0; i < sum.size(); ++i) out(i) += sum(i);
  return out;
}

double StationaryMotion::slowest_decay() const {
  double least = std::numeric_limits<double>::infinity();
  for (const LinearSystem::Motion& m : system_.motions)
    if (damped(m)) least = std::min(least, -m.eigenvalue.real());
  return least;
}

std::pair<double, double> StationaryMotion::range() const {
  double from = std::numeric_limits<double>::infinity(), to = 0, slowest = from, fastest = 0;
  for (const LinearSystem::Motion& m : system_.motions)
    slowest = std::min(slowest, std::abs(m.eigenvalue)), fastest = std::max(fastest, std::abs(m.eigenvalue));
  for (const Excitation& e : excitations_) {
    const processes::Density& d = e.process->density;
    const double end = std::min(e.process->cutoff, d.highest);
    to = std::max(to, e.white() && fastest > 0 ? std::min(end, 20 * fastest) : end);
    from = std::min(from, d.lowest > 0 ? d.lowest : std::min(slowest, e.white() ? end : d.scale) / 20);
  }
  return {std::min(from, to / 10), to};
}

std::vector<double> StationaryMotion::frequencies(double from, double to, int points) const {
  std::vector<double> all;
  for (int i = 0; i < points; ++i) all.push_back(from * std::pow(to / from, double(i) / (points - 1)));
  all.back() = to;
  for (const LinearSystem::Motion& m : system_.motions) {
    const double at = m.eigenvalue.imag(), width = std::abs(m.eigenvalue.real());
    for (const double k : {-4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0})
      if (const double w = at + k * width; at > 0 && w > from && w < to) all.push_back(w);
  }
  sort_and_unite(all);
  return all;
}

}  // namespace aleator::core
