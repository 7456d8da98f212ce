#include "api/campbell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/cancellation.hpp"
#include "base/text_table.hpp"
#include "study/loaded_model.hpp"

namespace aleator::core {
namespace {

constexpr double same_shape = 0.9;  // MAC from which on a mode is taken to be the same without a look in between
constexpr int deepest = 7;          // halvings of a distance between values

struct Found {
  std::vector<Mode> modes;
  Eigen::VectorXd weights;
  bool balanced = true;
};

class Follower {
 public:
  Follower(const Model& m, const LoadedModel& loaded, const CampbellRequest& q)
      : m_(m), settings_(loaded.model_settings()), q_(q) {}

  Found at(double value) const {
    throw_if_cancelled();
    std::vector<Override> overrides = settings_;
    std::erase_if(overrides, [&](const Override& o) { return o.name == q_.parameter; });
    overrides.push_back({q_.parameter, value});
    const Parameters numbers = realize(m_, overrides);
    const Realization<double> r = make_realization<double>(m_, std::span(&numbers, 1));
    Assembly<double> a(m_, r);
    ModalRequest request = q_.modes;
    request.number = 2 * request.number + 4;
    ModesFound found = find_modes(a, request);
    return {std::move(found.modes), modal_weights(a), found.report.balanced};
  }

  // Shapes at x0 become those of the same modes at x1.
  std::vector<int> follow(double x0, std::vector<Eigen::VectorXcd>& shapes, double x1, const Found& to, std::vector<double>& mac,
                          int depth = 0) const {
    std::vector<int> own = pair_modes(shapes, to.modes, to.weights);
    double worst = 1;
    for (size_t k = 0; k < own.size(); ++k)
      if (own[k] >= 0) worst = std::min(worst, modal_assurance(shapes[k], to.modes[size_t(own[k])].shape, to.weights));
    if (worst < same_shape && depth < deepest) {
      const double middle = 0.5 * (x0 + x1);
      const Found between = at(middle);
      follow(x0, shapes, middle, between, mac, depth + 1);
      return follow(middle, shapes, x1, to, mac, depth + 1);
    }
    mac.assign(own.size(), std::numeric_limits<double>::quiet_NaN());
    for (size_t k = 0; k < own.size(); ++k)
      if (own[k] >= 0) {
        const Eigen::VectorXcd& shape = to.modes[size_t(own[k])].shape;
        mac[k] = modal_assurance(shapes[k], shape, to.weights);
        shapes[k] = shape;
      }
    return own;
  }

 private:
  const Model& m_;
  std::vector<Override> settings_;
  const CampbellRequest& q_;
};

// Vibrations that nothing is followed to begin here, while there are fewer than asked for: values before have none.
void begin_modes(const Found& found, int number, std::vector<Eigen::VectorXcd>& shapes, std::vector<int>& own,
                 std::vector<double>& mac, CampbellDiagram& d) {
  const std::vector<double> none(d.values.size(), std::numeric_limits<double>::quiet_NaN());
  for (int k = 0; k < int(found.modes.size()) && int(shapes.size()) < number; ++k) {
    const Mode& mode = found.modes[size_t(k)];
    if (mode.rigid || !mode.oscillating || std::find(own.begin(), own.end(), k) != own.end()) continue;
    own.push_back(k), mac.push_back(1);
    shapes.push_back(mode.shape);
    for (auto* rows : {&d.frequency, &d.damping, &d.mac}) rows->push_back(none);
  }
}

double number_in(const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != 0 || !std::isfinite(x)) throw std::invalid_argument(fmt::format("'{}' is no number", text));
  return x;
}

}  // namespace

void read_range(const std::string& text, CampbellRequest& to) {
  const size_t equals = text.find('='), dots = text.find("..");
  if (equals == std::string::npos || equals == 0 || dots == std::string::npos || dots < equals)
    throw std::invalid_argument(fmt::format("must be a name and a range, as speed=0..300; found '{}'", text));
  to.parameter = text.substr(0, equals);
  to.from = number_in(text.substr(equals + 1, dots - equals - 1));
  to.to = number_in(text.substr(dots + 2));
  if (!(to.from < to.to)) throw std::invalid_argument(fmt::format("the range must rise, found {:g} to {:g}", to.from, to.to));
}

