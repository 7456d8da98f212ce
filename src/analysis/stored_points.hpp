// Responses that are not held, a block of neighbouring points of all rows at a time: read by all threads, into memory that is used again.
// Memory that is new takes as long to get from the system as to fill.
#pragma once

#include <cstddef>
#include <memory>

#include "results/response_source.hpp"

namespace aleator::core::analysis {

class StoredPoints {
 public:
  // [rows][count], until the next read.
  const double* read(const results::ResponseSource& source, std::size_t rows, std::size_t first, std::size_t count);

 private:
  std::size_t room_ = 0;
  std::unique_ptr<double[]> numbers_;
};

}  // namespace aleator::core::analysis
