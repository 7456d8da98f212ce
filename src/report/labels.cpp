#include "report/labels.hpp"

#include <algorithm>
#include <filesystem>

namespace aleator::core::report {

namespace fs = std::filesystem;

static std::string label_of(const std::string& file) {
  const fs::path p = fs::absolute(file).lexically_normal();
  const std::string stem = p.stem().string(), folder = p.parent_path().filename().string();
  const bool usual = stem == "results" || stem == "partial" || stem == "nominal";
  return usual && !folder.empty() ? folder : stem;
}

std::vector<std::string> labels_of(const std::vector<std::string>& files) {
  std::vector<std::string> labels;
  for (const std::string& file : files) {
    const std::string label = label_of(file);
    labels.push_back(std::find(labels.begin(), labels.end(), label) == labels.end() ? label : file);
  }
  return labels;
}

}  // namespace aleator::core::report
