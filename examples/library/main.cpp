// Aleator as a library: what a wrong model says.
#include <cstdio>

#include "input/error.hpp"

int main() {
  const aleator::input::InputError error({14, 5}, "unknown body 'rb55'");
  std::puts(error.in_file("model.yaml").what());
}
