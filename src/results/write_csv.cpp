#include <fmt/format.h>

#include <cassert>
#include <iterator>
#include <string_view>

#include "base/atomic_file.hpp"
#include "results/write.hpp"

namespace aleator::core::results {
namespace {

// As RFC 4180 wants it: quoted only when it has to be.
void append_name(fmt::memory_buffer& out, std::string_view name) {
  if (name.find_first_of(",\"\r\n") == std::string_view::npos) {
    out.append(name);
    return;
  }
  out.push_back('"');
  for (const char c : name) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

void append_number(fmt::memory_buffer& out, double value) { fmt::format_to(std::back_inserter(out), "{:.17g}", value); }

}  // namespace

void write_csv(const std::string& path, const Run& run) {
  const std::size_t columns = run.channels.size();
  assert(run.values.size() == run.time.size() * columns);
  AtomicFile file(path);
  fmt::memory_buffer text;
  text.append(std::string_view("time"));
  for (const Channel& channel : run.channels) {
    text.push_back(',');
    append_name(text, channel.name);
  }
  text.push_back('\n');
  constexpr std::size_t flush_at = 1 << 20;  // keeps memory small for long runs
  for (std::size_t row = 0; row < run.time.size(); ++row) {
    append_number(text, run.time[row]);
    for (std::size_t column = 0; column < columns; ++column) {
      text.push_back(',');
      append_number(text, run.values[row * columns + column]);
    }
    text.push_back('\n');
    if (text.size() > flush_at) {
      file.write({text.data(), text.size()});
      text.clear();
    }
  }
  file.write({text.data(), text.size()});
  file.commit();
}

}  // namespace aleator::core::results
