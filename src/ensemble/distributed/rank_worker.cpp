#include "ensemble/distributed/rank_worker.hpp"

#include <chrono>
#include <exception>
#include <stdexcept>

namespace aleator::core {

Bytes as_bytes(const Order& o) {
  Bytes out;
  ByteWriter to(out);
  to.whole(o.kind).whole(o.epoch).whole(o.first).whole(o.end).whole(o.poses_of).whole(o.smaller_steps).whole(o.digest);
  to.text(o.device).whole(o.fast_math);
  to.whole(o.aside_first).whole(o.aside_known).whole(std::int64_t(o.aside.size()));
  for (const std::vector<double>& sample : o.aside) to.numbers(sample);
  to.whole(o.aside_poses_from);
  to.whole(o.blocks_known).whole(std::int64_t(o.blocks.size()));
  for (const Blocks::Block& b : o.blocks)
    to.whole(b.rows).whole(b.model).whole(std::int64_t(b.seed)).whole(b.first_realization).whole(b.of_sample);
  return out;
}

Order order_of(const Bytes& bytes) {
  ByteReader from(bytes);
  Order o;
  o.kind = Order::Kind(from.whole());
  o.epoch = from.whole(), o.first = from.whole(), o.end = from.whole(), o.poses_of = from.whole();
  o.smaller_steps = from.whole() != 0, o.digest = from.whole() != 0;
  o.device = from.text(), o.fast_math = from.whole() != 0;
  o.aside_first = from.whole(), o.aside_known = from.whole();
  for (std::int64_t n = from.whole(); n > 0 && from.good(); --n) o.aside.push_back(from.numbers());
  o.aside_poses_from = from.whole();
  o.blocks_known = from.whole();
  for (std::int64_t n = from.whole(); n > 0 && from.good(); --n) {
    Blocks::Block b;
    b.rows = from.whole(), b.model = int(from.whole()), b.seed = std::uint64_t(from.whole());
    b.first_realization = from.whole(), b.of_sample = from.whole() != 0;
    o.blocks.push_back(b);
  }
  if (!from.good() || !from.at_end()) throw std::runtime_error("an order that cannot be read: are all ranks the same program?");
  return o;
}

Bytes as_bytes(const Report& r) {
  Bytes out;
  size_t size = 128;
  for (const SimulatedRow& x : r.rows) size += 80 + x.why.size() + 8 * numbers_in(x);
  out.reserve(size);
  ByteWriter to(out);
  to.whole(r.kind).whole(r.epoch).whole(r.width).whole(r.first).number(r.seconds).text(r.why);
  to.text(r.device.name).text(r.device.driver).number(r.device.memory).number(r.device.compile_seconds).whole(r.device.was_kept);
  to.whole(r.device.fast_math).whole(r.device.rows).number(r.device.seconds).whole(std::int64_t(r.notes.size()));
  for (const std::string& note : r.notes) to.text(note);
  to.whole(std::int64_t(r.rows.size()));
  for (const SimulatedRow& x : r.rows) {
    to.whole(x.ok).whole(x.tried_alone).text(x.why).number(x.failed_at);
    to.numbers(x.sample).numbers(x.values).numbers(x.poses).whole(x.digested).numbers(x.digest);
  }
  return out;
}

Report report_of(const Bytes& bytes) {
  ByteReader from(bytes);
  Report r;
  r.kind = Report::Kind(from.whole());
  r.epoch = from.whole(), r.width = from.whole(), r.first = from.whole(), r.seconds = from.number(), r.why = from.text();
  DeviceReport& d = r.device;
  d.name = from.text(), d.driver = from.text(), d.memory = from.number(), d.compile_seconds = from.number();
  d.was_kept = from.whole() != 0, d.fast_math = from.whole() != 0, d.rows = from.whole(), d.seconds = from.number();
  for (std::int64_t n = from.whole(); n > 0 && from.good(); --n) r.notes.push_back(from.text());
  for (std::int64_t n = from.whole(); n > 0 && from.good(); --n) {
    SimulatedRow x;
    x.row = r.first + long(r.rows.size());
    x.ok = from.whole() != 0, x.tried_alone = int(from.whole()), x.why = from.text(), x.failed_at = from.number();
    x.sample = from.numbers(), x.values = from.numbers(), x.poses = from.numbers();
    x.digested = from.whole() != 0, x.digest = from.numbers();
    r.rows.push_back(std::move(x));
  }
  if (!from.good() || !from.at_end()) throw std::runtime_error("a report that cannot be read: are all ranks the same program?");
  return r;
}

size_t numbers_in(const SimulatedRow& r) { return r.sample.size() + r.values.size() + r.poses.size() + r.digest.size(); }

RankWorker::RankWorker(const Ensemble& ensemble, const Plan& plan, int threads, Digest digest, int rank_here)
    : ensemble_(ensemble), plan_(plan), threads_(threads), rank_here_(rank_here), digest_(std::move(digest)), thread_([this] {
        work();
      }) {}

RankWorker::~RankWorker() {
  {
    const std::lock_guard hold(mutex_);
    home_ = stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

long RankWorker::width() const { return long(ensemble_.lanes()) * threads_; }

void RankWorker::give(Order order) {
  {
    const std::lock_guard hold(mutex_);
    if (order.kind == Order::drop) {
      orders_.clear();
      reports_.clear();
      stop_ = true;
    } else {
      orders_.push_back(std::move(order));
    }
  }
  changed_.notify_all();
}

bool RankWorker::take(Report& report) {
  const std::lock_guard hold(mutex_);
  if (reports_.empty()) return false;
  report = std::move(reports_.front());
  reports_.pop_front();
  return true;
}

void RankWorker::wait(std::chrono::microseconds most) {
  std::unique_lock hold(mutex_);
  done_.wait_for(hold, most, [&] { return !reports_.empty(); });
}

void RankWorker::work() {
  for (;;) {
    Order order;
    {
      std::unique_lock hold(mutex_);
      changed_.wait(hold, [&] { return home_ || !orders_.empty(); });
      if (home_) return;
      order = std::move(orders_.front());
      orders_.pop_front();
      stop_ = false;
    }
    Report report = compute(order);
    {
      const std::lock_guard hold(mutex_);
      if (!stop_) reports_.push_back(std::move(report));
    }
    done_.notify_all();
  }
}

Report RankWorker::compute(const Order& order) {
  const auto start = std::chrono::steady_clock::now();
  Report report;
  report.epoch = order.epoch;
  report.first = order.first;
  report.rows.reserve(size_t(order.end - order.first));
  try {
    if (plan_.aside && long(plan_.aside->samples.size()) == order.aside_known) {
      plan_.aside->first = order.aside_first;
      plan_.aside->poses_from = order.aside_poses_from;
      for (const std::vector<double>& sample : order.aside) plan_.aside->samples.push_back(sample);
    }
    if (plan_.blocks && long(plan_.blocks->list.size()) == order.blocks_known)
      for (const Blocks::Block& block : order.blocks) plan_.blocks->add(block);
    EnsembleOptions options;
    options.threads = threads_;
    options.first_row = order.first;
    options.end_row = order.end;
    options.poses_of = order.poses_of;
    options.smaller_steps = order.smaller_steps;
    if (order.digest) options.digest = digest_;
    options.stop = &stop_;
    options.device = order.device, options.fast_math = order.fast_math, options.rank_here = rank_here_;
    options.on_note = [&](const std::string& text) { report.notes.push_back(text); };
    ensemble_.run(options, [&](SimulatedRow&& r) { report.rows.push_back(std::move(r)); });
    report.kind = Report::finished;
    report.device = ensemble_.device();
  } catch (const std::exception& e) {  // out of memory, say: the others may have more
    report = {};
    report.kind = Report::unable;
    report.why = e.what();
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace aleator::core
