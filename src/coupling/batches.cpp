#include "coupling/batches.hpp"

#include <algorithm>
#include <utility>

namespace aleator::core::coupling {

// Responses of at most 240 MB at a time.
static std::size_t most_samples_of(const aleator::Ensemble& forward) {
  return std::clamp(30'000'000 / (1 + forward.time().size() * forward.outputs().size()), std::size_t(1), std::size_t(4096));
}

Batches::Batches(const aleator::Ensemble& forward)
    : forward_(forward), most_at_once_(most_samples_of(forward)), worker_([this](const std::stop_token& stop) { work(stop); }) {}

Batches::~Batches() {
  worker_.request_stop();
  worker_.join();
}

void Batches::add(Job job) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void Batches::evaluate(std::vector<double> x, TakeResponses take) { add({std::move(x), std::move(take), {}}); }
void Batches::differentiate(std::vector<double> x, TakeJacobian take) { add({std::move(x), {}, std::move(take)}); }

std::vector<std::size_t> Batches::sizes() const {
  const std::lock_guard lock(mutex_);
  return sizes_;
}

void Batches::work(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::deque<Job> jobs;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) return;
      // All that wait for the same kind of answer as the first one.
      const bool jacobian = bool(waiting_.front().take_jacobian);
      std::deque<Job> others;
      for (Job& job : waiting_)
        (bool(job.take_jacobian) == jacobian && jobs.size() < most_at_once_ ? jobs : others).push_back(std::move(job));
      waiting_ = std::move(others);
      sizes_.push_back(jobs.size());
      if (sizes_.size() > 10000) sizes_.erase(sizes_.begin(), sizes_.begin() + 5000);
    }
    compute(jobs, stop);
  }
}

void Batches::compute(std::deque<Job>& jobs, const std::stop_token& stop) {
  std::vector<double> x;
  for (const Job& job : jobs) x.insert(x.end(), job.x.begin(), job.x.end());
  if (jobs.front().take_jacobian) {
    const aleator::Jacobian j = forward_.jacobian(x, {}, stop);
    for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].take_jacobian(j, i);
  } else {
    const aleator::Responses y = forward_.evaluate(x, stop);
    for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].take(y, i);
  }
}

}  // namespace aleator::core::coupling
