#include <unistd.h>

#include <ctime>
#include <fstream>

#include "results/run.hpp"
#include "results/version.hpp"

namespace aleator::core::results {
namespace {

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "";
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2026-01-31T12:34:56Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

Provenance provenance_here() {
  Provenance here;
  here.version = version();
  here.commit = commit();
  here.host = host_name();
  here.processor = processor_name();
  here.created = utc_now();
  return here;
}

}  // namespace aleator::core::results
