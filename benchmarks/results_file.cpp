#include "results_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "results/version.hpp"

namespace aleator::core::bench {

namespace {

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

std::string instruction_set() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  return "SSE";
#else
  return "baseline";
#endif
}

// Fields with commas in quotes.
std::string line(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& f : fields) {
    if (!text.empty() || &f != fields.data()) text += ',';
    text += f.find(',') == std::string::npos ? f : '"' + f + '"';
  }
  return text + '\n';
}

}  // namespace

std::string machine() {
  return fmt::format("{}, {} cores, {}", processor(), std::thread::hardware_concurrency(), instruction_set());
}

std::string number(double x) { return fmt::format("{:.4g}", x); }

ResultsFile::ResultsFile(std::vector<std::string> columns) {
  text_ = fmt::format("# {}; {:%Y-%m-%d}; Aleator {} {}\n", machine(), fmt::gmtime(std::time(nullptr)), results::version(),
                      results::commit().substr(0, 10));
  text_ += line(columns);
}

void ResultsFile::add(const std::vector<std::string>& row) { text_ += line(row); }

void ResultsFile::write(const std::string& file) const {
  std::filesystem::create_directories(std::filesystem::path(file).parent_path());
  const std::string unfinished = file + ".new";
  std::ofstream(unfinished) << text_;
  std::filesystem::rename(unfinished, file);
}

}  // namespace aleator::core::bench
