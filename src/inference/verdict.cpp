#include "inference/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "inference/spoken.hpp"

namespace aleator::core::inference {
namespace {

// How far a share is from what is expected, in halves of the range.
double surprise(const results::Coverage& c) {
  const double middle = (c.lower + c.upper) / 2, half = std::max((c.upper - c.lower) / 2, 1e-3);
  return std::abs(c.share - middle) / half;
}

// Shares of all channels, or of the three that surprise most.
std::string covered(const Fit& fit, const std::vector<std::string>& channels, double confidence) {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < fit.coverage.size(); ++c)
    if (fit.coverage[c].upper > 0) order.push_back(c);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return surprise(fit.coverage[a]) > surprise(fit.coverage[b]); });
  order.resize(std::min(order.size(), std::size_t(3)));
  std::sort(order.begin(), order.end());
  std::string text;
  for (const std::size_t c : order) {
    const results::Coverage& v = fit.coverage[c];
    text += text.empty() ? fmt::format("{:.0f} % of the measured points of {} lie inside the predicted {:.0f} % band",
                                       100 * v.share, channels[c], 100 * confidence)
                         : fmt::format(", {:.0f} % of those of {}", 100 * v.share, channels[c]);
    text += fmt::format(" ({:.0f} to {:.0f} % expected)", 100 * v.lower, 100 * v.upper);
  }
  return text;
}

// "the predicted 90 % band holds 73 % of the measured points of x, which is too few"
std::string misplaced(const Fit& fit, const std::vector<std::string>& channels, double confidence) {
  std::size_t worst = 0;
  for (std::size_t c = 0; c < fit.coverage.size(); ++c)
    if (surprise(fit.coverage[c]) > surprise(fit.coverage[worst])) worst = c;
  const results::Coverage& v = fit.coverage[worst];
  const bool fewer = v.share < (v.lower + v.upper) / 2;
  return fmt::format("the predicted {:.0f} % band holds {:.0f} % of the measured points of {}, which is too {}", 100 * confidence,
                     100 * v.share, channels[worst], fewer ? "few" : "many: the specimens differ less than predicted");
}

std::string reasons(const Fit& fit, const std::vector<std::string>& channels, double confidence) {
  std::string text;
  if (fit.likelihood_p <= fit.p)
    text = fit.too_alike ? "the specimens differ less than those of the model"
                         : "simulated specimens are hardly ever as far from the typical response of the model";
  if (fit.side_p <= fit.p)
    text += std::string(text.empty() ? "" : ", and ") +
            "the specimens deviate from the typical response of the model in the same direction";
  if (fit.residual_p <= fit.p)
    text += fmt::format(
        "{}the part of the responses that no simulation can follow is {} times as large as predicted, so the stated noise or the "
        "model is wrong",
        text.empty() ? "" : ", and ", spoken(fit.residual_ratio));
  if (fit.misfit_p <= fit.p)
    text += fmt::format(
        "{}what remains of the specimens where the model follows them best is {} times as large as their noise, so the stated "
        "noise "
        "or the model is wrong",
        text.empty() ? "" : ", and ", spoken(fit.misfit));
  if (fit.coverage_p <= fit.p) text += (text.empty() ? "" : ", and ") + misplaced(fit, channels, confidence);
  return text;
}

}  // namespace

std::string verdict(const Fit& fit, const std::vector<std::string>& channels, double confidence) {
  const std::string shares = covered(fit, channels, confidence);
  if (fit.explained) return "The model explains the measurements" + (shares.empty() ? "." : ": " + shares + ".");
  return fmt::format("The model does not explain the measurements ({}): {}{}{}; do not use the identified values.",
                     fit.p < 1e-3 ? "p < 0.001" : fmt::format("p = {:.1g}", fit.p), reasons(fit, channels, confidence),
                     shares.empty() ? "" : "; ", shares);
}

}  // namespace aleator::core::inference
