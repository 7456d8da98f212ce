// Who is to blame: shares of the variance, correlations, screening.
#include "report/page_parts.hpp"

namespace aleator::report {
namespace {

void put_shares(PageContext& c) {
  if (!c.file.has("/shares")) {
    c.json.key("shares").null();
    return;
  }
  c.json.key("shares").object();
  c.put_texts("groups", c.file.texts_attribute("/shares", "groups"));
  c.put_number("realizations", c.attribute("/shares", "realizations"));
  c.json.key("of").array();
  for (const std::string& name : c.outputs) {
    const std::string at = "/shares/" + name;
    c.json.object();
    c.put_drawn("first", at + "/first");
    c.put_drawn("total", at + "/total");
    c.put_drawn("firstError", at + "/first_error");
    c.put_drawn("totalError", at + "/total_error");
    c.put_attribute("integratedFirst", at, "integrated_first");
    c.put_attribute("integratedTotal", at, "integrated_total");
    c.put_attribute("integratedFirstError", at, "integrated_first_error");
    c.put_attribute("integratedTotalError", at, "integrated_total_error");
    c.json.end();
  }
  c.json.end().end();
}

void put_correlations(PageContext& c) {
  if (!c.file.has("/correlations")) {
    c.json.key("correlations").null();
    return;
  }
  c.json.key("correlations").object();
  c.put_texts("columns", c.file.texts_attribute("/correlations", "columns"));
  c.put_texts("determinedBy", c.file.texts_attribute("/correlations", "determined_by"));
  c.put_number("realizations", c.attribute("/correlations", "realizations"));
  c.put_number("pearsonError", c.attribute("/correlations", "pearson_error"));
  c.put_number("spearmanError", c.attribute("/correlations", "spearman_error"));
  c.put_number("partialRankError", c.attribute("/correlations", "partial_rank_error"));
  c.json.key("of").array();
  for (const std::string& name : c.outputs) {
    const std::string at = "/correlations/" + name;
    c.json.object();
    c.put_drawn("pearson", at + "/pearson");
    c.put_drawn("spearman", at + "/spearman");
    c.put_drawn("partialRank", at + "/partial_rank");
    c.put_attribute("integratedPearson", at, "integrated_pearson");
    c.put_attribute("integratedSpearman", at, "integrated_spearman");
    c.put_attribute("integratedPartialRank", at, "integrated_partial_rank");
    c.json.end();
  }
  c.json.end().end();
}

void put_screening(PageContext& c) {
  if (!c.file.has("/screening")) {
    c.json.key("screening").null();
    return;
  }
  c.json.key("screening").object();
  c.put_texts("variables", c.file.texts_attribute("/screening", "variables"));
  c.put_number("trajectories", c.attribute("/screening", "trajectories"));
  c.json.key("of").array();
  for (const std::string& name : c.outputs) {
    const std::string at = "/screening/" + name;
    c.json.object();
    c.put_drawn("muStar", at + "/mu_star");
    c.put_drawn("muStarError", at + "/mu_star_error");
    c.put_drawn("sigma", at + "/sigma");
    c.put_attribute("integratedMuStar", at, "integrated_mu_star");
    c.put_attribute("integratedMuStarError", at, "integrated_mu_star_error");
    c.put_attribute("integratedSigma", at, "integrated_sigma");
    c.json.end();
  }
  c.json.end().end();
}

}  // namespace

void put_causes(PageContext& c) {
  put_shares(c);
  put_correlations(c);
  put_screening(c);
}

}  // namespace aleator::report
