#include "measure.hpp"

#include <ctime>

#include <algorithm>

namespace aleator::core::bench {

namespace {

double read_clock(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double middle(const std::vector<double>& sorted) {
  const size_t n = sorted.size();
  return 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}

}  // namespace

Seconds now() { return {read_clock(CLOCK_PROCESS_CPUTIME_ID), read_clock(CLOCK_MONOTONIC)}; }

std::vector<Timing> measure_in_turn(const std::vector<std::function<void()>>& work, int turns) {
  std::vector<std::vector<double>> cpu(work.size()), wall(work.size());
  for (int turn = 0; turn < turns; ++turn)
    for (size_t i = 0; i < work.size(); ++i) {
      const Seconds began = now();
      work[i]();
      const Seconds took = now() - began;
      cpu[i].push_back(took.cpu);
      wall[i].push_back(took.wall);
    }
  std::vector<Timing> out(work.size());
  for (size_t i = 0; i < work.size() && turns > 0; ++i) {
    std::sort(cpu[i].begin(), cpu[i].end());
    std::sort(wall[i].begin(), wall[i].end());
    out[i] = {{middle(cpu[i]), middle(wall[i])}, {cpu[i].front(), wall[i].front()}, {cpu[i].back(), wall[i].back()}};
  }
  return out;
}

}  // namespace aleator::core::bench
