#include "ensemble/distributed/rank_scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "ensemble/distributed/rank_worker.hpp"

namespace aleator::core {

namespace {

constexpr std::chrono::milliseconds poll_every{1};  // MPI has no way to sleep until something comes
constexpr std::chrono::seconds sign_of_life_every{2};
constexpr size_t blocks_ahead = 2;  // of each rank, so that none waits for the next one

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

double all_numbers_in(const std::vector<SimulatedRow>& rows) {
  double n = 0;
  for (const SimulatedRow& r : rows) n += double(numbers_in(r));
  return n;
}

}  // namespace

RankScheduler::RankScheduler(Ranks& ranks, const Ensemble& ensemble, const Plan& plan, int threads,
                             RankSchedulerSettings settings, Digest digest)
    : ranks_(ranks),
      plan_(plan),
      settings_(settings),
      own_(std::make_unique<RankWorker>(ensemble, plan, threads, std::move(digest), ranks.rank_here())),
      members_(size_t(ranks.size())) {
  members_[0].width = own_->width();
}

RankScheduler::~RankScheduler() {
  own_.reset();
  for (int r = 1; r < ranks_.size(); ++r)
    if (!members_[size_t(r)].lost) ranks_.send(r, as_bytes(Order{}));
}

long RankScheduler::run(const EnsembleOptions& options, const Deliver& deliver) {
  ++epoch_;
  on_note_ = options.on_note;
  next_ = delivered_ = options.first_row;
  waiting_.clear();
  waiting_numbers_ = 0;
  returned_.clear();
  for (Member& m : members_) m.heard = Clock::now();
  listened_ = Clock::now();
  const long end = options.end_row > 0 ? std::min(options.end_row, plan_.rows()) : plan_.rows();
  EnsembleOptions all = options;
  all.end_row = end;
  const auto set = [](const std::atomic<bool>* flag) { return flag && *flag; };
  while (delivered_ < end && !set(options.stop) && !set(options.enough)) {
    give(all);
    // One block at a time: the others must not wait for orders meanwhile.
    const bool next_is_there = !waiting_.empty() && waiting_.begin()->first == delivered_;
    listen(next_is_there ? std::chrono::milliseconds(0) : poll_every);
    if (!waiting_.empty() && waiting_.begin()->first == delivered_) {
      std::vector<SimulatedRow> rows = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      waiting_numbers_ -= all_numbers_in(rows);
      for (SimulatedRow& r : rows) {
        r.point = plan_.point(r.row);
        deliver(std::move(r));
        ++delivered_;
      }
    }
    notice_silence();
  }
  // What is not finished is not needed: of a run that was stopped.
  Order drop;
  drop.kind = Order::drop;
  for (int r = 0; r < ranks_.size(); ++r) {
    Member& m = members_[size_t(r)];
    if (m.lost || m.has.empty()) continue;
    if (r == 0)
      own_->give(drop);
    else
      ranks_.send(r, as_bytes(drop));
    m.has.clear();
  }
  return delivered_;
}

// Near the end blocks become small, so that all ranks finish together; where rows are digested in blocks, they are made of whole ones.
RankScheduler::Block RankScheduler::next_block(const Member& to, const EnsembleOptions& options) {
  const long end = options.end_row;
  if (!returned_.empty()) {
    const Block b = returned_.front();
    returned_.pop_front();
    return b;
  }
  const bool digested = options.digest.rows > 0 && to.pace > 0 && to.pace * double(options.digest.rows) < settings_.block_seconds;
  const long width = digested ? std::max(to.width, options.digest.rows) : to.width;
  long rows = width;
  if (to.pace > 0) rows = std::max(rows, long(settings_.block_seconds / to.pace));
  const long fair = (end - next_) / (2 * long(members_.size()));
  rows = std::clamp((std::min(rows, fair) + width - 1) / width * width, width, std::max(width, end - next_));
  if (digested) rows -= (next_ + rows) % options.digest.rows;
  const Block b{next_, std::min(next_ + rows, end)};
  next_ = b.end;
  return b;
}

void RankScheduler::give(const EnsembleOptions& options) {
  for (size_t round = 1; round <= blocks_ahead; ++round)
    for (int r = 0; r < ranks_.size(); ++r) {
      Member& m = members_[size_t(r)];
      if (m.lost || m.has.size() >= round) continue;
      const bool room = waiting_numbers_ < double(settings_.most_ahead);
      if (returned_.empty() && (next_ >= options.end_row || !room)) return;
      const Block b = next_block(m, options);
      m.has.push_back(b);
      Order order;
      order.kind = Order::compute;
      order.epoch = epoch_;
      order.first = b.first, order.end = b.end, order.poses_of = options.poses_of;
      order.smaller_steps = options.smaller_steps;
      order.digest = options.digest.rows > 0;
      order.device = options.device, order.fast_math = options.fast_math;
      if (r == 0) {
        order.aside_known = order.blocks_known = -1;  // the same plan
        own_->give(std::move(order));
        continue;
      }
      if (plan_.aside) {
        order.aside_first = plan_.aside->first;
        order.aside_known = long(m.aside);
        order.aside_poses_from = plan_.aside->poses_from;
        order.aside.assign(plan_.aside->samples.begin() + long(m.aside), plan_.aside->samples.end());
        m.aside = plan_.aside->samples.size();
      }
      if (plan_.blocks) {
        order.blocks_known = long(m.blocks);
        order.blocks.assign(plan_.blocks->list.begin() + long(m.blocks), plan_.blocks->list.end());
        m.blocks = plan_.blocks->list.size();
      }
      ranks_.send(r, as_bytes(order));
    }
}

void RankScheduler::listen(std::chrono::milliseconds pause) {
  bool heard = false;
  Bytes message;
  for (int from = ranks_.receive(message); from >= 0; from = ranks_.receive(message)) {
    take(from, report_of(message));
    heard = true;
  }
  Report own;
  while (own_->take(own)) {
    take(0, std::move(own));
    heard = true;
  }
  if (!heard && pause.count() > 0) own_->wait(pause);
}

void RankScheduler::take(int rank, Report&& report) {
  Member& m = members_[size_t(rank)];
  m.heard = Clock::now();
  if (report.kind == Report::hello) m.width = report.width;
  if (report.kind == Report::unable) return give_up(rank, report.why);
  if (report.kind != Report::finished || report.epoch != epoch_ || m.lost) return;
  const auto it = std::find_if(m.has.begin(), m.has.end(), [&](const Block& b) { return b.first == report.first; });
  if (it == m.has.end()) return;
  if (long(report.rows.size()) != it->end - it->first)
    return give_up(rank, fmt::format("it returned {} of {} rows", report.rows.size(), it->end - it->first));
  m.pace = report.seconds / double(report.rows.size());
  m.device = report.device;
  for (const std::string& note : report.notes)
    if (on_note_) on_note_(fmt::format("rank {}: {}", rank, note));
  m.has.erase(it);
  waiting_numbers_ += all_numbers_in(report.rows);
  waiting_.emplace(report.first, std::move(report.rows));
}

DeviceReport RankScheduler::device() const {
  DeviceReport all;
  for (const Member& m : members_) {
    if (m.device.rows == 0) continue;
    const long rows = all.rows + m.device.rows;
    const double waited = all.seconds + m.device.seconds, compiled = std::max(all.compile_seconds, m.device.compile_seconds);
    const bool kept = m.device.was_kept && (all.rows == 0 || all.was_kept);
    if (all.name.empty()) all = m.device;
    all.rows = rows, all.seconds = waited, all.compile_seconds = compiled, all.was_kept = kept;
  }
  return all;
}

void RankScheduler::give_up(int rank, const std::string& why) {
  Member& m = members_[size_t(rank)];
  if (m.lost) return;
  m.lost = true;
  lost_.push_back(fmt::format("rank {} is given up: {}", rank, why));
  for (const Block& b : m.has) returned_.push_back(b);
  m.has.clear();
  if (rank == 0 && std::all_of(members_.begin(), members_.end(), [](const Member& x) { return x.lost; }))
    throw std::runtime_error(fmt::format("no rank can continue; {}", lost_.back()));
  std::sort(returned_.begin(), returned_.end(), [](const Block& a, const Block& b) { return a.first < b.first; });
}

// Ranks that work say so every few seconds. Time in which nobody listened does not count.
void RankScheduler::notice_silence() {
  const auto now = Clock::now();
  const auto pause = now - listened_;
  listened_ = now;
  for (int r = 1; r < ranks_.size(); ++r) {
    Member& m = members_[size_t(r)];
    if (pause > std::chrono::seconds(1) || m.has.empty()) m.heard = now;
    if (!m.lost && seconds(now - m.heard) > settings_.silence_seconds)
      give_up(r, fmt::format("it has not responded for {:.0f} s", settings_.silence_seconds));
  }
}

void serve(Ranks& ranks, const Ensemble& ensemble, const Plan& plan, int threads, const std::atomic<bool>* stop, Digest digest) {
  RankWorker hand(ensemble, plan, threads, std::move(digest), ranks.rank_here());
  Report sign;
  sign.kind = Report::hello;
  sign.width = hand.width();
  ranks.send(0, as_bytes(sign));
  sign.kind = Report::alive;
  auto last = std::chrono::steady_clock::now();
  Bytes message;
  bool stopped = false;
  for (;;) {
    if (!stopped && stop && *stop) {  // the others may go on
      stopped = true;
      Order drop;
      drop.kind = Order::drop;
      hand.give(drop);
      sign.kind = Report::unable;
      sign.why = "it was interrupted";
      ranks.send(0, as_bytes(sign));
    }
    bool heard = false;
    while (ranks.receive(message) >= 0) {
      heard = true;
      Order order = order_of(message);
      if (order.kind == Order::home) return;
      if (!stopped) hand.give(std::move(order));
    }
    Report report;
    while (hand.take(report)) {
      heard = true;
      ranks.send(0, as_bytes(report));
      last = std::chrono::steady_clock::now();
    }
    if (!stopped && std::chrono::steady_clock::now() - last > sign_of_life_every) {
      ranks.send(0, as_bytes(sign));
      last = std::chrono::steady_clock::now();
    }
    if (!heard) hand.wait(poll_every);
  }
}

}  // namespace aleator::core
