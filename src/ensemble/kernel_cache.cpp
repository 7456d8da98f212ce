#include "ensemble/kernel_cache.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "base/checksum.hpp"
#include "base/errors.hpp"

namespace aleator::core {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 64;

std::uint64_t sum_of(const std::string& s) { return checksum({reinterpret_cast<const unsigned char*>(s.data()), s.size()}); }

// What it was made from, and for what. The text is known by its length and two sums, the second of the text turned round.
std::string title(const std::string& ptx, const GpuFacts& device) {
  return fmt::format("aleator kernel 1\ntext {} {:016x} {:016x}\ndevice {} {}\ndriver {}\n", ptx.size(), sum_of(ptx),
                     sum_of(std::string(ptx.rbegin(), ptx.rend())), device.name, device.capability, device.driver);
}

void remove_oldest(const std::string& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const fs::directory_entry& e : fs::directory_iterator(folder, error))
    if (e.path().extension() == ".cubin") files.emplace_back(e.last_write_time(error), e.path());
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i + most_files < files.size(); ++i) fs::remove(files[i].second, error);
}

}  // namespace

KernelCache::KernelCache() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  if (cache && cache[0] == '/')
    folder_ = std::string(cache) + "/aleator/kernels";
  else if (home && home[0] == '/')
    folder_ = std::string(home) + "/.cache/aleator/kernels";
}

std::string KernelCache::file(const std::string& ptx, const GpuFacts& device) const {
  return folder_.empty() ? "" : fmt::format("{}/{:016x}.cubin", folder_, sum_of(title(ptx, device)));
}

std::optional<std::string> KernelCache::find(const std::string& ptx, const GpuFacts& device) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream stream(file(ptx, device), std::ios::binary);
  if (!stream) return std::nullopt;
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const std::string head = title(ptx, device);
  std::uint64_t sum = 0;
  if (bytes.size() < head.size() + sizeof sum || bytes.compare(0, head.size(), head) != 0) return std::nullopt;
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  bytes.resize(bytes.size() - sizeof sum);
  if (sum_of(bytes) != sum) return std::nullopt;
  return bytes.substr(head.size());
}

void KernelCache::keep(const std::string& ptx, const GpuFacts& device, const std::string& machine_code) const {
  if (folder_.empty()) return;
  try {
    create_folder(folder_);
    std::string bytes = title(ptx, device) + machine_code;
    const std::uint64_t sum = sum_of(bytes);
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    AtomicFile out(file(ptx, device));
    out.write(bytes);
    out.commit();
    remove_oldest(folder_);
  } catch (const WriteError&) {  // it is compiled again next time
  }
}

}  // namespace aleator::core
