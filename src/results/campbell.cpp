#include "results/campbell.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/atomic_file.hpp"
#include "results/write_parts.hpp"

namespace aleator::core::results {
namespace {

const std::string group = "/campbell";

// [modes][values] of one of the columns.
std::vector<double> table_of(const Campbell& d, std::vector<double> Campbell::Mode::*column) {
  std::vector<double> out;
  for (const Campbell::Mode& m : d.modes) out.insert(out.end(), (m.*column).begin(), (m.*column).end());
  return out;
}

template <class Of>
std::vector<double> column_of(const Campbell& d, Of&& of) {
  std::vector<double> out;
  for (const Campbell::Crossing& c : d.crossings) out.push_back(of(c));
  return out;
}

void write_diagram(Hdf5File& file, const Campbell& d, const Run& run) {
  const std::size_t values = d.values.size(), modes = d.modes.size(), crossings = d.crossings.size();
  file.group(group);
  file.attribute(group, "parameter", d.parameter);
  file.attribute(group, "unit", d.unit);
  file.attribute(group, "about", d.about);
  file.attribute(group, "order_hertz", d.order_hertz);
  file.attribute(group, "orders", d.orders);
  file.attribute(group, "notes", d.notes);
  std::vector<std::string> motions;
  for (const Campbell::Mode& m : d.modes) motions.push_back(m.motion);
  file.attribute(group, "motions", motions);
  file.dataset(group + "/value", {values}, d.values, d.unit);
  std::vector<int> numbers(modes);
  std::iota(numbers.begin(), numbers.end(), 1);
  file.scale(group, "mode", numbers);
  file.dataset(group + "/frequency", {modes, values}, table_of(d, &Campbell::Mode::frequency));
  file.dataset(group + "/damping", {modes, values}, table_of(d, &Campbell::Mode::damping));
  file.dataset(group + "/mac", {modes, values}, table_of(d, &Campbell::Mode::mac));
  file.group(group + "/crossings");
  const std::string folder = group + "/crossings/";
  file.dataset(folder + "order", {crossings}, column_of(d, [](const auto& c) { return c.order; }));
  file.dataset(folder + "mode", {crossings}, column_of(d, [](const auto& c) { return double(c.mode + 1); }));
  file.dataset(folder + "value", {crossings}, column_of(d, [](const auto& c) { return c.value; }), d.unit);
  file.dataset(folder + "frequency", {crossings}, column_of(d, [](const auto& c) { return c.frequency; }));
  file.dataset(folder + "damping", {crossings}, column_of(d, [](const auto& c) { return c.damping; }));
  if (d.shapes.empty()) return;
  file.dataset(group + "/shapes", {modes, d.phases, frame_names(run.bodies).size(), pose_size}, d.shapes);
  file.attribute(group + "/shapes", "at", d.shapes_at);
}

}  // namespace

void write_campbell(const std::string& path, const Campbell& d, const Run& run, const Provenance& provenance) {
  AtomicFile target(path);
  Hdf5File file(target, path);
  write_provenance(file, "aleator nominal", provenance);
  file.attribute("/", "outputs", std::vector<std::string>());
  file.dataset("/time", {run.time.size()}, run.time);
  file.scale("/", "sample", std::vector<int>{0});
  write_geometry(file, run.bodies);
  write_connections(file, run);
  write_motion(file, run);
  write_diagram(file, d, run);
  file.attach_scales();
  file.finish();
  target.commit();
}

bool has_campbell(const StudyReader& file) { return file.has(group); }

Campbell read_campbell(const StudyReader& file) {
  if (!has_campbell(file)) throw ReadError(file.path(), "it has no Campbell diagram (of aleator modes --over)");
  Campbell d;
  d.parameter = file.text_attribute(group, "parameter");
  d.unit = file.text_attribute(group, "unit");
  d.about = file.text_attribute(group, "about");
  d.order_hertz = file.number_attribute(group, "order_hertz");
  d.orders = file.numbers_attribute(group, "orders");
  d.notes = file.texts_attribute(group, "notes");
  d.values = file.numbers(group + "/value");
  for (std::size_t i = 0; i < d.values.size(); ++i)
    if (!std::isfinite(d.values[i]) || (i > 0 && !(d.values[i] > d.values[i - 1])))
      throw ReadError(file.path(), group + "/value does not rise");
  const std::vector<double> frequency = file.numbers(group + "/frequency"), damping = file.numbers(group + "/damping"),
                            mac = file.numbers(group + "/mac");
  const std::vector<std::string> motions = file.texts_attribute(group, "motions");
  const auto part = [&](const std::vector<double>& all, std::size_t k) {
    const auto begin = all.begin() + std::ptrdiff_t(k * d.values.size());
    return std::vector<double>(begin, begin + std::ptrdiff_t(d.values.size()));
  };
  for (std::size_t k = 0; k < motions.size(); ++k)
    d.modes.push_back({motions[k], part(frequency, k), part(damping, k), part(mac, k)});
  const std::string folder = group + "/crossings/";
  const std::vector<long> mode = file.counts(folder + "mode");
  const std::vector<double> order = file.numbers(folder + "order"), value = file.numbers(folder + "value"),
                            at = file.numbers(folder + "frequency"), ratio = file.numbers(folder + "damping");
  for (std::size_t i = 0; i < mode.size(); ++i) {
    if (mode[i] < 1 || mode[i] > long(d.modes.size()))
      throw ReadError(file.path(), folder + "mode names a mode that is not there");
    d.crossings.push_back({int(mode[i]) - 1, order[i], value[i], at[i], ratio[i]});
  }
  if (file.has(group + "/shapes")) {
    d.shapes = file.numbers(group + "/shapes");
    d.phases = std::size_t(file.extent(group + "/shapes").at(1));
    d.shapes_at = file.number_attribute(group + "/shapes", "at");
  }
  return d;
}

}  // namespace aleator::core::results
