#include "base/gpu_driver.hpp"

#include <dlfcn.h>

#include <array>
#include <mutex>

#include <fmt/format.h>

namespace aleator::core {

// As the driver's interface has been since its version 11.0. Handles are pointers, a device and a result are numbers.
struct GpuFunctions {
  int (*cuInit)(unsigned) = nullptr;
  int (*cuDriverGetVersion)(int*) = nullptr;
  int (*cuDeviceGetCount)(int*) = nullptr;
  int (*cuDeviceGet)(int*, int) = nullptr;
  int (*cuDeviceGetName)(char*, int, int) = nullptr;
  int (*cuDeviceTotalMem_v2)(std::size_t*, int) = nullptr;
  int (*cuDeviceGetAttribute)(int*, int, int) = nullptr;
  int (*cuDevicePrimaryCtxSetFlags_v2)(int, unsigned) = nullptr;
  int (*cuDevicePrimaryCtxRetain)(void**, int) = nullptr;
  int (*cuDevicePrimaryCtxRelease_v2)(int) = nullptr;
  int (*cuCtxSetCurrent)(void*) = nullptr;
  int (*cuMemGetInfo_v2)(std::size_t*, std::size_t*) = nullptr;
  int (*cuLinkCreate_v2)(unsigned, int*, void**, void**) = nullptr;
  int (*cuLinkAddData_v2)(void*, int, void*, std::size_t, const char*, unsigned, int*, void**) = nullptr;
  int (*cuLinkComplete)(void*, void**, std::size_t*) = nullptr;
  int (*cuLinkDestroy)(void*) = nullptr;
  int (*cuModuleLoadData)(void**, const void*) = nullptr;
  int (*cuModuleUnload)(void*) = nullptr;
  int (*cuModuleGetFunction)(void**, void*, const char*) = nullptr;
  int (*cuFuncSetAttribute)(void*, int, int) = nullptr;
  int (*cuFuncGetAttribute)(int*, int, void*) = nullptr;
  int (*cuMemAlloc_v2)(std::uint64_t*, std::size_t) = nullptr;
  int (*cuMemFree_v2)(std::uint64_t) = nullptr;
  int (*cuMemAllocHost_v2)(void**, std::size_t) = nullptr;
  int (*cuMemFreeHost)(void*) = nullptr;
  int (*cuMemcpyHtoDAsync_v2)(std::uint64_t, const void*, std::size_t, void*) = nullptr;
  int (*cuMemcpyDtoHAsync_v2)(void*, std::uint64_t, std::size_t, void*) = nullptr;
  int (*cuStreamCreate)(void**, unsigned) = nullptr;
  int (*cuStreamDestroy_v2)(void*) = nullptr;
  int (*cuStreamSynchronize)(void*) = nullptr;
  int (*cuLaunchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                        void**) = nullptr;
  int (*cuGetErrorString)(int, const char**) = nullptr;

  explicit GpuFunctions(const std::string& file) {
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw GpuError(fmt::format("there is no driver of NVIDIA on this machine ({})", dlerror()));
    const auto find = [&](auto& function, const char* name) {
      void* const found = dlsym(library, name);
      if (!found) throw GpuError(fmt::format("the driver is too old: it has no {}", name));
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
    };
#define ALEATOR_FIND(name) find(name, #name)
    ALEATOR_FIND(cuInit);
    ALEATOR_FIND(cuDriverGetVersion);
    ALEATOR_FIND(cuDeviceGetCount);
    ALEATOR_FIND(cuDeviceGet);
    ALEATOR_FIND(cuDeviceGetName);
    ALEATOR_FIND(cuDeviceTotalMem_v2);
    ALEATOR_FIND(cuDeviceGetAttribute);
    ALEATOR_FIND(cuDevicePrimaryCtxSetFlags_v2);
    ALEATOR_FIND(cuDevicePrimaryCtxRetain);
    ALEATOR_FIND(cuDevicePrimaryCtxRelease_v2);
    ALEATOR_FIND(cuCtxSetCurrent);
    ALEATOR_FIND(cuMemGetInfo_v2);
    ALEATOR_FIND(cuLinkCreate_v2);
    ALEATOR_FIND(cuLinkAddData_v2);
    ALEATOR_FIND(cuLinkComplete);
    ALEATOR_FIND(cuLinkDestroy);
    ALEATOR_FIND(cuModuleLoadData);
    ALEATOR_FIND(cuModuleUnload);
    ALEATOR_FIND(cuModuleGetFunction);
    ALEATOR_FIND(cuFuncSetAttribute);
    ALEATOR_FIND(cuFuncGetAttribute);
    ALEATOR_FIND(cuMemAlloc_v2);
    ALEATOR_FIND(cuMemFree_v2);
    ALEATOR_FIND(cuMemAllocHost_v2);
    ALEATOR_FIND(cuMemFreeHost);
    ALEATOR_FIND(cuMemcpyHtoDAsync_v2);
    ALEATOR_FIND(cuMemcpyDtoHAsync_v2);
    ALEATOR_FIND(cuStreamCreate);
    ALEATOR_FIND(cuStreamDestroy_v2);
    ALEATOR_FIND(cuStreamSynchronize);
    ALEATOR_FIND(cuLaunchKernel);
    ALEATOR_FIND(cuGetErrorString);
#undef ALEATOR_FIND
  }

