// Who is to blame: shares of the variance, correlations, screening. What the page calls them, and where they are in the file.
#include <span>

#include "report/page_parts.hpp"

namespace aleator::core::report {
namespace {

struct Entry {
  const char *key, *name;
};

// What the file has of one kind: numbers, and for each output curves over time [cause][time] and their integrals [cause].
using Kind = results::StudyReader::Causes;
struct Causes {
  const char* key;
  Kind kind;
  const char* names;  // of the causes
  std::span<const Entry> numbers, curves, integrals;
};

constexpr Entry share_numbers[] = {{"realizations", "realizations"}};
constexpr Entry share_curves[] = {
    {"first", "first"}, {"total", "total"}, {"firstError", "first_error"}, {"totalError", "total_error"}};
constexpr Entry share_integrals[] = {{"integratedFirst", "first"},
                                     {"integratedTotal", "total"},
                                     {"integratedFirstError", "first_error"},
                                     {"integratedTotalError", "total_error"}};

constexpr Entry correlation_numbers[] = {{"realizations", "realizations"},
                                         {"pearsonError", "pearson_error"},
                                         {"spearmanError", "spearman_error"},
                                         {"partialRankError", "partial_rank_error"}};
constexpr Entry correlation_curves[] = {{"pearson", "pearson"}, {"spearman", "spearman"}, {"partialRank", "partial_rank"}};
constexpr Entry correlation_integrals[] = {
    {"integratedPearson", "pearson"}, {"integratedSpearman", "spearman"}, {"integratedPartialRank", "partial_rank"}};

constexpr Entry screening_numbers[] = {{"trajectories", "trajectories"}};
constexpr Entry screening_curves[] = {{"muStar", "mu_star"}, {"muStarError", "mu_star_error"}, {"sigma", "sigma"}};
constexpr Entry screening_integrals[] = {
    {"integratedMuStar", "mu_star"}, {"integratedMuStarError", "mu_star_error"}, {"integratedSigma", "sigma"}};

constexpr Causes all_causes[] = {
    {"shares", Kind::sobol, "groups", share_numbers, share_curves, share_integrals},
    {"correlations", Kind::correlations, "columns", correlation_numbers, correlation_curves, correlation_integrals},
    {"screening", Kind::screening, "variables", screening_numbers, screening_curves, screening_integrals}};

void put(PageContext& c, const Causes& x) {
  c.json.key(x.key);
  if (!c.file.has(x.kind)) {
    c.json.null();
    return;
  }
  c.json.object();
  c.put_texts(x.names, c.file.causes(x.kind));
  if (x.kind == Kind::correlations) c.put_texts("determinedBy", c.file.determined_by());
  for (const Entry& e : x.numbers) c.put_number(e.key, c.known([&] { return c.file.number(x.kind, e.name); }));
  c.json.key("of").array();
  for (const std::string& output : c.outputs) {
    c.json.object();
    for (const Entry& e : x.curves)
      c.put_drawn(e.key, c.file.has_curves(x.kind, output, e.name), [&] { return c.file.curves(x.kind, output, e.name); });
    for (const Entry& e : x.integrals) c.put_list(e.key, [&] { return c.file.integrals(x.kind, output, e.name); });
    c.json.end();
  }
  c.json.end().end();
}

}  // namespace

void put_causes(PageContext& c) {
  for (const Causes& x : all_causes) put(c, x);
}

}  // namespace aleator::core::report
