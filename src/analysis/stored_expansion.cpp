#include "analysis/stored_expansion.hpp"

namespace aleator::analysis {

StoredExpansion read_expansion(const results::StudyReader& file) {
  if (!file.has("/chaos/degrees"))
    throw results::ReadError(file.path(), "it has no expansion; run with --method polynomial-chaos, or auto");
  StoredExpansion s;
  s.times = file.numbers("/time");
  s.outputs = file.outputs();
  const std::size_t d = file.texts_attribute("/chaos", "variables").size(), nt = s.times.size(), nc = s.outputs.size();
  ChaosBasis& basis = s.expansion.basis;
  for (std::size_t v = 0; v < d; ++v) {
    const std::string folder = "/chaos/variables/" + std::to_string(v);
    const auto text = [&](const char* name) { return file.texts_attribute(folder, name).at(0); };
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
    x.lower = cut.at(0), x.upper = cut.at(1);
    PolynomialFamily& f = basis.families.emplace_back();
    f.name = x.family;
    f.center = x.center;
    f.scale = x.scale;
    for (std::size_t i = 0; i + 2 < x.recurrence.size(); i += 3)
      f.recurrence.push_back({x.recurrence[i], x.recurrence[i + 1], x.recurrence[i + 2]});
  }
  for (const double degree : file.numbers("/chaos/degrees")) basis.degrees.push_back(int(degree));
  basis.terms = int(basis.degrees.size() / d);
  s.expansion.coefficients.resize(basis.terms, Eigen::Index(nt * nc));
  for (std::size_t c = 0; c < nc; ++c) {
    const std::vector<double> all = file.numbers("/chaos/outputs/" + s.outputs[c] + "/coefficients");
    for (int k = 0; k < basis.terms; ++k)
      for (std::size_t t = 0; t < nt; ++t)
        s.expansion.coefficients(k, Eigen::Index(t * nc + c)) = all.at(std::size_t(k) * nt + t);
  }
  s.expansion.how = file.texts_attribute("/chaos", "how").at(0);
  return s;
}

}  // namespace aleator::analysis