  void check(int result, const char* what) const {
    if (result == 0) return;
    const char* text = nullptr;
    if (cuGetErrorString(result, &text) != 0 || !text) text = "an unknown error";
    throw GpuError(fmt::format("{}: {} ({})", what, text, result));
  }
};

namespace {

constexpr int oldest_driver = 11000;  // PTX 7.0

struct DriverFile {
  std::mutex mutex;
  std::string name = "libcuda.so.1";
  std::shared_ptr<const GpuFunctions> driver_functions;
};
DriverFile& driver_file() {
  static DriverFile file;
  return file;
}

std::shared_ptr<const GpuFunctions> driver_functions() {
  DriverFile& file = driver_file();
  const std::scoped_lock lock(file.mutex);
  if (!file.driver_functions) {
    auto f = std::make_shared<const GpuFunctions>(file.name);
    f->check(f->cuInit(0), "the driver does not start");
    file.driver_functions = std::move(f);
  }
  return file.driver_functions;
}

}  // namespace

std::string GpuFacts::driver_text() const { return fmt::format("{}.{}", driver / 1000, driver % 1000 / 10); }

void use_gpu_driver(const std::string& name) {
  DriverFile& file = driver_file();
  const std::scoped_lock lock(file.mutex);
  file.name = name;
  file.driver_functions.reset();
}

int gpu_count() {
  const std::shared_ptr<const GpuFunctions> f = driver_functions();
  int count = 0;
  f->check(f->cuDeviceGetCount(&count), "the number of GPUs");
  if (count == 0) throw GpuError("there is no GPU of NVIDIA in this machine");
  return count;
}

GpuDevice::GpuDevice(int number) : f_(driver_functions()) {
  facts_.number = number;
  f_->check(f_->cuDriverGetVersion(&facts_.driver), "the version of the driver");
  if (facts_.driver < oldest_driver)
    throw GpuError(fmt::format("the driver is too old: it has CUDA {}, and 11.0 is needed", facts_.driver_text()));
  const int count = gpu_count();
  if (number >= count)
    throw GpuError(count == 1
                       ? fmt::format("there is no gpu:{}: this machine has one, gpu:0", number)
                       : fmt::format("there is no gpu:{}: this machine has {}, gpu:0 to gpu:{}", number, count, count - 1));
  f_->check(f_->cuDeviceGet(&handle_, number), "the GPU");
  std::array<char, 256> name{};
  f_->check(f_->cuDeviceGetName(name.data(), int(name.size()) - 1, handle_), "the name of the GPU");
  facts_.name = name.data();
  std::size_t bytes = 0;
  f_->check(f_->cuDeviceTotalMem_v2(&bytes, handle_), "the memory of the GPU");
  facts_.memory = double(bytes);
  const auto attribute = [&](int which) {
    int value = 0;
    f_->check(f_->cuDeviceGetAttribute(&value, which, handle_), "what the GPU has");
    return value;
  };
  facts_.capability = 10 * attribute(75) + attribute(76);
  facts_.multiprocessors = attribute(16);
  facts_.shared_per_multiprocessor = attribute(81);
  facts_.shared_per_block = attribute(97);
  facts_.shared_reserved = attribute(111);
  if (facts_.capability < 70)
    throw GpuError(fmt::format("{} is too old: compute capability 7.0 (Volta) is needed, it has {}.{}", facts_.name,
                               facts_.capability / 10, facts_.capability % 10));
  f_->cuDevicePrimaryCtxSetFlags_v2(handle_, 4);  // who waits sleeps; refused where it is in use already, which is no harm
  f_->check(f_->cuDevicePrimaryCtxRetain(&context_, handle_), "the GPU cannot be used");
}

GpuDevice::~GpuDevice() {
  if (context_) f_->cuDevicePrimaryCtxRelease_v2(handle_);
}

void GpuDevice::use() const { f_->check(f_->cuCtxSetCurrent(context_), "the GPU cannot be used"); }

double GpuDevice::free_memory() const {
  std::size_t free = 0, all = 0;
  use();
  f_->check(f_->cuMemGetInfo_v2(&free, &all), "the memory of the GPU");
  return double(free);
}

std::string GpuDevice::compile(const std::string& ptx) const {
  use();
  std::array<char, 4096> log{};
  std::array<int, 2> options = {5, 6};  // buffer for errors, and its size
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size())};
  void* link = nullptr;
  f_->check(f_->cuLinkCreate_v2(unsigned(options.size()), options.data(), values.data(), &link), "kernels cannot be compiled");
  const std::unique_ptr<void, int (*)(void*)> owner(link, f_->cuLinkDestroy);
  void* code = nullptr;
  std::size_t bytes = 0;
  int result = f_->cuLinkAddData_v2(link, 1, const_cast<char*>(ptx.c_str()), ptx.size() + 1, "simulate.ptx", 0, nullptr, nullptr);
  if (result == 0) result = f_->cuLinkComplete(link, &code, &bytes);
  if (result != 0) {
    log.back() = '\0';
    const std::string said = log.data();
    const std::string first = said.substr(0, said.find('\n'));
    f_->check(result,
              first.empty() ? "the kernel does not compile" : fmt::format("the kernel does not compile: {}", first).c_str());
  }
  return std::string(static_cast<const char*>(code), bytes);
}

