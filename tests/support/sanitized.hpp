// Whether the address sanitizer watches: it has its own memory, and much of it. g++ and clang say so in their own ways.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define ALEATOR_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ALEATOR_ADDRESS_SANITIZER 1
#endif
#endif
