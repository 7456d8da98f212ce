// Flexible bodies of the language: beams and cables, and rigid bodies described by reference nodes.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "elements/builder.hpp"
#include "model/mass_properties.hpp"

namespace aleator::core {

// Kinds of entries of `bodies:` besides rigid bodies, and the section `materials:`.
std::vector<input::Kind> beam_kinds();
input::Section materials_section();

// Properties that may vary along a beam, as they are written in a model. Values are given at the stations: five Gauss points of each
// element, from the start of the beam to its end.
inline constexpr std::string_view beam_properties[] = {"E", "nu", "density", "height"};

// Adds beam number `body`; `overrides` may replace its properties (`link.E`), as one number or along the beam.
BodyProperties add_beam(const input::Description& d, const input::Item& item, int body, std::span<const Override> overrides,
                        Builder& b);

// Adds a rigid body as a reference node.
void add_reference_node(const input::Item& item, int body, const BodyProperties& p, Builder& b);

}  // namespace aleator::core
