// Rows shared among processes (here threads that only exchange messages) are those of one process alone, whatever happens to
// some of them on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

#include "base/gpu_driver.hpp"
#include "ensemble/distributed/rank_scheduler.hpp"
#include "ensemble/distributed/rank_worker.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

struct Mail {
  int from;
  Bytes message;
};
struct PostOffice {
  std::mutex mutex;
  std::vector<std::deque<Mail>> boxes;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(PostOffice& post, int rank) : post_(post), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return int(post_.boxes.size()); }
  int on_this_machine() const override { return size(); }
  int rank_here() const override { return rank(); }
  void send(int to, Bytes message) override {
    const std::lock_guard hold(post_.mutex);
    post_.boxes[size_t(to)].push_back({rank_, std::move(message)});
  }
  int receive(Bytes& message) override {
    const std::lock_guard hold(post_.mutex);
    auto& box = post_.boxes[size_t(rank_)];
    if (box.empty()) return -1;
    message = std::move(box.front().message);
    const int from = box.front().from;
    box.pop_front();
    return from;
  }
  std::string broadcast(const std::string& text) override { return text; }
  std::vector<std::string> gather(const std::string&) override { return {}; }
  [[noreturn]] void abort(int) override { std::abort(); }

 private:
  PostOffice& post_;
  int rank_;
};

const Model& five_body() {
  static const Model m = model_from(coarse_five_body());
  return m;
}
const RandomModel& random_five_body() {
  static const RandomModel random(five_body());
  return random;
}

// Rank 0 and others that do as `worker` says.
using Worker = std::function<void(Ranks&, const Ensemble&, const Plan&)>;
struct Crowd {
  Crowd(const Plan& p, std::vector<Worker> workers, RankSchedulerSettings settings = {}, Digest digest = {})
      : plan(p), ensemble(five_body(), random_five_body(), plan, 3), leader(post, 0) {
    post.boxes.resize(workers.size() + 1);
    for (size_t w = 0; w < workers.size(); ++w)
      threads.emplace_back([this, w, work = workers[w]] {
        ThreadRanks ranks(post, int(w) + 1);
        Plan own = plan;
        if (own.aside) own.aside = std::make_shared<Aside>();
        const Ensemble other(five_body(), random_five_body(), own, 3);
        work(ranks, other, own);
      });
    crew = std::make_unique<RankScheduler>(leader, ensemble, plan, 1, settings, std::move(digest));
  }
  ~Crowd() {
    crew.reset();
    for (std::thread& t : threads) t.join();
  }
  std::vector<SimulatedRow> run(EnsembleOptions options = {}) {
    std::vector<SimulatedRow> out;
    crew->run(options, [&](SimulatedRow&& r) { out.push_back(std::move(r)); });
    return out;
  }

  Plan plan;
  PostOffice post;
  Ensemble ensemble;
  ThreadRanks leader;
  std::vector<std::thread> threads;
  std::unique_ptr<RankScheduler> crew;
};

const Worker good = [](Ranks& ranks, const Ensemble& e, const Plan& plan) { serve(ranks, e, plan, 1, nullptr); };

void expect_as_alone(const std::vector<SimulatedRow>& rows, const Plan& plan, long first = 0) {
  std::vector<SimulatedRow> alone;
  EnsembleOptions options;
  options.first_row = first;
  options.poses_of = 3;
  Ensemble(five_body(), random_five_body(), plan, 3).run(options, [&](SimulatedRow&& r) { alone.push_back(std::move(r)); });
  ASSERT_EQ(rows.size(), alone.size());
  for (size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].row, alone[k].row);
    EXPECT_EQ(rows[k].point.realization, alone[k].point.realization);
    EXPECT_EQ(rows[k].point.source, alone[k].point.source);
    EXPECT_EQ(rows[k].ok, alone[k].ok);
    EXPECT_EQ(rows[k].why, alone[k].why);
    EXPECT_EQ(rows[k].sample, alone[k].sample);  // bitwise
    EXPECT_EQ(rows[k].values, alone[k].values);
    EXPECT_EQ(rows[k].poses, alone[k].poses);
  }
}

EnsembleOptions with_poses(long first = 0) {
  EnsembleOptions options;
  options.first_row = first;
  options.poses_of = 3;
  return options;
}

TEST(RankScheduler, rows_are_those_of_one_process) {
  for (const size_t others : {0, 1, 4}) {
    Crowd crowd({203, 0}, std::vector<Worker>(others, good), {.block_seconds = 0.005});
    expect_as_alone(crowd.run(with_poses()), {203, 0});
    expect_as_alone(crowd.run(with_poses(190)), {203, 0}, 190);  // and again
    EXPECT_TRUE(crowd.crew->lost().empty());
  }
}

