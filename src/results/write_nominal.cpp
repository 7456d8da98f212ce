#include <cassert>
#include <utility>

#include "base/atomic_file.hpp"
#include "results/write.hpp"
#include "results/write_parts.hpp"

namespace aleator::core::results {
namespace {

void write_responses(Hdf5File& file, const Run& run) {
  const std::size_t times = run.time.size(), columns = run.channels.size();
  file.dataset("/time", {times}, run.time);
  file.scale("/", "sample", std::vector<int>{0});
  file.group("/responses");
  file.group("/statistics");
  std::vector<double> history(times);
  for (std::size_t column = 0; column < columns; ++column) {
    const auto& [name, unit] = run.channels[column];
    for (std::size_t row = 0; row < times; ++row) history[row] = run.values[row * columns + column];
    file.dataset("/responses/" + name, {1, times}, history, unit);
    file.dataset("/statistics/" + name + "/nominal", {times}, history, unit);
  }
}

}  // namespace

void write_nominal(const std::string& path, const Run& run, const Provenance& provenance, const Identification* identification) {
  assert(run.values.size() == run.time.size() * run.channels.size());
  assert(run.poses.size() == run.time.size() * frame_names(run.bodies).size() * pose_size);
  AtomicFile target(path);  // first, so that an unwritable place is told before any work
  Hdf5File file(target, path);
  write_provenance(file, "aleator nominal", provenance);
  std::vector<std::string> outputs;
  for (const Channel& c : run.channels) outputs.push_back(c.name);
  file.attribute("/", "outputs", outputs);
  write_responses(file, run);
  write_geometry(file, run.bodies);
  write_connections(file, run);
  write_motion(file, run);
  if (identification) write_identification(file, *identification, run.channels);
  file.attach_scales();
  file.finish();
  target.commit();
}

}  // namespace aleator::core::results
