#include "support/message_of.hpp"

namespace aleator::core::test {

std::string input_message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const input::InputError& e) {
    return e.message();
  }
  return no_error;
}

}  // namespace aleator::core::test
