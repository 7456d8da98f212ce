// Runs work of the engine on a thread of its own, without the interpreter lock, while the calling thread looks after Python: signals
// (Ctrl-C), progress and notes, some times a second.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <pybind11/pybind11.h>

#include <aleator/study.hpp>

namespace aleator::python {

namespace py = pybind11;

// What the engine says meanwhile, from any of its threads.
class Mailbox {
 public:
  void put(const Progress& progress) {
    const std::scoped_lock lock(mutex_);
    progress_ = progress;
  }
  void put(std::string_view note) {
    const std::scoped_lock lock(mutex_);
    notes_.emplace_back(note);
  }
  std::optional<Progress> take_progress() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(progress_, std::nullopt);
  }
  std::vector<std::string> take_notes() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(notes_, {});
  }

 private:
  std::mutex mutex_;
  std::optional<Progress> progress_;
  std::vector<std::string> notes_;
};

// What came of it. A Python exception of a signal handler or of a callback stops the work, and is kept beside what was finished.
template <class Result>
struct Finished {
  std::optional<Result> result;
  std::optional<py::error_already_set> raised;
};

// `work(token)` runs elsewhere; `look()` is called with the interpreter lock every twentieth of a second.
template <class Work, class Look>
auto run_interruptible(Work&& work, Look&& look) {
  using Result = decltype(work(std::stop_token()));
  Finished<Result> out;
  std::stop_source source;
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  std::exception_ptr error;
  {
    const py::gil_scoped_release release;
    std::thread thread([&] {
      try {
        out.result.emplace(work(source.get_token()));
      } catch (...) {
        error = std::current_exception();
      }
      const std::scoped_lock lock(mutex);
      done = true;
      finished.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
      lock.unlock();
      {
        const py::gil_scoped_acquire acquire;
        try {
          if (PyErr_CheckSignals() != 0) throw py::error_already_set();
          if (!out.raised) look();
        } catch (py::error_already_set& e) {
          source.request_stop();
          if (!out.raised) out.raised = std::move(e);
        }
      }
      lock.lock();
    }
    lock.unlock();
    thread.join();
  }
  // One that came with the last moment.
  if (!out.raised && PyErr_CheckSignals() != 0) out.raised = py::error_already_set();
  if (error && !(out.raised && !out.result)) std::rethrow_exception(error);
  return out;
}

// The result, or what was raised meanwhile.
template <class Result>
Result result_of(Finished<Result>&& finished) {
  if (finished.raised) throw std::move(*finished.raised);
  return std::move(*finished.result);
}

}  // namespace aleator::python
