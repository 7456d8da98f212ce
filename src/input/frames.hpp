// `frames:` and `in: NAME`: positions relative to a frame, a body, a joint or a point, as drawn at t = 0.
#pragma once

#include "input/placement.hpp"

namespace aleator::core::input {

// What `in: NAME` means among these sections. Throws InputError.
Placement frame_named(const Tree& name, const Tree& sections, int normal, Arithmetic& arithmetic);

// The vector of an entry of `points:`. Throws InputError.
const Tree& named_point(const Tree& name, const Tree& sections);

// Makes positions of entries that have `in: NAME` inertial, and frames, too. Throws InputError.
void apply_frames(Tree& sections, const Language& language, int normal, Arithmetic& arithmetic);

// Sections whose entries may have `in:`.
bool is_placeable(std::string_view section);

// Whether an entry has `in:` (of outputs: only where there are frames).
bool uses_frames(const Tree& sections, const Language& language);

}  // namespace aleator::core::input
