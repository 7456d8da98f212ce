// The rows of a plan shared among processes: rank 0 leads and works, the others work. Blocks of rows are handed out as they are
// finished, so that fast ranks do more; rows are delivered on rank 0 in their order, as by an Ensemble alone, and are the same
// numbers. A rank that can no longer work, or is not heard of any more, loses its blocks to the others.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ensemble/distributed/ranks.hpp"
#include "ensemble/ensemble.hpp"

namespace aleator::core {

class RankWorker;
struct Report;

struct RankSchedulerSettings {
  double block_seconds = 0.05;  // what a block should take its rank; its rows fit into a cache
  double silence_seconds = 30;  // after which a rank that has work is given up
  long most_ahead = 100000000;  // numbers (of 8 bytes) that may wait for a row before them
};

class RankScheduler {
 public:
  using Deliver = std::function<void(SimulatedRow&&)>;

  // On rank 0. `plan` is that of the ensemble; the other ranks have the same, but for its rows aside.
  // `digest` is that of the options it may be run with.
  RankScheduler(Ranks& ranks, const Ensemble& ensemble, const Plan& plan, int threads, RankSchedulerSettings settings = {},
                Digest digest = {});
  ~RankScheduler();  // sends everybody home
  RankScheduler(const RankScheduler&) = delete;
  RankScheduler& operator=(const RankScheduler&) = delete;

  // As Ensemble::run. The threads are those of each rank.
  long run(const EnsembleOptions& options, const Deliver& deliver);

  DeviceReport device() const;                                    // of all ranks together: rows, and seconds of waiting
  const std::vector<std::string>& lost() const { return lost_; }  // what happened to ranks that are given up: a line each

 private:
  using Clock = std::chrono::steady_clock;
  struct Block {
    long first = 0, end = 0;
  };
  struct Member {  // [ranks]
    std::deque<Block> has;
    bool lost = false;
    long width = 1;   // rows it computes at once
    double pace = 0;  // seconds a row takes it, as of the last block; 0: not known
    DeviceReport device;
    size_t aside = 0;   // rows aside it knows of
    size_t blocks = 0;  // blocks of rows it knows of
    Clock::time_point heard = Clock::now();
  };
  void give(const EnsembleOptions& options);
  Block next_block(const Member& to, const EnsembleOptions& options);
  void listen(std::chrono::milliseconds pause);  // where there is nothing to hear
  void take(int rank, Report&& report);
  void give_up(int rank, const std::string& why);
  void notice_silence();

  Ranks& ranks_;
  const Plan& plan_;
  RankSchedulerSettings settings_;
  std::unique_ptr<RankWorker> own_;
  std::vector<Member> members_;
  std::vector<std::string> lost_;
  // of a run
  long epoch_ = 0, next_ = 0, delivered_ = 0;
  std::function<void(const std::string&)> on_note_;
  std::deque<Block> returned_;                         // of lost ranks, to be handed out again
  std::map<long, std::vector<SimulatedRow>> waiting_;  // finished, by first row; rows before them are not
  double waiting_numbers_ = 0;
  Clock::time_point listened_ = Clock::now();
};

// On the other ranks: works until it is sent home. `stop` is set from outside (a signal): no more is begun.
void serve(Ranks& ranks, const Ensemble& ensemble, const Plan& plan, int threads, const std::atomic<bool>* stop,
           Digest digest = {});

}  // namespace aleator::core
