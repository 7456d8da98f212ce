// Numbers derived from functions of time in lanes are bitwise those of series.hpp.
#include "numerics/recorded_series.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "base/aligned.hpp"
#include "numerics/sampled.hpp"
#include "numerics/series.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

// Waves of random length, with spikes, constants, zeros of both signs and equal neighbours among them.
double value(std::mt19937& random, int kind, double t) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  switch (kind % 7) {
    case 0:
      return std::sin(9 * t) + 0.3 * std::cos(31 * t + kind);
    case 1:
      return uniform(random);
    case 2:
      return 2.5;
    case 3:
      return uniform(random) < 0 ? -0.0 : 0.0;
    case 4:
      return std::floor(3 * std::sin(5 * t));
    case 5:
      return 1 - (t - 0.51) * (t - 0.51) + (t > 0.7 ? 5 : 0);
    default:
      return -std::exp(-t) * std::cos(20 * t + kind);
  }
}

void expect_same_numbers(const std::vector<double>& times, int channels) {
  SCOPED_TRACE(std::to_string(times.size()) + " times, " + std::to_string(channels) + " channels");
  std::vector<RecordedSeries::Wanted> wanted(std::size_t(channels), {true, true});
  wanted.back().least = channels == 1;
  const RecordedSeries series = record_series(times, wanted, 1e60);
  const SequenceRun::Code code(series.sequence, best_isa());
  SequenceRun run(code);
  const std::size_t width = std::size_t(code.width()), points = times.size() * std::size_t(channels);
  AlignedVector<double> values(points * width), told(std::size_t(series.lines) * width);
  std::mt19937 random(7);
  for (int turn = 0; turn < 12; ++turn) {
    for (std::size_t lane = 0; lane < width; ++lane)
      for (std::size_t i = 0; i < points; ++i)
        values[i * width + lane] =
            value(random, turn * int(width) + int(lane + i % std::size_t(channels)), times[i / std::size_t(channels)]);
    if (turn == 5) values[(points - 1) * width + 1] = 1e61, values[0] = std::nan("");
    run(values.data(), told.data());
    for (std::size_t lane = 0; lane < width; ++lane) {
      ASSERT_EQ(told[lane], turn == 5 && lane < 2 ? 1 : 0);
      if (told[lane] != 0) continue;
      for (int c = 0; c < channels; ++c) {
        std::vector<double> x;
        for (std::size_t t = 0; t < times.size(); ++t)
          x.push_back(values[(t * std::size_t(channels) + std::size_t(c)) * width + lane]);
        const RecordedSeries::Channel& own = series.channels[std::size_t(c)];
        const auto number = [&](int line) { return told[std::size_t(line) * width + lane]; };
        const auto same = [&](int line, double expected, const char* what) {
          EXPECT_EQ(std::bit_cast<std::uint64_t>(number(line) + 0.0), std::bit_cast<std::uint64_t>(expected + 0.0))
              << what << " of turn " << turn << ", lane " << lane << ", channel " << c << ": " << number(line) << " " << expected;
        };
        const double span = times.back() - times.front();
        same(own.first + RecordedSeries::square, integral_of_square(times, x.data(), 1), "square");
        EXPECT_EQ(number(own.first + RecordedSeries::integral) / span,
                  reduce({.reduction = Reduction::average}, times, x.data(), 1));
        same(own.first + RecordedSeries::last, x.back(), "last");
        const Sampled f{times, x.data(), 1};
        if (own.largest >= 0) same(own.largest, largest(f, 1), "largest");
        if (own.least >= 0) same(own.least, largest(f, -1), "least");
        for (const double level : {0.0, 0.9, 1.3}) EXPECT_EQ(number(own.largest) > level, passes(f, 1, level));
      }
    }
  }
}

TEST(RecordedSeries, have_the_bits_of_single_ones) {
  for (const std::size_t n : {2u, 4u, 5u, 6u, 9u, 10u, 51u, 101u}) {
    std::vector<double> times;
    for (std::size_t i = 0; i < n; ++i) times.push_back(double(i) * 0.01);
    expect_same_numbers(times, 1);
    expect_same_numbers(times, 3);
  }
  std::vector<double> uneven;
  for (int i = 0; i < 40; ++i) uneven.push_back(0.02 * i + (i > 20 ? 0.005 * (i - 20) : 0));
  expect_same_numbers(uneven, 2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
