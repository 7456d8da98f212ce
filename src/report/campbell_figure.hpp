// Natural frequencies over a parameter as a figure, with order lines and where modes cross them.
#pragma once

#include "report/figure.hpp"
#include "results/campbell.hpp"

namespace aleator::core::report {

Figure campbell_figure(const results::Campbell& diagram, const std::string& title);

}  // namespace aleator::core::report
