#include "entry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  aleator::core::fuzz::robot({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
