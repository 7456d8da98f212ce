#include "analysis/stored_expansion.hpp"

namespace aleator::core::analysis {

static std::string coefficients_of(const std::string& output) { return "/chaos/outputs/" + output + "/coefficients"; }

StoredExpansion read_expansion(const results::StudyReader& file) {
  if (!file.has("/chaos/degrees"))
    throw results::ReadError(file.path(), "it has no expansion; run with --method polynomial-chaos, or auto");
  StoredExpansion s;
  s.times = file.numbers("/time");
  s.outputs = file.outputs();
  const std::size_t d = file.texts_attribute("/chaos", "variables").size(), nt = s.times.size(), nc = s.outputs.size();
  if (d == 0 || nt == 0 || nc == 0) throw results::ReadError(file.path(), "its expansion is empty");
  ChaosBasis& basis = s.expansion.basis;
  for (std::size_t v = 0; v < d; ++v) {
    const std::string folder = "/chaos/variables/" + std::to_string(v);
    const auto text = [&](const char* name) { return file.text_attribute(folder, name); };
    results::Chaos::Variable& x = s.variables.emplace_back();
    x.name = text("name");
    x.family = text("family");
    x.germ = text("germ");
    x.law = text("law");
    x.law_name = text("law_name");
    x.center = file.number_attribute(folder, "center");
    x.scale = file.number_attribute(folder, "scale");
    x.recurrence = file.numbers(folder + "/recurrence");
    x.parameters = file.texts_attribute(folder, "law_parameters");
    x.values = file.numbers_attribute(folder, "law_values");
    const std::vector<double> cut = file.numbers_attribute(folder, "law_cut");
    x.lower = cut[0], x.upper = cut[1];
    if (x.parameters.size() != x.values.size())
      throw results::ReadError(file.path(), "law_values do not fit law_parameters of " + folder);
    PolynomialFamily& f = basis.families.emplace_back();
    f.name = x.family;
    f.center = x.center;
    f.scale = x.scale;
    for (std::size_t i = 0; i + 2 < x.recurrence.size(); i += 3)
      f.recurrence.push_back({x.recurrence[i], x.recurrence[i + 1], x.recurrence[i + 2]});
  }
  for (const long degree : file.counts("/chaos/degrees")) {
    const std::size_t known = basis.families[basis.degrees.size() % d].recurrence.size();
    if (std::size_t(degree) > known) throw results::ReadError(file.path(), "/chaos/degrees has a degree without a polynomial");
    basis.degrees.push_back(int(degree));
  }
  basis.terms = int(basis.degrees.size() / d);
  for (const std::string& name : s.outputs) file.extent(coefficients_of(name));  // all there, before memory is taken for them
  s.expansion.coefficients.resize(basis.terms, Eigen::Index(nt * nc));
  for (std::size_t c = 0; c < nc; ++c) {
    const std::vector<double> all = file.numbers(coefficients_of(s.outputs[c]));
    for (int k = 0; k < basis.terms; ++k)
      for (std::size_t t = 0; t < nt; ++t) s.expansion.coefficients(k, Eigen::Index(t * nc + c)) = all[std::size_t(k) * nt + t];
  }
  s.expansion.how = file.text_attribute("/chaos", "how");
  return s;
}

}  // namespace aleator::core::analysis
