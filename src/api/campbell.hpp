// Natural frequencies over a parameter: a Campbell diagram, where that is a speed. Modes are followed from value to value by their shapes
// (modal assurance criterion), with values in between where a shape changes much, so that curves go on through crossings. Where the frequency
// of a mode is that of an order line, f = |order · value| · (Hz of the unit), its speed is critical: found by regula falsi on the model
// itself, not on the curve.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <aleator/model.hpp>

#include "dynamics/modal.hpp"
#include "results/campbell.hpp"

namespace aleator::core {

struct CampbellRequest {
  std::string parameter;  // any number of the model, by the name that --set takes
  double from = 0, to = 0;
  int points = 31;
  ModalRequest modes;
  std::string unit;            // of the parameter; with orders rad/s (also if empty), rpm, Hz or deg/s
  std::vector<double> orders;  // lines of so many times the parameter
  std::function<void(int done)> on_progress = {};
};

struct CampbellDiagram {
  results::Campbell found;
  results::Run drawn;     // the state of the model in the middle of the range
  bool complete = false;  // it was not interrupted
  int computed = 0;  // at how many values modes were computed: those of the diagram, those between them, and for critical speeds
};

// "speed=0..300" → parameter, from, to; "1,2.5" → orders; what a unit of rotation is in Hz. Throw std::invalid_argument.
void read_range(const std::string& text, CampbellRequest& to);
std::vector<double> read_orders(const std::vector<std::string>& words);
double hertz_of(const std::string& unit);

// Stopped (base/cancellation.hpp) it ends with the values that are done; throws Cancelled where these are fewer than two.
// Throws InputError (the parameter is none), SimulationError, std::invalid_argument (the unit is none of rotation).
CampbellDiagram campbell(const aleator::Model& model, const CampbellRequest& request);

// Writes campbell.h5, campbell.csv and campbell.svg, with orders critical-speeds.csv, into a folder; returns their names.
std::vector<std::string> write_campbell(const aleator::Model& model, const CampbellDiagram& diagram, const std::string& folder,
                                        const std::string& command_line);

std::string campbell_text(const results::Campbell& diagram);  // tables
std::string campbell_csv(const results::Campbell& diagram);
std::string critical_csv(const results::Campbell& diagram);

}  // namespace aleator::core
