#include "report/playback.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core::report {

std::vector<std::size_t> key_frames(std::size_t times, std::size_t most) {
  const std::size_t n = std::min(times, std::max<std::size_t>(most, 1));
  std::vector<std::size_t> frames(n);
  for (std::size_t k = 0; k < n; ++k) frames[k] = n > 1 ? (k * (times - 1) + (n - 1) / 2) / (n - 1) : 0;
  return frames;
}

double comfortable_speed(double duration) {
  constexpr double shortest = 4, longest = 20, steps[] = {1, 2, 5};
  if (!(duration > 0)) return 1;
  // 10^k and 1/10^k are formed from whole numbers, so that 0.005 is the number 0.005.
  double power = 1;
  for (int k = 0; duration > longest && k < 900; ++k) {
    const double speed = steps[k % 3] * power;
    if (duration / speed <= longest) return speed;
    if (k % 3 == 2) power *= 10;
  }
  for (int k = 0; duration < shortest && k < 900; ++k) {
    const double speed = k % 3 == 0 ? 1 / power : steps[3 - k % 3] / (10 * power);
    if (duration / speed >= shortest) return speed;
    if (k % 3 == 2) power *= 10;
  }
  return 1;
}

double largest_turn(const results::Run& run, const std::vector<std::size_t>& frames) {
  const std::size_t row = run.time.empty() ? 0 : run.poses.size() / run.time.size();
  double largest = 0;
  std::size_t at = 0;
  for (const results::DrawnBody& body : run.bodies) {
    for (std::size_t k = 0; body.nodes == 1 && k + 1 < frames.size(); ++k) {
      double turn = 0;
      for (std::size_t i = frames[k]; i < frames[k + 1]; ++i) {
        const double *p = run.poses.data() + i * row + at, *q = p + row;
        turn += 2 * std::acos(std::min(1.0, std::abs(p[3] * q[3] + p[4] * q[4] + p[5] * q[5] + p[6] * q[6])));
      }
      largest = std::max(largest, turn);
    }
    at += 7 * std::size_t(body.nodes);
  }
  return largest;
}

}  // namespace aleator::core::report
