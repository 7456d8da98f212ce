// Responses that nobody holds, as the journal of a study has them; here in a vector.
#pragma once

#include <atomic>
#include <vector>

#include "results/response_source.hpp"

namespace aleator::core::test {

struct RowsElsewhere final : results::ResponseSource {
  std::size_t points = 0;
  std::vector<double> all;                     // [rows][points]
  mutable std::atomic<std::size_t> asked = 0;  // numbers

  explicit RowsElsewhere(std::size_t of_each) : points(of_each) {}
  std::size_t rows() const override { return all.size() / points; }
  void read(std::size_t first_row, std::size_t rows, std::size_t first_point, std::size_t count, double* to) const override {
    asked += rows * count;
    for (std::size_t k = first_row; k < first_row + rows; ++k)
      for (std::size_t i = 0; i < count; ++i) *to++ = all.at(k * points + first_point + i);
  }
};

}  // namespace aleator::core::test
