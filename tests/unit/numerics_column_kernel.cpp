// Statistics that a device takes of blocks of realizations are bitwise those of the processor.
#include "numerics/column_kernel.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "analysis/moments.hpp"
#include "analysis/sort_columns.hpp"
#include "base/aligned.hpp"
#include "numerics/ptx.hpp"
#include "support/ptx_machine.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

std::uint64_t address(const void* p) { return std::uint64_t(reinterpret_cast<std::uintptr_t>(p)); }

void expect_same_sums(int rows, int channels, int times) {
  SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(channels) + " × " + std::to_string(times));
  ColumnSums s{rows, channels * times + 3, channels, times, {{channels - 1, 0.3, true}, {0, -0.2, false}}};
  const test::PtxMachine machine(column_kernel(s));
  EXPECT_EQ(machine.entry(), "columns");
  EXPECT_EQ(machine.threads(), column_threads);

  const int packs = rows / warp, blocks = 3;
  std::mt19937 random(unsigned(rows + channels));
  std::normal_distribution<double> normal;
  AlignedVector<double> outputs(size_t(blocks * packs * s.lines * warp));
  for (double& x : outputs) x = normal(random);
  const int points = s.points();
  const auto at = [&](int block, int row, int point) -> double& {
    return outputs[size_t(((block * packs + row / warp) * s.lines + point) * warp + row % warp)];
  };
  for (int row = 0; row < rows; ++row)
    at(0, row, 0) = 1.25, at(1, row, points - 1) = double(row % 3);  // constant, and with equal values
  std::vector<ColumnBlock> list;
  for (int b = 0; b < blocks; ++b)
    list.push_back({std::uint32_t((blocks - 1 - b) * packs),
                    std::uint32_t(b == 0   ? 1
                                  : b == 1 ? 2
                                           : 5),
                    std::uint32_t(2 << b), std::uint32_t(b * s.most_numbers())});
  AlignedVector<double> as_numbers(list.size() * sizeof(ColumnBlock) / 8), sums(size_t(blocks * s.most_numbers()));
  std::memcpy(as_numbers.data(), list.data(), list.size() * sizeof(ColumnBlock));
  machine.launch(blocks, column_shared_bytes(s), {address(outputs.data()), address(as_numbers.data()), address(sums.data())});

  for (int b = 0; b < blocks; ++b) {
    const int own = blocks - 1 - b, step = 2 << b, first = int(list[size_t(b)].first);
    const double* const out = &sums[list[size_t(b)].at];
    for (int p = 0; p < points; ++p) {
      AlignedVector<double> tile(size_t(rows) * analysis::columns_at_once);
      for (int r = 0; r < rows; ++r) tile[size_t(r) * analysis::columns_at_once] = at(own, r, p);
      analysis::Moments moments(1);
      moments.set(0, 1, tile.data(), size_t(rows));
      std::vector<double> expected;  // n, mean, …
      moments.save(expected);
      for (int kind = 0; kind < ColumnSums::moments; ++kind)
        ASSERT_EQ(out[kind * points + p], expected[size_t(kind + 1)]) << "moment " << kind << " of point " << p;
      analysis::sort_columns(tile.data(), size_t(rows));
      for (int j = 0; j < rows / step; ++j)
        ASSERT_EQ(out[s.first_sorted() + j * points + p], tile[size_t(first + j * step) * analysis::columns_at_once])
            << j << " of point " << p;
    }
    for (size_t l = 0; l < s.limits.size(); ++l)
      for (int t = 0; t < times; ++t) {
        double count = 0;
        for (int r = 0; r < rows; ++r) {
          const double x = at(own, r, t * channels + s.limits[l].channel);
          count += s.limits[l].above ? x > s.limits[l].level : x < s.limits[l].level;
        }
        ASSERT_EQ(out[s.first_count() + int(l) * times + t], count);
      }
  }
}

TEST(ColumnKernel, has_the_sums_of_the_processor) {
  expect_same_sums(256, 2, 51);
  expect_same_sums(128, 3, 1);
  expect_same_sums(64, 1, 33);
  expect_same_sums(256, 1, 32);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
