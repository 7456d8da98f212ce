// What the user did wrong: a message and the place in the file it is about.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"

namespace aleator::core::input {

struct Origin;

struct Position {
  int line = 0;                    // from 1; 0 when there is no place to point at
  int column = 0;                  // from 1
  const Origin* origin = nullptr;  // null: written in the file of the model; valid as long as the Description is
};

// Of what was not simply written in the file of a model: which file it is in, and what made it of the text there.
struct Origin {
  std::string file;          // empty: that of the model
  std::string folder = "";   // of that file, seen from the folder of the model: names of files in it are relative to it
  std::string made_by = "";  // "instance 'left' of template 'leg'", "repeat with i = 3"; empty: it is written there
  Position made_at = {};     // of the instance, of the repeat
};

// "leg.yaml:14:5"; `file` where the position is in the file of the model.
std::string place_text(const std::string& file, Position at);

// Thrown for every defect of a model or of data given by the user. what() is the complete message:
// "model.yaml:14:5: joint 'hinge35': unknown body 'rb55' (did you mean 'rb5'?)".
// Code that does not know the file (elements, model) throws with the position alone; the reader and the
// model builder add the file with in_file(). Several at once are collected by an ErrorList (error_list.hpp).
class InputError : public aleator::InputError {
 public:
  InputError(Position where, std::string message);
  explicit InputError(std::vector<Mistake> mistakes, std::size_t more = 0);
  InputError in_file(const std::string& file) const;   // the same with the file in front (kept if already there)
  InputError with_key(const std::string& path) const;  // the same, which entry the first is about
  InputError without_place() const;                    // the same, of a text that is not in a file

  Position where() const { return {line(), column(), origin_}; }

 private:
  const Origin* origin_ = nullptr;  // of the first
};

// What no further reading can survive: a total that is used up. Nothing after it is looked at.
class LastError : public InputError {
 public:
  using InputError::InputError;
};

// What only follows from another mistake, and is told only if there should be no other.
class Consequence : public InputError {
 public:
  explicit Consequence(const InputError& error) : InputError(error) {}
};

// " (did you mean 'rb5'?)" for the nearest of the known names, or, when nothing is near and they are few,
// " (known: a, b, c)"; empty when there is nothing helpful to say.
std::string suggestion(std::string_view unknown, std::span<const std::string> known);

}  // namespace aleator::core::input
