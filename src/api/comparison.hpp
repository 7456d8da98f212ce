// Two results files compared, with the verdict, for the terminal and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/compare.hpp"
#include "analysis/significance.hpp"
#include "results/read.hpp"

namespace aleator::core {

struct ComparedFiles {
  // `names`: of outputs and scalars, none: all. Throws ReadError, and Error where the two cannot be compared.
  ComparedFiles(const std::string& a, const std::string& b, const std::vector<std::string>& names,
                std::optional<double> tolerance, std::optional<double> band_tolerance);

  results::StudyReader a, b;  // a, the first, is the reference
  std::optional<double> tolerance, band_tolerance;
  analysis::Comparison found;
  analysis::Verdict verdict;
};

// Tables of outputs, scalars and p-values, and what a reader of them should know.
std::string comparison_text(const ComparedFiles& compared);

}  // namespace aleator::core
