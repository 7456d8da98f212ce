// What the user did wrong: a message and the place in the file it is about.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace aleator::core::input {

struct Position {
  int line = 0;    // from 1; 0 when there is no place to point at
  int column = 0;  // from 1
};

// Thrown for every defect of a model or of data given by the user. what() is the complete message:
// "model.yaml:14:5: joint 'hinge35': unknown body 'rb55' (did you mean 'rb5'?)".
// Code that does not know the file (elements, model) throws with the position alone; the reader and the
// model builder add the file with in_file().
class InputError : public aleator::InputError {
 public:
  InputError(Position where, std::string message);
  InputError in_file(const std::string& file) const;   // the same error with the file in front (kept if already there)
  InputError with_key(const std::string& path) const;  // the same error, which entry it is about

  Position where() const { return {line(), column()}; }

 private:
  InputError(std::string file, Position where, std::string message, std::string key);
};

// " (did you mean 'rb5'?)" for the nearest of the known names, or, when nothing is near and they are few,
// " (known: a, b, c)"; empty when there is nothing helpful to say.
std::string suggestion(std::string_view unknown, std::span<const std::string> known);

}  // namespace aleator::core::input
