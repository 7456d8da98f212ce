#include "ensemble/ensemble.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>

#include "base/handover.hpp"
#include "dynamics/errors.hpp"
#include "dynamics/integrators.hpp"
#include "ensemble/choose_for_study.hpp"
#include "ensemble/draw.hpp"
#include "ensemble/gpu_engine.hpp"
#include "ensemble/worker.hpp"
#include "model/drawn_frames.hpp"

namespace aleator::core {

namespace {

// Of this thread, s: how busy the machine is otherwise does not matter.
double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr long worth_a_device = 5000;  // rows: for fewer, `auto` does not wake it

// Whole blocks among rows that come in their order, up to `end`: their values are no longer needed, or are kept.
template <class TakeBack>
class Digester {
 public:
  Digester(const Digest& by, long end, TakeBack take_back) : by_(by), end_(end), take_back_(std::move(take_back)) {}

  // Of all rows so far, those that are new.
  void operator()(std::span<SimulatedRow> rows) {
    for (; by_.rows > 0 && next_ < rows.size(); ++next_) {
      const long row = rows[next_].row;
      if (row % by_.rows == 0 && row + by_.rows <= end_) open_ = by_.begin(row);
      if (open_ && adds_up_there(rows, row)) {
        const std::span<SimulatedRow> own = rows.subspan(next_, size_t(by_.rows));
        own.back().digest = open_->finish_of_device(own.back().of_block);
        std::vector<double>().swap(own.back().of_block);
        for (SimulatedRow& r : own) r.digested = true;
        open_.reset();
        next_ += own.size() - 1;
        continue;
      }
      if (!open_) continue;
      open_->add(rows[next_]);
      if ((row + 1) % by_.rows != 0) continue;
      rows[next_].digest = open_->finish();
      open_.reset();
      for (SimulatedRow& r : rows.subspan(next_ + 1 - size_t(by_.rows), size_t(by_.rows))) {
        r.digested = true;
        if (by_.keeps_values) continue;
        take_back_(std::exchange(r.values, {}));
        if (r.ok && r.poses.empty()) r.sample.clear();  // of others the study keeps it
      }
    }
  }

 private:
  // A device has added up the block that begins with this row.
  bool adds_up_there(std::span<const SimulatedRow> rows, long row) const {
    const size_t last = next_ + size_t(by_.rows) - 1;
    return row % by_.rows == 0 && last < rows.size() && !rows[last].of_block.empty();
  }

