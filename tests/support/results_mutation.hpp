// Results files with mistakes that HDF5 finds nothing wrong with: objects that are missing, are of another shape or type, hold
// nonsense, or lead elsewhere. And all commands that read such files, run in this process.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aleator::core::test {

// Bytes that decide, one after the other; zeros when they have run out.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  bool is_empty() const { return bytes_.empty(); }
  std::size_t below(std::size_t n);  // 0 … n − 1, n ≤ 65536

 private:
  std::span<const std::uint8_t> bytes_;
};

// The file with some mistakes, as many as there are choices for; at most 8. What was done is appended to `what`.
std::vector<unsigned char> mutated(std::span<const unsigned char> file, Choices& choices, std::string& what);

// Command lines that read the file; `spare` is a folder to write into, `other` a results file to compare with.
std::vector<std::vector<std::string>> reading_commands(const std::string& file, const std::string& other,
                                                       const std::string& spare);

// How many files with mistakes a test tries: ALEATOR_MUTATIONS, for a campaign, or as many as usual.
long mutations(long usual);

// Its exit code. What no command may throw is thrown on.
int run_command(std::vector<std::string> arguments);

}  // namespace aleator::core::test
