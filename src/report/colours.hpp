// Colours of bodies: those of Okabe and Ito, which people with any colour vision can tell apart, slightly paler.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace aleator::core::report {

// Red, green, blue from 0 to 1, of linear light as renderers want it. `given`: the model's own, "#rrggbb", or empty; otherwise colours
// repeat after eight.
inline std::array<double, 3> body_colour(std::size_t body, const std::string& given = "") {
  static constexpr std::array<std::array<double, 3>, 8> palette = {{{0x00, 0x72, 0xB2},
                                                                    {0xE6, 0x9F, 0x00},
                                                                    {0x00, 0x9E, 0x73},
                                                                    {0xD5, 0x5E, 0x00},
                                                                    {0x56, 0xB4, 0xE9},
                                                                    {0xCC, 0x79, 0xA7},
                                                                    {0xF0, 0xE4, 0x42},
                                                                    {0x99, 0x99, 0x99}}};
  std::array<double, 3> linear{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = given.empty() ? (0.88 * palette[body % palette.size()][i] + 0.12 * 0xE0) / 255
                                   : double(std::stoi(given.substr(1 + 2 * i, 2), nullptr, 16)) / 255;
    linear[i] = x > 0.04045 ? std::pow((x + 0.055) / 1.055, 2.4) : x / 12.92;
  }
  return linear;
}

}  // namespace aleator::core::report
