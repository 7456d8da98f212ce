#include "analysis/stored_expansion.hpp"

namespace aleator::analysis {

StoredExpansion read_expansion(const results::StudyReader& file) {
  if (!file.has("/chaos/degrees"))
    throw results::ReadError(file.path(), "it has no expansion; run with --method polynomial-chaos, or auto");
  StoredExpansion s;
  s.times = file.numbers("/time");
  s.outputs = file.outputs();
  s.names = file.texts_attribute("/chaos", "variables");
  const std::size_t d = s.names.size(), nt = s.times.size(), nc = s.outputs.size();
  ChaosBasis& basis = s.expansion.basis;
  for (std::size_t v = 0; v < d; ++v) {
    const std::string folder = "/chaos/variables/" + std::to_string(v);
    const std::vector<double> abc = file.numbers(folder + "/recurrence");
    PolynomialFamily& f = basis.families.emplace_back();
    f.name = file.texts_attribute(folder, "family").at(0);
    f.center = file.number_attribute(folder, "center");
    f.scale = file.number_attribute(folder, "scale");
    for (std::size_t i = 0; i + 2 < abc.size(); i += 3) f.recurrence.push_back({abc[i], abc[i + 1], abc[i + 2]});
    s.germs.push_back(file.texts_attribute(folder, "germ").at(0));
    s.laws.push_back(file.texts_attribute(folder, "law").at(0));
  }
  for (const double degree : file.numbers("/chaos/degrees")) basis.degrees.push_back(int(degree));
  basis.terms = int(basis.degrees.size() / d);
  s.expansion.coefficients.resize(basis.terms, Eigen::Index(nt * nc));
  for (std::size_t c = 0; c < nc; ++c) {
    const std::vector<double> all = file.numbers("/chaos/outputs/" + s.outputs[c] + "/coefficients");
    for (int k = 0; k < basis.terms; ++k)
      for (std::size_t t = 0; t < nt; ++t) s.expansion.coefficients(k, Eigen::Index(t * nc + c)) = all.at(std::size_t(k) * nt + t);
  }
  s.expansion.how = file.texts_attribute("/chaos", "how").at(0);
  return s;
}

}  // namespace aleator::analysis
