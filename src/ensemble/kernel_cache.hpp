// Machine code of kernels, kept in the user's cache folder: a driver takes seconds to make it. What is damaged, or belongs to another driver or device,
// counts as not there; what cannot be written is not kept.
#pragma once

#include <optional>
#include <string>

#include "base/gpu_driver.hpp"

namespace aleator::core {

class KernelCache {
 public:
  // In $XDG_CACHE_HOME/aleator/kernels or ~/.cache/aleator/kernels; nowhere: nothing is kept.
  KernelCache();
  explicit KernelCache(std::string folder) : folder_(std::move(folder)) {}

  std::optional<std::string> find(const std::string& ptx, const GpuFacts& device) const;
  void keep(const std::string& ptx, const GpuFacts& device, const std::string& machine_code) const;
  std::string file(const std::string& ptx, const GpuFacts& device) const;  // where it would be

 private:
  std::string folder_;
};

}  // namespace aleator::core
