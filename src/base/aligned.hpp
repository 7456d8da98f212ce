// Vectors whose storage starts on a cache line, so that lanes in them are aligned.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace aleator::core {

inline constexpr std::size_t cache_line = 64;

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }

  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }

 private:
  static constexpr std::align_val_t alignment{alignof(T) > cache_line ? alignof(T) : cache_line};
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace aleator::core
