// The integrators of the language, one line each: an identifier and the word of the language. The line ID, "word" says that a file of
// src/dynamics defines `ID_integrator` (dynamics/integrators.hpp) and that the word may follow `integrator:`.
#pragma once

// clang-format off
#define ALEATOR_INTEGRATORS(line)              \
  line(generalized_alpha, "generalized-alpha") \
  line(radau, "radau")                         \
  line(dormand_prince, "dormand-prince")       \
  line(runge_kutta, "runge-kutta")             \
  line(adams_bashforth, "adams-bashforth")     \
  line(ida, "ida")
// clang-format on
