// A random function of time: what of it is the same in all realizations, and how a realization follows from standard normal numbers.
//
// Of a density by spectral representation, x(t) = Σ_n σ_n (a_n cos ω_n t + b_n sin ω_n t), ω_n = n Δω, σ_n² the variance of the density in the
// cell ω_n ± Δω/2, so that the variance is that of the density up to the cut-off. With normal a_n, b_n the process is exactly normal; with random
// phases alone, (a_n, b_n) on a circle of radius √2, only in the limit of many frequencies, but each realization has the same power. x, ẋ and ẍ
// at points, four per period of the cut-off, come from transforms; between them x is the quintic that has them, twice differentiable.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "processes/density.hpp"
#include "processes/shape.hpp"

namespace aleator::core::processes {

struct Process {
  enum class Kind { spectrum, white_noise, recorded };

  std::string name, words;  // "road", "ISO 8608 road, class C, 20 m/s"
  Kind kind = Kind::spectrum;
  Density density;
  double cutoff = 0;              // rad/s
  double step = 0;                // between points, s
  std::size_t points = 0;         // of a period, or in the duration
  double duration = 0;            // of the simulation
  std::vector<double> deviation;  // spectrum: [frequencies] σ_n
  bool phases = false;            // random phases alone
  std::vector<std::string> places;
  std::vector<double> distance;  // [places][places]
  std::vector<double> mixing;    // [frequencies][places][places] lower factors of the coherence; white noise: of one
  std::vector<double> arrival;   // [places] s
  std::optional<Envelope> envelope;
  Marginal marginal;
  std::vector<std::vector<double>> records;  // recorded: values at k step
  std::vector<int> leading;                  // numbers that a design places, most important first

  double period() const { return double(points) * step; }
  double spacing() const;  // Δω
  double rms() const;      // before an envelope; of records over all of them
  bool differentiable() const { return kind != Kind::white_noise; }
  std::size_t normals() const;  // that a realization needs
  std::size_t other_numbers() const { return normals() - leading.size(); }
  std::size_t place_count() const { return places.empty() ? 1 : places.size(); }
};

constexpr std::size_t most_points = 20'000'000;

// How a function of time uses it.
struct Use {
  int place = 0;
  double delay = 0, scale = 1;
};

// Grid, deviations, factors and leading numbers of a process whose kind, density and shape are known. `like`: of the same process with other
// parameters, whose grid it takes over. A grid of no points, or of more than most_points, is left unfinished.
void settle(Process& process, double asked_cutoff, double asked_period, int leading, const Process* like);

// Factors of the coherence of its places, and when a wave arrives at them; after settle().
void mix(Process& process, const Coherence& coherence);

// At rest: 0 at all times, with the pieces of all realizations.
PiecewisePolynomial at_rest(const Process& process, const Use& use);
// `draw` chooses among records; `normals` are all others' [normals()].
PiecewisePolynomial realization(const Process& process, const Use& use, double draw, std::span<const double> normals);

// The normal numbers of a draw, with the leading ones replaced by those given; where other_numbers() more follow these, they are all others.
std::vector<double> numbers_of(const Process& process, double draw, std::span<const double> leading);

}  // namespace aleator::core::processes
