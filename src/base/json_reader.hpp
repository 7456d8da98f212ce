// Reads JSON (RFC 8259) that other programs send: strictly, and with bounds.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace aleator::core {

// "line 1, column 17: expected ',' or ']'".
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct JsonMember;

// A value that was read.
struct JsonInput {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  double number = 0;  // or 1 for true
  std::string text;
  std::vector<JsonInput> elements;  // of an array
  std::vector<JsonMember> members;  // of an object, in their order, each name once

  bool is(Kind k) const { return kind == k; }
  const JsonInput* find(std::string_view name) const;  // of an object; null when there is no such member
};

struct JsonMember {
  std::string name;
  JsonInput value;
};

// Throws JsonError: for what is no JSON, numbers that no double can hold (1e999, NaN), names that are twice in an object, and arrays and
// objects that are nested more than 64 deep.
JsonInput read_json(std::string_view text);

}  // namespace aleator::core
