// Which mass properties a body can have: mass m ≥ 0 and the second moments of its mass Z = ½ tr(J) I − J without negative eigenvalues.
// The nearest that one can have, in the Frobenius norm of Z, has the negative eigenvalues of Z replaced by zero; J = tr(Z) I − Z.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Core>

#include "import/mechanism.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::importing {

namespace {

double frobenius(const Matrix& a) { return std::sqrt(dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2])); }

Eigen::Matrix3d dense_of(const Matrix& a) {
  Eigen::Matrix3d out;
  for (int i = 0; i < 9; ++i) out(i / 3, i % 3) = a[i / 3][i % 3];
  return out;
}

Matrix nearest(const Matrix& inertia) {
  const Matrix Z = 0.5 * trace(inertia) * Matrix::identity() - inertia;
  const auto eigen = dense::symmetric_eigen3(dense_of(Z));
  Matrix kept;
  for (int k = 0; k < 3; ++k) {
    const Vector v{eigen.vectors(0, k), eigen.vectors(1, k), eigen.vectors(2, k)};
    kept += std::max(eigen.values[k], 0.0) * outer(v, v);
  }
  return trace(kept) * Matrix::identity() - kept;
}

}  // namespace

void check_physical(const std::string& link, MassProperties& m, const ImportOptions& options, std::vector<Note>& notes) {
  if (!(m.mass >= 0)) throw error_at(m.place, fmt::format("link '{}': the mass must not be negative, found {:g}", link, m.mass));
  if (m.mass == 0 && frobenius(m.inertia) > 0)
    throw error_at(m.place, fmt::format("link '{}': an inertia without a mass; give both, or neither", link));
  const Eigen::Vector3d e = dense::symmetric_eigen3(dense_of(m.inertia)).values;
  const double round_off = 1e-9 * std::max(std::abs(e[0]), std::abs(e[2]));  // as the reader of models
  if (e[0] >= -round_off && e[0] + e[1] >= e[2] - round_off) return;
  const std::string moments = fmt::format("{:.6g}, {:.6g} and {:.6g}", e[0], e[1], e[2]);
  const char* why = e[0] < -round_off ? "one is negative" : "the largest exceeds the sum of the other two";
  const Matrix better = nearest(m.inertia);
  const double change = frobenius(better - m.inertia) / frobenius(m.inertia);
  const Eigen::Vector3d b = dense::symmetric_eigen3(dense_of(better)).values;
  const std::string instead = fmt::format("{:.6g}, {:.6g} and {:.6g}", std::max(b[0], 0.0), b[1], b[2]);
  if (!options.repair)
    throw error_at(m.place, fmt::format("link '{}': no physical body has this inertia: its principal moments are {}, and {}; the "
                                        "nearest possible ones are {} ({:.3g} % away): {} takes these",
                                        link, moments, why, instead, 100 * change, options.words("--repair", "`repair: true`")));
  m.inertia = better;
  notes.push_back({m.place, fmt::format("link '{}': the principal moments of inertia {}, of which {}, were replaced by the "
                                        "nearest possible ones, {} ({:.3g} % away)",
                                        link, moments, why, instead, 100 * change)});
}

}  // namespace aleator::core::importing
