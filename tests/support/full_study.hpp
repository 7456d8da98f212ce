// A small study that has everything that layout.md names: two outputs, three times, five realizations.
#pragma once

#include <vector>

#include "results/study.hpp"

namespace aleator::core::test {

struct FullStudy {
  results::StudyResult result;
  std::vector<double> responses;
  results::Provenance provenance;
  FullStudy();
  FullStudy(const FullStudy&) = delete;
};

}  // namespace aleator::core::test
