// How a method for rare events asks for simulations: it is written as a straight sequence of steps, and waits wherever it needs some.
//
//   Procedure crude(Space space, Settings s, Found& found) {
//     std::vector<Point> points = …;
//     const std::vector<Response> y = co_await ask(std::move(points), "sample");
//     co_await refined(space, y, found);  // another procedure: what it asks for is asked for by this one
//     found.probability = …;
//   }
//
// Whoever runs it simulates the points of request() in any order, on any number of cores, and answers. It decides by the answers alone: answered
// alike, it asks alike, which is how a study is resumed.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace aleator::core::reliability {

// A realization: independent standard normal numbers, and the stream of what has no map from such numbers (distributions drawn by rejection).
struct Point {
  std::vector<double> u;     // [Space::dimension]
  std::uint64_t stream = 0;  // equal streams: equal draws
};

// What a simulation says of each limit: by how much it is passed, in units of that limit; positive: failure.
struct Response {
  std::vector<double> excess;  // [limits]; empty: the simulation failed
  std::vector<double> values;  // [times][channels], where the request asks for them
  bool ok() const { return !excess.empty(); }
};

struct Request {
  std::vector<Point> points;
  std::string phase;         // "level 2": what a progress line says
  bool of_the_law = false;   // the points follow the distributions of the model: statistics of responses rest on them
  bool with_values = false;  // responses must have their values
  // [parts] how many of the points each part of a divided study has; empty: every part simulates all of them.
  std::vector<long> of_parts = {};
};

// What is known of the space beforehand.
struct Space {
  std::size_t dimension = 0;  // of u
  std::size_t named = 0;      // the first ones are behind named quantities; the others are those of random processes
  std::size_t limits = 0;     // whose union is meant
  bool streams = false;       // some distributions are drawn by rejection: Point::stream matters
  std::vector<int> discrete;  // coordinates whose quantity takes single values only, or chooses among records
  std::uint64_t seed = 1;
};

class [[nodiscard]] Procedure {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  // At its end a procedure lets the one go on that waits for it.
  struct End {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle ended) const noexcept;
    void await_resume() const noexcept {}
  };

  struct promise_type {
    Request request;
    std::vector<Response> answer;
    std::exception_ptr failure;
    Handle inner, outer;  // the procedure that it waits for, and the one that waits for it

    Procedure get_return_object() { return Procedure(Handle::from_promise(*this)); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    End final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };

  Procedure() = default;
  explicit Procedure(Handle handle) : handle_(handle) {}
  Procedure(Procedure&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Procedure& operator=(Procedure&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Procedure() {
    if (handle_) handle_.destroy();
  }

  // The next simulations; throws what the method threw. Only while it is not done.
  const Request& request() const {
    rethrow();
    return asking().promise().request;
  }
  bool done() const {
    rethrow();
    return handle_.done();
  }
  // One response per point, in their order.
  void answer(std::vector<Response> responses) {
    const Handle waiting = asking();
    waiting.promise().answer = std::move(responses);
    waiting.resume();
    rethrow();
  }

  // co_await procedure; throws what it threw.
  bool await_ready() const noexcept { return handle_.done(); }
  void await_suspend(Handle outer) noexcept {
    outer.promise().inner = handle_;
    handle_.promise().outer = outer;
  }
  void await_resume() const { rethrow(); }

 private:
  // The innermost one: it has the request.
  Handle asking() const {
    Handle h = handle_;
    while (h.promise().inner) h = h.promise().inner;
    return h;
  }
  void rethrow() const {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
  }
  Handle handle_;
};

inline std::coroutine_handle<> Procedure::End::await_suspend(Handle ended) const noexcept {
  const Handle outer = ended.promise().outer;
  if (!outer) return std::noop_coroutine();
  outer.promise().inner = nullptr;
  return outer;
}

// co_await ask(…) gives the responses.
class ask {
 public:
  explicit ask(Request request) : request_(std::move(request)) {}
  ask(std::vector<Point> points, std::string phase) : request_{std::move(points), std::move(phase)} {}

  bool await_ready() const noexcept { return false; }
  void await_suspend(Procedure::Handle handle) {
    promise_ = &handle.promise();
    promise_->request = std::move(request_);
  }
  std::vector<Response> await_resume() { return std::move(promise_->answer); }

 private:
  Request request_;
  Procedure::promise_type* promise_ = nullptr;
};

// Runs it to its end with a function of one point: tests, and problems in closed form.
template <class Function>
void run(Procedure procedure, Function&& respond) {
  while (!procedure.done()) {
    std::vector<Response> answers;
    for (const Point& p : procedure.request().points) answers.push_back(respond(p));
    procedure.answer(std::move(answers));
  }
}

// The limit that is passed most: the event "any".
inline double largest_excess(const Response& r) {
  double most = -std::numeric_limits<double>::infinity();
  for (const double e : r.excess) most = e > most ? e : most;
  return most;
}

}  // namespace aleator::core::reliability
