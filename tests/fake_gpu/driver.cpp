// A driver for tests, in place of libcuda.so.1: one small device whose kernels are run by PtxMachine, in memory of the host. What goes wrong is said by the
// environment variable ALEATOR_FAKE_GPU: none (there is no device), two (there are), old (the driver is), memory (there is none left), compile, load, lost=N (the device
// is gone after N launches), wrong=N and far=N (of all that is copied from the device, a bit of number N is another one: the last, or the first of its fraction), sums=N (the
// last bit of number N that the statistics of blocks consist of is another one), told=N (of what a simulation tells). Otherwise everything works.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "support/ptx_machine.hpp"

namespace {

using aleator::core::test::PtxError;
using aleator::core::test::PtxMachine;

enum Result {
  ok = 0,
  invalid = 1,
  out_of_memory = 2,
  no_binary = 209,
  invalid_text = 218,
  not_found = 500,
  bad_address = 700,
  lost = 999
};

struct Module {
  PtxMachine machine;
};
struct Link {
  std::string text;
};

std::mutex mutex;
std::map<std::uint64_t, std::size_t> memory;  // of the device: address, bytes
int launches = 0, contexts = 0;
bool is_lost = false;
thread_local int lost_in =
    -1;  // the context that this thread has found lost: each does so with its next launch, what was launched before is finished

bool finds_it_lost() { return lost_in == contexts; }

std::string mood() {
  const char* const text = std::getenv("ALEATOR_FAKE_GPU");
  return text ? text : "";
}
// A bit of one of the numbers, as the mood says: "wrong=5".
void spoil(void* numbers, std::size_t bytes, const char* how, int bit) {
  const std::string text = mood(), key = std::string(how) + "=";
  if (text.rfind(key, 0) != 0) return;
  const std::size_t at = std::size_t(std::atol(text.c_str() + key.size())) * 8;
  if (at + 8 > bytes) return;
  std::uint64_t x = 0;
  std::memcpy(&x, static_cast<char*>(numbers) + at, 8);
  x ^= std::uint64_t(1) << bit;
  std::memcpy(static_cast<char*>(numbers) + at, &x, 8);
}
bool allowed(std::uint64_t address, int bytes) {
  const std::scoped_lock lock(mutex);
  auto it = memory.upper_bound(address);
  if (it == memory.begin()) return false;
  --it;
  return address + std::uint64_t(bytes) <= it->first + it->second;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return ok; }
int cuDriverGetVersion(int* version) {
  *version = mood() == "old" ? 10020 : 12040;
  return ok;
}
int cuDeviceGetCount(int* count) {
  *count = mood() == "none" ? 0 : mood() == "two" ? 2 : 1;
  return ok;
}
int cuDeviceGet(int* device, int number) {
  *device = number;
  return number == 0 || (number == 1 && mood() == "two") ? ok : invalid;
}
int cuDeviceGetName(char* name, int length, int device) {
  std::strncpy(name, device == 0 ? "a device of tests" : "another device of tests", std::size_t(length));
  return ok;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = std::size_t(1) << 30;
  return ok;
}
int cuDeviceGetAttribute(int* value, int which, int) {
  *value = which == 16    ? 1
           : which == 75  ? 7
           : which == 76  ? 0
           : which == 81  ? 100 * 1024
           : which == 97  ? 99 * 1024
           : which == 111 ? 1024
                          : -1;
  return *value >= 0 ? ok : invalid;
}
int cuDevicePrimaryCtxSetFlags_v2(int, unsigned) { return ok; }
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &mutex;
  const std::scoped_lock lock(mutex);
  launches = 0, is_lost = false, ++contexts;
  return ok;
}
int cuDevicePrimaryCtxRelease_v2(int) { return ok; }
int cuCtxSetCurrent(void*) { return ok; }
int cuMemGetInfo_v2(std::size_t* free, std::size_t* all) {
  *free = *all = std::size_t(1) << 30;
  return ok;
}
int cuLinkCreate_v2(unsigned, int*, void**, void** link) {
  *link = new Link;
  return ok;
}
int cuLinkAddData_v2(void* link, int type, void* data, std::size_t bytes, const char*, unsigned, int*, void**) {
  if (type != 1 || bytes == 0) return invalid;
  static_cast<Link*>(link)->text.assign(static_cast<const char*>(data), bytes);
  return ok;
}
int cuLinkComplete(void* link, void** code, std::size_t* bytes) {
  if (mood() == "compile") return invalid_text;
  std::string& text = static_cast<Link*>(link)->text;
  *code = text.data(), *bytes = text.size();
  return ok;
}
int cuLinkDestroy(void* link) {
  delete static_cast<Link*>(link);
  return ok;
}
int cuModuleLoadData(void** module, const void* data) {
  if (mood() == "load") return no_binary;
  try {
    *module = new Module{PtxMachine(static_cast<const char*>(data))};
  } catch (const PtxError&) {
    return invalid_text;
  }
  return ok;
}
int cuModuleUnload(void* module) {
  delete static_cast<Module*>(module);
  return ok;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  *function = module;
  return static_cast<Module*>(module)->machine.entry() == name ? ok : not_found;
}
int cuFuncSetAttribute(void*, int, int) { return ok; }
int cuFuncGetAttribute(int* value, int, void*) {
  *value = 0;
  return ok;
}
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  if (mood() == "memory") return out_of_memory;
  void* const p = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!p) return out_of_memory;
  std::memset(p, 0xee, bytes);
  *address = reinterpret_cast<std::uintptr_t>(p);
  const std::scoped_lock lock(mutex);
  memory[*address] = bytes;
  return ok;
}
int cuMemFree_v2(std::uint64_t address) {
  const std::scoped_lock lock(mutex);
  if (memory.erase(address) == 0) return invalid;
  std::free(reinterpret_cast<void*>(address));
  return ok;
}
int cuMemAllocHost_v2(void** data, std::size_t bytes) {
  *data = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *data ? ok : out_of_memory;
}
int cuMemFreeHost(void* data) {
  std::free(data);
  return ok;
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void*) {
  if (finds_it_lost()) return lost;
  if (!allowed(to, int(bytes))) return bad_address;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return ok;
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void*) {
  if (finds_it_lost()) return lost;
  if (!allowed(from, int(bytes))) return bad_address;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  spoil(to, bytes, "wrong", 0), spoil(to, bytes, "far", 51);
  return ok;
}
int cuStreamCreate(void** stream, unsigned) {
  *stream = &mutex;
  return finds_it_lost() ? lost : ok;
}
int cuStreamDestroy_v2(void*) { return ok; }
int cuStreamSynchronize(void*) { return finds_it_lost() ? lost : ok; }
int cuLaunchKernel(void* function, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned shared,
                   void*, void** parameters, void**) {
  const PtxMachine& m = static_cast<Module*>(function)->machine;
  if (int(threads) != m.threads()) return invalid;
  {
    const std::scoped_lock lock(mutex);
    const std::string how = mood();
    if (how.rfind("lost=", 0) == 0 && launches >= std::atoi(how.c_str() + 5)) is_lost = true;
    ++launches;
    if (is_lost) {
      lost_in = contexts;
      return ok;  // it is found out later
    }
  }
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < m.parameters().size(); ++i) {
    std::uint64_t x = 0;
    std::memcpy(&x, parameters[i], std::size_t(m.parameters()[i]));
    values.push_back(x);
  }
  try {
    m.launch(int(blocks), int(shared), values, allowed);
  } catch (const PtxError&) {
    return bad_address;
  }
  const bool adds_up = m.entry() == "columns";
  spoil(reinterpret_cast<void*>(values[adds_up ? 2 : 10]), std::size_t(-1), adds_up ? "sums" : "told", 0);
  return ok;
}
int cuGetErrorString(int result, const char** text) {
  *text = result == out_of_memory  ? "out of memory"
          : result == no_binary    ? "no kernel image is available for execution on the device"
          : result == invalid_text ? "a PTX JIT compilation failed"
          : result == bad_address  ? "an illegal memory access was encountered"
                                   : "unknown error";
  return ok;
}
}