// What is made of blocks of rows where they are simulated comes with the last row of each, and is the same wherever it was made.
TEST(RankScheduler, blocks_are_digested_where_they_are_simulated) {
  const Plan plan{203, 0};
  struct Sums final : Digest::Block {
    std::vector<double> sums;
    void add(const SimulatedRow& r) override {
      sums.resize(r.values.size());
      for (size_t i = 0; i < sums.size(); ++i) sums[i] += r.values[i];
    }
    std::vector<double> finish() override { return sums; }
  };
  Digest digest{16, [](long) { return std::make_unique<Sums>(); }};
  const auto sums_of = [](std::span<const SimulatedRow> rows) {
    Sums all;
    for (const SimulatedRow& r : rows) all.add(r);
    return all.sums;
  };
  std::vector<SimulatedRow> alone;
  Ensemble(five_body(), random_five_body(), plan, 3).run({}, [&](SimulatedRow&& r) { alone.push_back(std::move(r)); });
  const auto expect_all = [&](const std::vector<SimulatedRow>& rows, long first) {
    ASSERT_EQ(rows.size(), alone.size() - size_t(first));
    size_t blocks = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      const SimulatedRow &r = rows[i], &own = alone[i + size_t(first)];
      EXPECT_EQ(r.row, own.row);
      if (!r.digested) {
        EXPECT_EQ(r.values, own.values);  // bitwise, as all of it
        EXPECT_EQ(r.sample, own.sample);
        continue;
      }
      EXPECT_TRUE(r.values.empty() && r.sample.empty());
      EXPECT_EQ(r.digest.empty(), r.row % 16 != 15) << r.row;
      if (r.digest.empty()) continue;
      ++blocks;
      EXPECT_EQ(r.digest, sums_of(std::span(alone).subspan(size_t(r.row) - 15, 16))) << r.row;
    }
    EXPECT_GT(blocks, 0u);
  };
  EnsembleOptions options;
  options.digest = digest;
  const Worker digesting = [&](Ranks& ranks, const Ensemble& e, const Plan& p) { serve(ranks, e, p, 1, nullptr, digest); };
  for (const long first : {0L, 5L}) {
    options.first_row = first;
    for (const int threads : {1, 3}) {
      options.threads = threads;
      std::vector<SimulatedRow> rows;
      Ensemble(five_body(), random_five_body(), plan, 3).run(options, [&](SimulatedRow&& r) { rows.push_back(std::move(r)); });
      expect_all(rows, first);
    }
    for (const size_t others : {0, 2}) {
      Crowd crowd(plan, std::vector<Worker>(others, digesting), {.block_seconds = 10}, digest);
      expect_all(crowd.run(options), first);
    }
  }
}

// Rows that the leader invents on the way (design/plan.hpp) become known to the others.
TEST(RankScheduler, rows_aside) {
  Plan plan{60, 0};
  plan.aside = std::make_shared<Aside>();
  Crowd crowd(plan, {good, good}, {.block_seconds = 0.001});
  EnsembleOptions options = with_poses();
  options.end_row = 20;
  crowd.run(options);
  plan.aside->first = 20;
  const std::vector<std::vector<double>> samples = {sample_of(random_five_body(), {60, 0}, 3, 59),
                                                    sample_of(random_five_body(), {60, 0}, 3, 58)};
  plan.aside->samples = samples;
  const std::vector<SimulatedRow> rows = crowd.run(with_poses(15));
  expect_as_alone(rows, plan, 15);
  EXPECT_EQ(rows[5].sample, samples[0]);
  EXPECT_EQ(rows[5].point.source, DesignPoint::aside);
}

TEST(RankScheduler, a_rank_that_cannot_go_on_loses_its_rows_to_the_others) {
  const Worker unable = [](Ranks& ranks, const Ensemble&, const Plan&) {
    Bytes message;
    while (ranks.receive(message) < 0) std::this_thread::yield();
    Report r;
    r.kind = Report::unable;
    r.why = "out of memory";
    ranks.send(0, as_bytes(r));
  };
  Crowd crowd({100, 0}, {unable, good}, {.block_seconds = 0.002});
  expect_as_alone(crowd.run(with_poses()), {100, 0});
  EXPECT_EQ(crowd.crew->lost(), std::vector<std::string>{"rank 1 is given up: out of memory"});
}