  const Digest& by_;
  long end_;
  TakeBack take_back_;
  std::unique_ptr<Digest::Block> open_;
  size_t next_ = 0;
};

constexpr double block_seconds = 0.1;  // a block of rows that is digested takes a thread at most

constexpr long shown = 16;  // rows from which the engine learns what differs between realizations

}  // namespace

// x += R (c_nominal − c_actual), both given in body axes at t = 0.
void move_to_drawn_frames(const Model& model, const Parameters& numbers, std::vector<double>& poses) {
  const std::vector<DrawnFrame> frames = drawn_frames(model.topology);
  for (size_t f = 0; f < frames.size(); ++f) {
    if (!frames[f].rigid) continue;
    const std::array<double, 7> actual = frame_pose(model.topology, frames[f], numbers.positions.data()),
                                nominal = frame_pose(model.topology, frames[f], model.nominal.positions.data());
    const Quaternion<double> q0{actual[3], {actual[4], actual[5], actual[6]}};
    const Vec3<double> gap{nominal[0] - actual[0], nominal[1] - actual[1], nominal[2] - actual[2]};
    const Vec3<double> offset = transposed_times(rotation_matrix(q0), gap);
    for (size_t at = 7 * f; at < poses.size(); at += 7 * frames.size()) {
      const Quaternion<double> q{poses[at + 3], {poses[at + 4], poses[at + 5], poses[at + 6]}};
      const Vec3<double> shift = rotation_matrix(q) * offset;
      for (int i = 0; i < 3; ++i) poses[at + i] += shift[i];
    }
  }
}

std::vector<double> steps_tried(const Settings& settings, bool smaller) {
  if (!smaller) return {settings.step};
  return {settings.step, settings.step / 4};
}

static std::shared_ptr<const LaneEngine> compiled(const ModelVariant& variant, std::uint64_t seed, Isa isa) {
  const Model& model = *variant.model;
  if (model.modal || !integrator(model.settings).make_lanes) return nullptr;
  std::vector<Parameters> numbers;
  // Always the same realizations, however many the study has: programs, and so the last bits, must not depend on that.
  for (long row = 0; row < shown; ++row)
    if (Drawn d = draw(model, *variant.random, Plan{shown, 0}, seed, row); d.numbers) numbers.push_back(std::move(*d.numbers));
  try {
    return std::make_shared<const LaneEngine>(model, numbers, model.settings, isa);
  } catch (const SimulationError&) {  // not even the nominal model starts: each realization tells for itself
    return nullptr;
  }
}

Ensemble::Ensemble(std::vector<ModelVariant> models, const Plan& plan, std::uint64_t seed, Isa isa)
    : models_(std::move(models)), plan_(plan), seed_(seed), isa_(isa) {
  for (ModelVariant& m : models_) {
    if (!is_open(m.model->settings)) continue;
    auto chosen = std::make_shared<Model>(*m.model);
    chosen->settings = choose_for_study(*m.model, *m.random, plan, seed, isa).settings;
    m.model = chosen.get();
    chosen_.push_back(std::move(chosen));
  }
  for (const ModelVariant& m : models_) engines_.push_back(compiled(m, seed, isa));
  workspaces_ = std::make_shared<Workspaces>(models_, engines_);
}
Ensemble::Ensemble(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed, Isa isa)
    : Ensemble({{&model, &random}}, plan, seed, isa) {}
Ensemble::Ensemble(const Ensemble& other, const Plan& plan, std::uint64_t seed)
    : models_(other.models_),
      chosen_(other.chosen_),
      plan_(plan),
      seed_(seed),
      isa_(other.isa_),
      engines_(other.engines_),
      workspaces_(other.workspaces_),
      team_(other.team_) {}
Ensemble::~Ensemble() = default;

DeviceReport Ensemble::device() const { return team_ ? team_->report() : DeviceReport{}; }

int Ensemble::lanes() const {
  int most = 1;
  for (const auto& engine : engines_)
    if (engine) most = std::max(most, engine->lanes());
  return most;
}

SimulatedRow Ensemble::row(long row, bool with_poses, bool smaller_steps) const {
  std::vector<Draft> block;
  Worker worker(*this, smaller_steps, false);
  worker.draw(row, row + 1, row + 1, {}, block);
  block[0].with_poses = with_poses;
  worker(block, nullptr);
  return std::move(block[0].realized);
}

// Rows of one block, by this thread: others would only have to be woken.
long Ensemble::run_block(const EnsembleOptions& options, long end, const std::function<void(SimulatedRow&&)>& deliver) const {
  Worker worker(*this, options.smaller_steps, false);
  std::vector<Draft>& drafts = worker.drafts;
  worker.draw(options.first_row, end, end, options, drafts);
  worker(drafts, options.stop);
  if (is_set(options.stop)) return options.first_row;
  for (Draft& d : drafts) deliver(std::move(d.realized));
  return end;
}

// Of the first realizations of each model, whatever the rows of this plan are.
GpuTeam::Compare Ensemble::comparison(const Digest& digest) const {
  Plan plan;
  plan.blocks = std::make_shared<Blocks>();
  for (size_t m = 0; m < models_.size(); ++m)
    plan.blocks->add({.rows = std::max(GpuTeam::compared, digest.rows), .model = int(m), .seed = seed_, .first_realization = 0});
  const auto first = std::make_shared<const Ensemble>(*this, plan, seed_);
  return [first, digest](size_t model, GpuRun& run, const std::atomic<bool>& stop) {
    return Worker(*first, false, false).compare(model, run, digest, &stop);
  };
}

long Ensemble::run(const EnsembleOptions& options, const std::function<void(SimulatedRow&&)>& deliver) const {
  const int width = lanes();
  const long end = options.end_row > 0 ? std::min(options.end_row, plan_.rows()) : plan_.rows();
  const bool one_block =
      end > options.first_row && end - options.first_row <= width && plan_.end_of_model(options.first_row) >= end;
  if (one_block && !options.profile && !is_set(options.stop)) return run_block(options, end, deliver);
  const int threads = options.threads > 0 ? options.threads : tbb::this_task_arena::max_concurrency();
  const bool wants_device = !options.device.empty() && options.device != "cpu";
  if (wants_device && !team_ && (options.device != "auto" || end - options.first_row >= worth_a_device))
    team_ = std::make_shared<GpuTeam>(engines_, workspaces_->for_device(plan_), options.device, options.fast_math,
                                      options.rank_here, options.digest.on_device, comparison(options.digest));
  GpuTeam* const team = wants_device ? team_.get() : nullptr;
  if (team && options.wait_for_device) team->wait();
  const auto tell = [&] {
    if (!team) return;
    for (const std::string& text : team->take_notes())
      if (options.on_note) options.on_note(text);
  };
  // With a device there are more: those that wait for it sleep. What it does not keep up with, the processor simulates.
  const int feeding = threads + (threads + 1) / 2, hands = team ? feeding + threads : threads;
  std::atomic<double>& pace = workspaces_->pace;
  // As many as the device takes at once, if it is there and will be done with them before the processor is with all that are left; 0: for lanes.
  const auto rows_for_device = [&](long row) {
    const GpuEngine* const gpu = team ? team->engine(size_t(plan_.point(row).model)) : nullptr;
    if (gpu && options.wait_for_device) return gpu->rows_at_once(feeding);
    const bool soon = gpu && (pace == 0 || pace * double(end - row) > team->latency() * threads);
    return soon && !team->is_busy() ? gpu->rows_at_once(feeding) : 0;
  };
  // More threads than cores are allowed: whoever asks for them gets them.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, size_t(hands));
  tbb::task_arena arena(hands);
  long next = options.first_row, delivered = options.first_row;
  bool gap = false;
  tbb::enumerable_thread_specific<Worker> workers(
      [&] { return Worker(*this, options.smaller_steps, options.profile != nullptr, team, hands); });
  double delivering = 0;
  struct Block {
    long first = 0, end = 0, at_once = 1;
    bool for_device = false;
    std::vector<SimulatedRow> rows;
    bool whole = false;  // it was not cut short
  };
  // A block to be digested, from its beginning on; otherwise a pack, which ends where such a block begins. Near the end, and where they take
  // long, rows go by packs: no thread should wait for another, and nobody for results. It makes no difference to what is added up.
  const long digested = options.digest.rows;
  const auto end_of_block = [&](long row, long at_once, bool beside_device) {
    const long all = std::min(end, plan_.end_of_model(row)), pack = std::min(row + at_once, all);
    if (digested == 0) return pack;
    if (at_once >= digested) return pack == all || pack / digested * digested <= row ? pack : pack / digested * digested;
    const bool soon = pace > 0 && (beside_device || pace * double(digested) < block_seconds);
    if (soon && row % digested == 0 && row + digested * threads <= all) return row + digested;
    return std::min(pack, (row / digested + 1) * digested);
  };
  // As many as are under way at once. They end in their order, so that the one whose turn it is again is free.
  std::vector<Block> blocks(4 * size_t(hands));
  size_t begun = 0;
  const auto begin = [&](tbb::flow_control& control) -> Block* {
    const Turn turn(&next);
    if (next >= end || is_set(options.stop)) {
      control.stop();
      return nullptr;
    }
    Block* block = &blocks[begun++ % blocks.size()];
    const Turn own(block);
    block->first = next;
    const long sent = rows_for_device(next);
    block->for_device = sent > 0, block->at_once = std::max(sent, long(width));
    block->end = next = end_of_block(next, block->at_once, team && team->is_busy());
    return block;
  };
  const auto simulate_block = [&](Block* block) {
    const Turn own(block);
    Worker& worker = workers.local();
    for (SimulatedRow& r : block->rows) worker.take_back(std::move(r.values));  // that nobody took
    block->rows.clear();
    Digester digester(options.digest, block->end, [&](std::vector<double>&& values) { worker.take_back(std::move(values)); });
    const double began = processor_time();
    for (long first = block->first; first < block->end && !is_set(options.stop); first += block->at_once) {
      std::vector<Draft>& drafts = worker.drafts;
      worker.draw(first, std::min(first + block->at_once, block->end), block->end, options, drafts, block->for_device);
      worker(drafts, options.stop, block->for_device, &options.digest);
      if (is_set(options.stop)) break;  // those under way are abandoned, those before are not
      for (Draft& d : drafts) block->rows.push_back(std::move(d.realized));
      digester(block->rows);
    }
    block->whole = long(block->rows.size()) == block->end - block->first;
    if (block->whole && !block->for_device) pace = (processor_time() - began) / double(block->end - block->first);
    hand_over(&workers);
    return block;
  };
  const auto hand_out = [&](Block* block) {
    const Turn turn(&delivered), own(block);
    if (gap) return;
    gap = !block->whole;
    const double start = now();
    tell();
    for (SimulatedRow& r : block->rows) {
      deliver(std::move(r));
      ++delivered;
    }
    delivering += now() - start;
  };
  using Mode = tbb::filter_mode;
  hand_over(&arena);
  arena.execute([&] {
    tbb::parallel_pipeline(blocks.size(),
                           tbb::make_filter<void, Block*>(Mode::serial_in_order, taken_over(&arena, begin)) &
                               tbb::make_filter<Block*, Block*>(Mode::parallel, taken_over(&arena, simulate_block)) &
                               tbb::make_filter<Block*, void>(Mode::serial_in_order, taken_over(&arena, hand_out)));
  });
  take_over(&next), take_over(&workers), take_over(&delivered);
  tell();
  if (options.profile) {
    EnsembleProfile& sum = *options.profile;
    sum.delivering += delivering;
    for (const Worker& w : workers) {
      const EnsembleProfile p = w.profile();
      sum.lanes.add(p.lanes);
      sum.drawing += p.drawing, sum.alone += p.alone;
      sum.realizations += p.realizations, sum.tried_alone += p.tried_alone;
    }
  }
  return delivered;
}

}  // namespace aleator::core
