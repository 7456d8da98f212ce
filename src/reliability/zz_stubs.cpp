// Not written yet: to be deleted when they are.
#include "reliability/harvest.hpp"
#include "reliability/methods.hpp"
#include <stdexcept>
namespace aleator::core::reliability {
Procedure sorm(Space, Settings, results::Reliability&, Harvest&) { throw std::invalid_argument("not yet"); }
Procedure line_sampling(Space, Settings, results::Reliability&, Harvest&) { throw std::invalid_argument("not yet"); }
Procedure enhanced_monte_carlo(Space, Settings, results::Reliability&, Harvest&) { throw std::invalid_argument("not yet"); }
}
