#include "support/uncertain_bodies.hpp"

namespace aleator::core::test {

std::string two_bodies(const std::string& parameters, const std::string& uncertain, const std::string& mass) {
  return "parameters: {" + parameters +
         "}\n"
         "bodies:\n"
         "  a: {shape: {box: [1, 2, 3]}, mass: " +
         mass +
         ", at: [0, 0, 0]}\n"
         "  b: {shape: {box: [2, 1, 1]}, mass: 4, at: [5, 0, 0]}\n"
         "outputs:\n  p: {position: a, component: x}\n"
         "simulation: {duration: 1}\n" +
         uncertain;
}

std::string body_in_plane(const std::string& uncertain) {
  return "plane: xz\n"
         "bodies:\n  a: {shape: {box: [1, 2, 3]}, mass: 6, at: [0, 0]}\n"
         "outputs:\n  p: {position: a, component: x}\nsimulation: {duration: 1}\n" +
         uncertain;
}

}  // namespace aleator::core::test
