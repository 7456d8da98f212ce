// NVIDIA's driver, found when the program runs (libcuda.so.1): no toolkit is needed to build or to run. The few functions that are used are declared
// here; everything they refuse throws GpuError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace aleator::core {

struct GpuError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct GpuFunctions;  // of the driver

struct GpuFacts {
  int number = 0;      // of the device: gpu:0, gpu:1 …
  std::string name;    // "NVIDIA H200"
  double memory = 0;   // bytes
  int driver = 0;      // 12040 is 12.4
  int capability = 0;  // 90 is 9.0
  int multiprocessors = 0;
  int shared_per_multiprocessor = 0, shared_per_block = 0, shared_reserved = 0;  // bytes
  std::string driver_text() const;                                               // "12.4"
};

// Where the driver is looked for; another file for tests.
void use_gpu_driver(const std::string& file);

int gpu_count();  // of this machine, at least 1; throws GpuError

// One device of this machine, ready to be used by all threads.
class GpuDevice {
 public:
  explicit GpuDevice(int number = 0);
  ~GpuDevice();
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;

  const GpuFacts& facts() const { return facts_; }
  void use() const;  // by this thread
  double free_memory() const;

  // Machine code of a kernel, from PTX.
  std::string compile(const std::string& ptx) const;

 private:
  friend class GpuKernel;
  friend class GpuMemory;
  friend class PinnedMemory;
  friend class GpuStream;
  std::shared_ptr<const GpuFunctions> f_;
  int handle_ = 0;
  void* context_ = nullptr;
  GpuFacts facts_;
};

class GpuKernel {
 public:
  GpuKernel(const GpuDevice& device, const std::string& machine_code, const char* name, int shared_bytes);
  ~GpuKernel();
  GpuKernel(const GpuKernel&) = delete;
  GpuKernel& operator=(const GpuKernel&) = delete;
  int registers() const { return registers_; }
  int local_bytes() const { return local_bytes_; }

 private:
  friend class GpuStream;
  const GpuDevice& device_;
  void *module_ = nullptr, *function_ = nullptr;
  int shared_bytes_, registers_ = 0, local_bytes_ = 0;
};

class GpuMemory {
 public:
  GpuMemory(const GpuDevice& device, std::size_t bytes);
  ~GpuMemory();
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  std::uint64_t address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  const GpuDevice& device_;
  std::uint64_t address_ = 0;
  std::size_t bytes_;
};

// Memory of the host that the device copies from and to while both compute.
class PinnedMemory {
 public:
  PinnedMemory(const GpuDevice& device, std::size_t bytes);
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  double* data() const { return static_cast<double*>(data_); }

 private:
  const GpuDevice& device_;
  void* data_ = nullptr;
};

// What is done one after the other, beside other streams.
class GpuStream {
 public:
  explicit GpuStream(const GpuDevice& device);
  ~GpuStream();
  GpuStream(const GpuStream&) = delete;
  GpuStream& operator=(const GpuStream&) = delete;
  void copy_to(const GpuMemory& to, const void* from, std::size_t bytes);
  void copy_from(void* to, const GpuMemory& from, std::size_t bytes, std::size_t offset = 0);
  void launch(const GpuKernel& kernel, int blocks, int threads, std::span<void* const> parameters);
  void wait();

 private:
  const GpuDevice& device_;
  void* stream_ = nullptr;
};

}  // namespace aleator::core
