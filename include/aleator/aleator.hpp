// Aleator: multibody dynamics in which the bodies themselves are uncertain. Everything there is to include; docs/library.md has a tour.
#pragma once

#include <aleator/design.hpp>
#include <aleator/identification.hpp>
#include <aleator/import.hpp>
#include <aleator/model.hpp>
#include <aleator/reliability.hpp>
#include <aleator/report.hpp>
#include <aleator/results.hpp>
#include <aleator/simulation.hpp>
#include <aleator/study.hpp>
#include <aleator/uncertainty.hpp>

namespace aleator {

std::string version();  // "0.2.0"

}  // namespace aleator
