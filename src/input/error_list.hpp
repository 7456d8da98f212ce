// All mistakes of a file at once: what is attempted goes on after a mistake, and at the end all are thrown together.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "input/error.hpp"

namespace aleator::core::input {

class ErrorList {
 public:
  static constexpr std::size_t shown = 20;  // in the order of their places; of the others their number is told
  static constexpr std::size_t most = 200;  // are looked for: each may take a search for the nearest name

  bool empty() const { return mistakes_.empty() && !consequence_; }

  // Runs f, and keeps what it throws. Whether it went well.
  template <class F>
  bool attempt(F&& f) {
    try {
      std::forward<F>(f)();
      return true;
    } catch (const LastError&) {
      throw;
    } catch (const Consequence& error) {
      if (!consequence_) consequence_ = error;
    } catch (const InputError& error) {
      add(error);
    }
    return false;
  }

  // Runs f, which attempts things, until its end or until no more is to be found. What is kept is thrown by raise().
  template <class F>
  void collect(F&& f) {
    try {
      std::forward<F>(f)();
    } catch (const Enough&) {
    } catch (const Consequence& error) {
      if (!consequence_) consequence_ = error;
    } catch (const InputError& error) {
      keep(error);
    }
  }

  void add(const InputError& error);               // only inside collect()
  void raise(const std::string& file = "") const;  // throws what there is, if anything

 private:
  struct Enough {};
  void keep(const InputError& error);

  std::vector<Mistake> mistakes_;
  std::optional<InputError> consequence_;  // the first one
};

}  // namespace aleator::core::input
