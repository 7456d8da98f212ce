#include "method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aleator::core::app {

std::unique_ptr<Method> make_method(const Task& task) {
  const std::string& m = task.study.method;
  if (m == "polynomial-chaos") return make_chaos(task);
  if (m == "first-order") return make_first_order(task);
  if (m == "morris") return make_morris(task);
  if (m == "auto") return make_automatic(task);
  return make_sampling(task);
}

input::InputError not_studied(const Model& model, const Study& s, const std::string& why) {
  input::Position at;
  if (const input::Value* study = model.description.top.find("study")) {
    const input::Value* method = study->items[0].find("method");
    at = method ? method->at : study->at;
  }
  return input::InputError(at, fmt::format("study: method '{}': {}", s.method, why)).in_file(model.description.file);
}

Reached reached(const Study& study, const results::StudyStatistics& statistics) {
  double worst = 0;
  bool known = false;
  for (const results::ChannelStatistics& c : statistics.channels) {
    const auto look = [&](bool asked, double error) {
      if (!asked || std::isnan(error)) return;  // nothing scatters
      worst = std::max(worst, error);
      known = true;
    };
    look(study.accuracy_of_mean, c.accuracy.mean);
    look(study.accuracy_of_std, c.accuracy.std);
    look(study.accuracy_of_band, c.accuracy.band);
  }
  const double ratio = worst / study.accuracy;
  return {(known || statistics.realizations > 1) && ratio <= 1, double(statistics.realizations) * ratio * ratio};
}

}  // namespace aleator::core::app