CampbellDiagram campbell(const aleator::Model& model, const CampbellRequest& q) {
  const LoadedModel& loaded = model.compiled();
  const Model& m = loaded.model;
  CampbellDiagram d{.title = loaded.name(), .parameter = q.parameter, .unit = "", .about = about_of(m, q.modes)};
  d.orders = q.orders;
  const Follower follower(m, loaded, q);
  std::vector<Eigen::VectorXcd> shapes;
  bool balanced = true;
  for (int i = 0; i < q.points; ++i) {
    const double x = q.points == 1 ? q.from : q.from + (q.to - q.from) * i / (q.points - 1);
    const Found found = follower.at(x);
    balanced = balanced && found.balanced;
    std::vector<int> own;
    std::vector<double> mac;
    if (!shapes.empty()) own = follower.follow(d.values.back(), shapes, x, found, mac);
    begin_modes(found, q.modes.number, shapes, own, mac, d);
    d.values.push_back(x);
    for (size_t k = 0; k < own.size(); ++k) {
      const double none = std::numeric_limits<double>::quiet_NaN();
      const Mode* mode = own[k] < 0 ? nullptr : &found.modes[size_t(own[k])];
      d.frequency[k].push_back(mode ? mode->frequency : none);
      d.damping[k].push_back(mode ? mode->damping_ratio + 0.0 : none);
      d.mac[k].push_back(mac[k]);
    }
  }
  if (shapes.empty())
    throw SimulationError(
        fmt::format("nothing vibrates from {0} = {1:g} to {2:g}: all modes are rigid, or damped more than critically; "
                    "another range, or --about, may have vibrations",
                    q.parameter, q.from, q.to));
  if (!balanced)
    d.notes.push_back(d.about == "steady" || d.about == "rotation"
                          ? "this motion is not steady: forces are left over, or change with time; so do frequencies"
                          : "not everywhere an equilibrium; --about equilibrium linearises there");
  return d;
}

std::string campbell_text(const CampbellDiagram& d) {
  TextTable table;
  std::vector<std::string> heading = {d.parameter};
  for (size_t k = 0; k < d.frequency.size(); ++k) heading.push_back(fmt::format("mode {} [Hz]", k + 1));
  table.row(heading);
  for (size_t i = 0; i < d.values.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{:.6g}", d.values[i])};
    for (const std::vector<double>& f : d.frequency) row.push_back(std::isnan(f[i]) ? "–" : fmt::format("{:.5g}", f[i]));
    table.row(row);
  }
  std::string out;
  for (const std::string& line : table.lines()) out += line + "\n";
  return out;
}

std::string campbell_csv(const CampbellDiagram& d) {
  std::string out = d.parameter;
  for (size_t k = 1; k <= d.frequency.size(); ++k) out += fmt::format(",frequency_{0},damping_{0},mac_{0}", k);
  out += "\n";
  for (size_t i = 0; i < d.values.size(); ++i) {
    out += fmt::format("{:.17g}", d.values[i]);
    for (size_t k = 0; k < d.frequency.size(); ++k)
      for (const auto* column : {&d.frequency[k], &d.damping[k], &d.mac[k]})
        out += std::isnan((*column)[i]) ? "," : fmt::format(",{:.17g}", (*column)[i]);
    out += "\n";
  }
  return out;
}

report::Figure campbell_figure(const CampbellDiagram& d) {
  using report::Colour;
  const Colour colours[] = {Colour::blue, Colour::vermillion, Colour::green, Colour::purple, Colour::amber, Colour::sky};
  report::Figure figure{.title = d.title, .subtitle = fmt::format("natural frequencies over {}", d.parameter)};
  report::Panel panel{.x = {d.parameter, d.unit, d.values.front(), d.values.back()}, .y = {"natural frequency", "Hz", 0, 1}};
  double highest = 0;
  for (size_t k = 0; k < d.frequency.size(); ++k) {
    panel.curves.push_back(
        {.name = fmt::format("mode {}", k + 1), .x = d.values, .y = d.frequency[k], .colour = colours[k % std::size(colours)]});
    for (const double f : d.frequency[k])
      if (std::isfinite(f)) highest = std::max(highest, f);
  }
  panel.y.high = highest > 0 ? 1.08 * highest : 1;
  for (const double order : d.orders) {
    report::Curve line{.name = fmt::format("{:g}×", order), .colour = Colour::ink, .stroke = report::Stroke::dashed, .width = 1};
    for (const double x : d.values) {
      const double f = std::abs(order * x) / (2 * std::acos(-1.0));
      line.x.push_back(x), line.y.push_back(f <= panel.y.high ? f : std::numeric_limits<double>::quiet_NaN());
    }
    panel.curves.push_back(std::move(line));
  }
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace aleator::core