TEST(RankScheduler, a_rank_that_falls_silent_is_given_up) {
  const Worker silent = [](Ranks& ranks, const Ensemble&, const Plan&) {
    // its messages go nowhere: even when it is told to go home it is too late
    Bytes ignored;
    for (int i = 0; i < 1000; ++i) {
      ranks.receive(ignored);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  Crowd crowd({100, 0}, {silent, good, silent}, {.block_seconds = 0.002, .silence_seconds = 5});
  expect_as_alone(crowd.run(with_poses()), {100, 0});
  EXPECT_EQ(crowd.crew->lost().size(), 2u);
}

TEST(RankScheduler, one_that_returns_too_little_is_not_believed) {
  const Worker liar = [](Ranks& ranks, const Ensemble&, const Plan&) {
    Bytes message;
    while (ranks.receive(message) < 0) std::this_thread::yield();
    const Order order = order_of(message);
    Report r;
    r.kind = Report::finished;
    r.epoch = order.epoch;
    r.first = order.first;
    ranks.send(0, as_bytes(r));
  };
  Crowd crowd({100, 0}, {good, liar}, {.block_seconds = 0.002, .silence_seconds = 10});
  expect_as_alone(crowd.run(with_poses()), {100, 0});
  ASSERT_EQ(crowd.crew->lost().size(), 1u);
  EXPECT_TRUE(crowd.crew->lost()[0].starts_with("rank 2 is given up: it returned 0 of ")) << crowd.crew->lost()[0];
}

// A signal at rank 0: what was delivered is a beginning without gaps, and a new run goes on from there.
TEST(RankScheduler, stopped_in_the_middle) {
  Crowd crowd({2000, 0}, {good, good}, {.block_seconds = 0.002});
  std::atomic<bool> stop{false};
  EnsembleOptions options = with_poses();
  options.stop = &stop;
  std::vector<SimulatedRow> rows;
  const long next = crowd.crew->run(options, [&](SimulatedRow&& r) {
    rows.push_back(std::move(r));
    stop = rows.size() > 300;
  });
  EXPECT_EQ(next, long(rows.size()));
  EXPECT_LT(next, 2000);
  stop = false;
  options.first_row = next;
  crowd.crew->run(options, [&](SimulatedRow&& r) {
    rows.push_back(std::move(r));
    stop = rows.size() > 600;
  });
  for (size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(rows[k].row, long(k));
}

TEST(RankScheduler, messages_that_are_none_are_refused) {
  const Bytes whole = as_bytes(Order{.kind = Order::compute, .epoch = 1, .first = 2, .end = 3, .aside = {{1, 2}}});
  EXPECT_EQ(order_of(whole).aside, (std::vector<std::vector<double>>{{1, 2}}));
  for (size_t n = 0; n < whole.size(); ++n)
    EXPECT_THROW(order_of(Bytes(whole.begin(), whole.begin() + long(n))), std::runtime_error);
  Report report;
  report.rows.push_back({.row = 0, .ok = true, .why = "because", .sample = {1}, .values = {2, 3}});
  const Bytes bytes = as_bytes(report);
  EXPECT_EQ(report_of(bytes).rows[0].values, (std::vector<double>{2, 3}));
  for (size_t n = 0; n < bytes.size(); ++n)
    EXPECT_THROW(report_of(Bytes(bytes.begin(), bytes.begin() + long(n))), std::runtime_error);
  Bytes huge = bytes;
  std::fill(huge.end() - 48, huge.end() - 40, 0xff);  // a length beyond all bounds
  EXPECT_THROW(report_of(huge), std::runtime_error);
}

// Each with a device.
TEST(RankScheduler, ranks_have_devices) {
  const TemporaryFolder folder;
  use_gpu_driver(ALEATOR_FAKE_DRIVER);
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  setenv("ALEATOR_FAKE_GPU", "two", 1);
  const Plan plan{400, 0};
  {
    Crowd crowd(plan, {good}, {.block_seconds = 1});
    EnsembleOptions options;
    options.poses_of = 3;
    options.device = "gpu";
    options.on_note = [](const std::string& text) { ADD_FAILURE() << text; };
    expect_as_alone(crowd.run(options), plan);
    while (crowd.crew->device().rows == 0) crowd.run(options);  // kernels are compiled while the processor works
    expect_as_alone(crowd.run(options), plan);
    EXPECT_NE(crowd.crew->device().name.find("device of tests"), std::string::npos);
  }
  unsetenv("ALEATOR_FAKE_GPU");
  use_gpu_driver("libcuda.so.1");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
