// Why a step failed.
#pragma once

#include <string>

#include "model/model.hpp"

namespace aleator::core {

// corrections: [6 carriers], the last ones; the body they move most is named.
std::string newton_failure(const Model& model, const double* corrections, double t, double h);

// Of steps that are adapted to their error: the step from t, of size h, could not be done, nor should it be reduced further.
std::string step_failure(const Model& model, double t, double h);

// At t the motion has gained energy that nothing supplied (energy_watch.hpp). `unstable`: the last step of an explicit method was.
std::string energy_failure(const Model& model, double t, bool adapted, bool unstable);

// The energy balance is off by so much at t: no failure, but something to know.
std::string energy_warning(const Model& model, double off, double t, double kinetic);

// In the step to t an explicit method was beyond its limit of stability.
std::string stability_failure(double t, double h);

}  // namespace aleator::core
