// One process's part of a crew: a thread that computes blocks of rows while its owner talks to the others.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/bytes.hpp"
#include "ensemble/ensemble.hpp"

namespace aleator::core {

// From rank 0 to a worker, and back.
struct Order {
  enum Kind : std::int64_t { compute, drop, home };  // drop: what is not finished is not needed any more
  Kind kind = home;
  long epoch = 0;  // of the run it belongs to
  long first = 0, end = 0;
  long poses_of = 0;
  bool smaller_steps = true;
  bool digest = false;  // blocks of rows
  std::string device;   // beside the processor
  bool fast_math = false;
  // Rows aside that the worker may not know yet (design/plan.hpp): where they begin, how many it knew, the samples after these.
  long aside_first = 0, aside_known = 0;
  std::vector<std::vector<double>> aside;
  long aside_poses_from = 0;
  // The same of blocks of rows.
  long blocks_known = 0;
  std::vector<Blocks::Block> blocks;
};
struct Report {
  enum Kind : std::int64_t { hello, alive, finished, unable };
  Kind kind = alive;
  long epoch = 0;
  long width = 1;  // hello
  long first = 0;
  double seconds = 0;
  std::vector<SimulatedRow> rows;
  std::string why;  // unable
  // Of its device: so far, and what happened to it since the last report.
  DeviceReport device;
  std::vector<std::string> notes;
};
std::size_t numbers_in(const SimulatedRow& row);
Bytes as_bytes(const Order& order);
Bytes as_bytes(const Report& report);
// Throw std::runtime_error when they are no such message.
Order order_of(const Bytes& bytes);
Report report_of(const Bytes& bytes);

class RankWorker {
 public:
  // `plan` shares its rows aside with that of the ensemble.
  // `rank_here`: among the processes on this machine, which share its devices.
  RankWorker(const Ensemble& ensemble, const Plan& plan, int threads, Digest digest = {}, int rank_here = 0);
  ~RankWorker();  // abandons what it is at

  void give(Order order);                     // drop: at once, whatever waits before it
  bool take(Report& report);                  // what has been finished; false: nothing
  void wait(std::chrono::microseconds most);  // for something to be finished
  long width() const;

 private:
  void work();
  Report compute(const Order& order);

  const Ensemble& ensemble_;
  const Plan& plan_;
  int threads_, rank_here_;
  Digest digest_;
  std::mutex mutex_;
  std::condition_variable changed_, done_;
  std::deque<Order> orders_;
  std::deque<Report> reports_;
  std::atomic<bool> stop_{false};  // what is under way is not needed
  bool home_ = false;
  std::thread thread_;
};

}  // namespace aleator::core
