// What an action is refused with: the text of the exception it must throw.
#pragma once

#include <functional>
#include <string>

#include "input/error.hpp"

namespace aleator::core::test {

// What a test reads when nothing was refused.
inline const std::string no_error = "no error";

// The text of the Error that `action` throws, or "no error". An exception of another kind is not caught: it fails the test.
template <class Error>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return no_error;
}

// The same of an InputError, without the place in the file that what() begins with.
std::string input_message_of(const std::function<void()>& action);

}  // namespace aleator::core::test
