// Cycles in a history of loads, and what they cost a material.
#pragma once

#include <limits>
#include <span>
#include <vector>

namespace aleator::core {

struct LoadCycle {
  double range, mean;
  double count;  // 1, or ½: a half cycle
};

// Rainflow counting of ASTM E1049-85, 5.4.4, of a history reduced to its turning points. What is left at the end, the residue, counts as
// half cycles.
std::vector<LoadCycle> rainflow(std::span<const double> turning_points);

// Straight in logarithms: N(S) = cycles (amplitude/S)^exponent cycles of amplitude S break the material; none below the endurance limit.
struct WoehlerCurve {
  double exponent = 1, amplitude = 1, cycles = 1;
  double endurance_limit = 0;
};

// Palmgren–Miner: Σ count/N(range/2).
double damage_of(std::span<const LoadCycle> cycles, const WoehlerCurve& curve);

// The amplitude of which so many equal cycles do the same damage, whatever the curve of this exponent. 0 cycles: as many as were counted.
double equivalent_amplitude(std::span<const LoadCycle> cycles, double exponent, double equal_cycles);

}  // namespace aleator::core
