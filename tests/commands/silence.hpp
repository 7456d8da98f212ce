#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace aleator::core::test {

// What commands print goes nowhere meanwhile.
class Silence {
 public:
  Silence() : out_(dup(1)), err_(dup(2)) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1), dup2(nowhere, 2);
    close(nowhere);
  }
  ~Silence() {
    std::fflush(stdout);
    dup2(out_, 1), dup2(err_, 2);
    close(out_), close(err_);
  }

 private:
  int out_, err_;
};

}  // namespace aleator::core::test
