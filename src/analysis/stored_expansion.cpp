#include "analysis/stored_expansion.hpp"

namespace aleator::core::analysis {

StoredExpansion read_expansion(const results::StudyReader& file) {
  if (!file.has_chaos())
    throw results::ReadError(file.path(), "it has no expansion; run with --method polynomial-chaos, or auto");
  results::Chaos chaos = file.chaos();
  StoredExpansion s;
  s.times = file.time();
  s.outputs = file.outputs();
  const std::size_t d = chaos.variables.size(), nt = s.times.size(), nc = s.outputs.size();
  if (d == 0 || nt == 0 || nc == 0) throw results::ReadError(file.path(), "its expansion is empty");
  ChaosBasis& basis = s.expansion.basis;
  for (const results::Chaos::Variable& x : chaos.variables) {
    PolynomialFamily& f = basis.families.emplace_back();
    f.name = x.family;
    f.center = x.center;
    f.scale = x.scale;
    for (std::size_t i = 0; i + 2 < x.recurrence.size(); i += 3)
      f.recurrence.push_back({x.recurrence[i], x.recurrence[i + 1], x.recurrence[i + 2]});
  }
  s.variables = std::move(chaos.variables);
  basis.degrees = std::move(chaos.degrees);
  basis.terms = int(basis.degrees.size() / d);
  for (const std::string& name : s.outputs) file.check_chaos_coefficients(name);  // all there, before memory is taken for them
  s.expansion.coefficients.resize(basis.terms, Eigen::Index(nt * nc));
  for (std::size_t c = 0; c < nc; ++c) {
    const std::vector<double> all = file.chaos_coefficients(s.outputs[c]);
    for (int k = 0; k < basis.terms; ++k)
      for (std::size_t t = 0; t < nt; ++t) s.expansion.coefficients(k, Eigen::Index(t * nc + c)) = all[std::size_t(k) * nt + t];
  }
  s.expansion.how = chaos.how;
  return s;
}

}  // namespace aleator::core::analysis
