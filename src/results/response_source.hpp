// Responses of the realizations of a study that are not held in memory: [rows][points], NaN where one failed.
#pragma once

#include <cstddef>

namespace aleator::core::results {

class ResponseSource {
 public:
  ResponseSource() = default;
  virtual ~ResponseSource() = default;
  ResponseSource(const ResponseSource&) = delete;
  ResponseSource& operator=(const ResponseSource&) = delete;

  virtual std::size_t rows() const = 0;
  // Of each of `rows` rows from `first_row` on, `count` numbers from `first_point` on: to [rows][count]. Throws WriteError where they
  // cannot be read, and Cancelled. Several threads may read at a time.
  virtual void read(std::size_t first_row, std::size_t rows, std::size_t first_point, std::size_t count, double* to) const = 0;
};

// How many numbers are read, or held, at once: 64 MB. So much memory a study takes beside what it has to have.
constexpr std::size_t response_block = std::size_t(8) << 20;

}  // namespace aleator::core::results
