// Samples that arrive one by one, from several clients, evaluated together: whatever waits when the lanes are free goes in one matrix.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include <aleator/uncertainty.hpp>

namespace aleator::core::coupling {

class Batches {
 public:
  // What comes out, and which sample of it is one's own. Exceptions of these functions are the caller's mistake.
  using TakeResponses = std::function<void(const aleator::Responses& y, std::size_t sample)>;
  using TakeJacobian = std::function<void(const aleator::Jacobian& j, std::size_t sample)>;

  // `forward` must outlive this.
  explicit Batches(const aleator::Ensemble& forward);
  ~Batches();  // what is not begun is dropped, what is under way is stopped

  // From any thread; `take` is called from the one that computes.
  void evaluate(std::vector<double> x, TakeResponses take);
  void differentiate(std::vector<double> x, TakeJacobian take);

  // How many samples the matrices had so far, for tests.
  std::vector<std::size_t> sizes() const;

 private:
  struct Job {
    std::vector<double> x;
    TakeResponses take;
    TakeJacobian take_jacobian;
  };
  void work(const std::stop_token& stop);
  void compute(std::deque<Job>& jobs, const std::stop_token& stop);
  void add(Job job);

  const aleator::Ensemble& forward_;
  std::size_t most_at_once_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Job> waiting_;
  std::vector<std::size_t> sizes_;
  std::jthread worker_;  // the last member: it ends first
};

}  // namespace aleator::core::coupling
