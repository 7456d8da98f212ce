// Explicit Runge–Kutta methods as tables.
#pragma once

#include <string>
#include <vector>

namespace aleator::core {

struct Tableau {
  std::vector<double> c;               // [stages] of the step, the first is 0
  std::vector<std::vector<double>> a;  // [stages + 1] weights of the stages before; the last row is that of the step itself
  int stages() const { return int(c.size()); }
};

// The classical method of order 4.
inline const Tableau& classical_tableau() {
  static const Tableau t{{0, 0.5, 0.5, 1}, {{}, {0.5}, {0, 0.5}, {0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}};
  return t;
}

// Order 5, of Dormand and Prince (1980).
inline const Tableau& dormand_prince_tableau() {
  static const Tableau t{{0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1},
                         {{},
                          {1.0 / 5},
                          {3.0 / 40, 9.0 / 40},
                          {44.0 / 45, -56.0 / 15, 32.0 / 9},
                          {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                          {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                          {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}};
  return t;
}

inline const Tableau& tableau_of(const std::string& integrator) {
  return integrator == "dormand-prince" ? dormand_prince_tableau() : classical_tableau();
}

}  // namespace aleator::core
