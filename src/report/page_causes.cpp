// Who is to blame: shares of the variance, correlations, screening. What the page calls them, and where they are in the file.
#include <fmt/format.h>

#include <span>

#include "report/page_parts.hpp"

namespace aleator::core::report {
namespace {

struct Entry {
  const char *key, *name;
};

// A group of the file: attributes of its own, and for each output curves over time [cause][time] and their integrals [cause].
struct Causes {
  const char *key, *group;
  std::span<const Entry> texts, numbers, curves, integrals;
};

constexpr Entry share_texts[] = {{"groups", "groups"}}, share_numbers[] = {{"realizations", "realizations"}};
constexpr Entry share_curves[] = {
    {"first", "/first"}, {"total", "/total"}, {"firstError", "/first_error"}, {"totalError", "/total_error"}};
constexpr Entry share_integrals[] = {{"integratedFirst", "integrated_first"},
                                     {"integratedTotal", "integrated_total"},
                                     {"integratedFirstError", "integrated_first_error"},
                                     {"integratedTotalError", "integrated_total_error"}};

constexpr Entry correlation_texts[] = {{"columns", "columns"}, {"determinedBy", "determined_by"}};
constexpr Entry correlation_numbers[] = {{"realizations", "realizations"},
                                         {"pearsonError", "pearson_error"},
                                         {"spearmanError", "spearman_error"},
                                         {"partialRankError", "partial_rank_error"}};
constexpr Entry correlation_curves[] = {{"pearson", "/pearson"}, {"spearman", "/spearman"}, {"partialRank", "/partial_rank"}};
constexpr Entry correlation_integrals[] = {{"integratedPearson", "integrated_pearson"},
                                           {"integratedSpearman", "integrated_spearman"},
                                           {"integratedPartialRank", "integrated_partial_rank"}};

constexpr Entry screening_texts[] = {{"variables", "variables"}}, screening_numbers[] = {{"trajectories", "trajectories"}};
constexpr Entry screening_curves[] = {{"muStar", "/mu_star"}, {"muStarError", "/mu_star_error"}, {"sigma", "/sigma"}};
constexpr Entry screening_integrals[] = {{"integratedMuStar", "integrated_mu_star"},
                                         {"integratedMuStarError", "integrated_mu_star_error"},
                                         {"integratedSigma", "integrated_sigma"}};

constexpr Causes all_causes[] = {
    {"shares", "/shares", share_texts, share_numbers, share_curves, share_integrals},
    {"correlations", "/correlations", correlation_texts, correlation_numbers, correlation_curves, correlation_integrals},
    {"screening", "/screening", screening_texts, screening_numbers, screening_curves, screening_integrals}};

void put(PageContext& c, const Causes& x) {
  const std::string group = x.group;
  c.json.key(x.key);
  if (!c.file.has(group)) {
    c.json.null();
    return;
  }
  c.json.object();
  for (const Entry& e : x.texts) c.put_texts(e.key, c.file.texts_attribute(group, e.name));
  for (const Entry& e : x.numbers) c.put_number(e.key, c.attribute(group, e.name));
  c.json.key("of").array();
  for (const std::string& output : c.outputs) {
    const std::string at = fmt::format("{}/{}", group, output);
    c.json.object();
    for (const Entry& e : x.curves) c.put_drawn(e.key, at + e.name);
    for (const Entry& e : x.integrals) c.put_attribute(e.key, at, e.name);
    c.json.end();
  }
  c.json.end().end();
}

}  // namespace

void put_causes(PageContext& c) {
  for (const Causes& x : all_causes) put(c, x);
}

}  // namespace aleator::core::report
