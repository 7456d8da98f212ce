// Natural frequencies over a parameter of the model, `campbell.h5`: a Campbell diagram, where that is a speed.
#pragma once

#include <string>
#include <vector>

#include "results/read.hpp"

namespace aleator::core::results {

struct Campbell {
  std::string parameter, unit;  // as the user named it; may be empty
  std::string about;            // start, equilibrium, steady, rotation
  std::vector<double> values;   // of the parameter, rising
  struct Mode {
    std::string motion;  // where it begins: "blade z", what moves most
    std::vector<double> frequency, damping,
        mac;  // [values] Hz, ratio, MAC with the shape at the value before; NaN where it is not there
  };
  std::vector<Mode> modes;
  double order_hertz = 0;      // frequency of the line of order 1 where the parameter is 1
  std::vector<double> orders;  // lines of so many times the parameter
  // Where the frequency of a mode is that of an order line: critical speeds. In rising orders, then values.
  struct Crossing {
    int mode = 0;  // from 0
    double order = 0, value = 0, frequency = 0, damping = 0;
  };
  std::vector<Crossing> crossings;
  std::vector<std::string> notes;
  // One period of each mode at that value, [modes][phases][frames][7]; NaN where it is not there. Empty: none.
  double shapes_at = 0;
  std::size_t phases = 0;
  std::vector<double> shapes;
};

// `run` has one instant: the state of the model that is drawn. Throws WriteError.
void write_campbell(const std::string& path, const Campbell& diagram, const Run& run, const Provenance& provenance);

bool has_campbell(const StudyReader& file);
Campbell read_campbell(const StudyReader& file);  // throws ReadError

}  // namespace aleator::core::results
