// A field that is one wave along the axis of its beam: the realizations that dynamic variability response functions are computed from
// (Papadopoulos & Kokkinos: "fast Monte Carlo"). Its two numbers are known as `link.E.wave_number` (rad/m) and `link.E.phase` (rad).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "uncertainty/beam_field.hpp"

namespace aleator::core {

std::string wave_number_of(const std::string& field);  // "link.E.wave_number"
std::string phase_of(const std::string& field);

// Level and standard deviation of the wave: those of the flexibility, where the field is one of Young's modulus, with the mean and the
// variance of 1/E at a point; of other properties their own. Throws std::invalid_argument where there is no such wave.
BeamField::Wave wave_of(const BeamField& field);

// Makes the field a wave. Throws std::invalid_argument.
void make_wave(BeamField& field, BeamField::Term wave_number, BeamField::Term phase);

// The values of the property at the stations of a beam.
std::vector<double> wave_values(const BeamField& field, const BeamField::Beam& beam, std::span<const double> mean,
                                double wave_number, double phase);

// Wave numbers beyond which an element of the beam has more than half a wave, rad/m.
double resolved_wave_number(const BeamField& field);

}  // namespace aleator::core