GpuKernel::GpuKernel(const GpuDevice& device, const std::string& machine_code, const char* name, int shared_bytes)
    : device_(device), shared_bytes_(shared_bytes) {
  const GpuFunctions& f = *device_.f_;
  device_.use();
  f.check(f.cuModuleLoadData(&module_, machine_code.data()), "the kernel does not load");
  try {
    f.check(f.cuModuleGetFunction(&function_, module_, name), "the kernel is not in what was loaded");
    f.check(f.cuFuncGetAttribute(&registers_, 4, function_), "the registers of the kernel");
    f.check(f.cuFuncGetAttribute(&local_bytes_, 3, function_), "the memory of the kernel");
    if (shared_bytes > 0) {
      f.check(f.cuFuncSetAttribute(function_, 8, shared_bytes), "the shared memory of the kernel");
      f.cuFuncSetAttribute(function_, 9, 100);  // a wish: all of it for this
    }
  } catch (...) {
    f.cuModuleUnload(module_);
    throw;
  }
}
GpuKernel::~GpuKernel() {
  device_.f_->cuCtxSetCurrent(device_.context_);
  device_.f_->cuModuleUnload(module_);
}

GpuMemory::GpuMemory(const GpuDevice& device, std::size_t bytes) : device_(device), bytes_(bytes) {
  device_.use();
  device_.f_->check(device_.f_->cuMemAlloc_v2(&address_, bytes),
                    fmt::format("{:.3g} MB of the GPU's memory", double(bytes) / 1e6).c_str());
}
GpuMemory::~GpuMemory() {
  device_.f_->cuCtxSetCurrent(device_.context_);
  device_.f_->cuMemFree_v2(address_);
}

PinnedMemory::PinnedMemory(const GpuDevice& device, std::size_t bytes) : device_(device) {
  device_.use();
  device_.f_->check(device_.f_->cuMemAllocHost_v2(&data_, bytes), "memory to copy from and to the GPU");
}
PinnedMemory::~PinnedMemory() {
  device_.f_->cuCtxSetCurrent(device_.context_);
  device_.f_->cuMemFreeHost(data_);
}

GpuStream::GpuStream(const GpuDevice& device) : device_(device) {
  device_.use();
  device_.f_->check(device_.f_->cuStreamCreate(&stream_, 1), "a stream of the GPU");  // it does not wait for others
}
GpuStream::~GpuStream() {
  device_.f_->cuCtxSetCurrent(device_.context_);
  device_.f_->cuStreamDestroy_v2(stream_);
}
void GpuStream::copy_to(const GpuMemory& to, const void* from, std::size_t bytes) {
  device_.f_->check(device_.f_->cuMemcpyHtoDAsync_v2(to.address(), from, bytes, stream_), "copying to the GPU");
}
void GpuStream::copy_from(void* to, const GpuMemory& from, std::size_t bytes, std::size_t offset) {
  device_.f_->check(device_.f_->cuMemcpyDtoHAsync_v2(to, from.address() + offset, bytes, stream_), "copying from the GPU");
}
void GpuStream::launch(const GpuKernel& kernel, int blocks, int threads, std::span<void* const> parameters) {
  const GpuFunctions& f = *device_.f_;
  f.check(f.cuLaunchKernel(kernel.function_, unsigned(blocks), 1, 1, unsigned(threads), 1, 1, unsigned(kernel.shared_bytes_),
                           stream_, const_cast<void**>(parameters.data()), nullptr),
          "starting the kernel");
}
void GpuStream::wait() { device_.f_->check(device_.f_->cuStreamSynchronize(stream_), "waiting for the GPU"); }

}  // namespace aleator::core
