// Natural frequencies over a parameter: a Campbell diagram, where that is a speed. Modes are followed from value to value by their shapes
// (modal assurance criterion), with values in between where a shape changes much, so that curves go on through crossings.
#pragma once

#include <string>
#include <vector>

#include <aleator/model.hpp>

#include "dynamics/modal.hpp"
#include "report/figure.hpp"

namespace aleator::core {

struct CampbellRequest {
  std::string parameter;  // any number of the model, by the name that --set takes
  double from = 0, to = 0;
  int points = 31;
  ModalRequest modes;
  std::vector<double> orders;  // lines of so many times the parameter, in rad/s
};

struct CampbellDiagram {
  std::string title, parameter, unit;
  std::string about;
  std::vector<double> values;
  // [modes][values]; NaN where a mode is not there
  std::vector<std::vector<double>> frequency, damping, mac;  // mac: with the shape at the value before
  std::vector<double> orders;
  std::vector<std::string> notes;
};

// "speed=0..300" → parameter, from, to. Throws std::invalid_argument.
void read_range(const std::string& text, CampbellRequest& to);

// Throws InputError (the parameter is none), SimulationError.
CampbellDiagram campbell(const aleator::Model& model, const CampbellRequest& request);

std::string campbell_text(const CampbellDiagram& diagram);  // a table
std::string campbell_csv(const CampbellDiagram& diagram);
report::Figure campbell_figure(const CampbellDiagram& diagram);

}  // namespace aleator::core
