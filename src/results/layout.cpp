#include "results/layout.hpp"

#include <string_view>

namespace aleator::core::results {
namespace {

constexpr Count time_{"times", "/time", nullptr};
constexpr Count sample{"realizations", "/samples/status", nullptr};
constexpr Count kept{"realizations", "/samples/status", nullptr, -1, true};
constexpr Count column{"random numbers", "/samples/inputs", "columns"};
constexpr Count failure{"failures", "/samples/failures/realization", nullptr};
constexpr Count count{"counts", "/convergence", "realizations"};
constexpr Count group{"groups", "/sobol", "groups"}, share{"groups", "/shares", "groups"};  // /shares: in files of layout 1
constexpr Count correlated{"random numbers", "/correlations", "columns"};
constexpr Count screened{"variables", "/screening", "variables"};
constexpr Count variable{"variables", "/chaos", "variables"};
constexpr Count term{"terms", "/chaos/degrees", nullptr};
constexpr Count frame{"frames", "/motion/bodies", nullptr};
constexpr Count motion{"motions", "/motion/realizations", "realization"};
constexpr Count two{"ends", "", nullptr, 2}, three{"coefficients", "", nullptr, 3}, pose{"numbers of a pose", "", nullptr, 7};
constexpr const Count* any = nullptr;

const std::vector<ExpectedShape>& all() {
  static const std::vector<ExpectedShape> shapes = {
      {"/time", nullptr, {any}},
      {"/responses/*", nullptr, {&sample, &time_}},
      {"/samples/status", nullptr, {any}},
      {"/samples/inputs", nullptr, {&kept, &column}},
      {"/samples/inputs", "column_units", {&column}},
      {"/samples/inputs", "laws", {&column}},
      {"/samples/failures/realization", nullptr, {any}},
      {"/samples/failures/time", nullptr, {&failure}},
      {"/samples/failures/reason", nullptr, {&failure}},
      {"/samples/failures/inputs", nullptr, {&failure, &column}},
      {"/statistics/*/*", nullptr, {&time_}},
      {"/statistics/*/missing/*", nullptr, {&time_}},
      {"/statistics/*/limits/*/*", nullptr, {&time_}},
      {"/statistics/*/limits/*/missing/*", nullptr, {&time_}},
      {"/scalars/*/values", nullptr, {&sample}},
      {"/convergence/*", nullptr, {&count}},
      {"/sobol/*/*", nullptr, {&group, &time_}},
      {"/sobol/*", "*", {&group}},
      {"/shares/*/*", nullptr, {&share, &time_}},
      {"/shares/*", "*", {&share}},
      {"/correlations/*/*", nullptr, {&correlated, &time_}},
      {"/correlations/*", "*", {&correlated}},
      {"/correlations", "determined_by", {&correlated}},
      {"/screening/*/*", nullptr, {&screened, &time_}},
      {"/screening/*", "*", {&screened}},
      {"/chaos/degrees", nullptr, {any, &variable}},
      {"/chaos/variables/*/recurrence", nullptr, {any, &three}},
      {"/chaos/variables/*", "law_cut", {&two}},
      {"/chaos/outputs/*/coefficients", nullptr, {&term, &time_}},
      {"/motion/bodies", nullptr, {any}},
      {"/motion/nominal", nullptr, {&time_, &frame, &pose}},
      {"/motion/realizations", nullptr, {&motion, &time_, &frame, &pose}},
  };
  return shapes;
}

bool matches(std::string_view pattern, std::string_view path) {
  while (!pattern.empty()) {
    const std::string_view step = pattern.substr(0, pattern.find('/', 1)), found = path.substr(0, path.find('/', 1));
    if (step == "/*" ? found.size() < 2 : step != found) return false;
    pattern.remove_prefix(step.size());
    path.remove_prefix(found.size());
  }
  return path.empty();
}

}  // namespace

const ExpectedShape* expected_shape(const std::string& object, const std::string& attribute) {
  for (const ExpectedShape& s : all()) {
    if (attribute.empty() != (s.attribute == nullptr)) continue;
    if (s.attribute && std::string_view(s.attribute) != "*" && attribute != s.attribute) continue;
    if (matches(s.where, object)) return &s;
  }
  return nullptr;
}

}  // namespace aleator::core::results
