// Compiled for two instruction sets; the loader takes the wider one that the processor has. Nothing is fused: the bits are the same.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ALEATOR_SANITIZED
#endif
#endif
#if defined(__x86_64__) && defined(__GNUC__) && (!defined(__clang__) || __clang_major__ >= 16) && !defined(ALEATOR_SANITIZED) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ALEATOR_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define ALEATOR_WIDE
#endif

namespace aleator::core {

// Four numbers at once, and where they lie in an array: anywhere.
using Four = double __attribute__((vector_size(32)));
struct __attribute__((packed, may_alias)) FourAt {
  Four numbers;
};

}  // namespace aleator::core
