#include "ensemble/gpu_engine.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "ensemble/kernel_cache.hpp"
#include "numerics/column_kernel.hpp"

namespace aleator::core {

namespace {

constexpr double most_memory = 6e9;            // bytes of the device: it may be one of 8 GB
constexpr std::size_t longest_text = 6000000;  // bytes: a driver takes about 5 s for 1 MB, and cannot be stopped

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

KernelLimits limits_of(const GpuFacts& f, bool fast) {
  KernelLimits l;
  l.fast = fast;
  const int per_block = std::min(f.shared_per_block, f.shared_per_multiprocessor / l.blocks - f.shared_reserved);
  l.shared = std::max(0, per_block / (kernel_block * 8));
  return l;
}

int blocks_at_once(const GpuFacts& f) { return KernelLimits{}.blocks * std::max(1, f.multiprocessors); }

DeviceReduction reduction_of(const DeviceBlock* block) {
  if (!block) return {};
  return {&block->series.sequence, block->series.lines, block->times * int(block->series.channels.size())};
}

std::unique_ptr<const GpuMemory> uploaded(const GpuDevice& device, const void* data, size_t bytes) {
  auto memory = std::make_unique<const GpuMemory>(device, bytes);
  GpuStream stream(device);
  stream.copy_to(*memory, data, bytes);
  stream.wait();
  return memory;
}

}  // namespace

GpuEngine::GpuEngine(std::shared_ptr<const LaneEngine> engine, std::shared_ptr<const GpuDevice> device, bool fast_math,
                     const std::optional<DeviceDrawing>& drawing, std::shared_ptr<const DeviceBlock> block)
    : engine_(std::move(engine)),
      device_(std::move(device)),
      simulation_(*engine_, limits_of(device_->facts(), fast_math), drawing, reduction_of(block.get())),
      fast_(fast_math),
      block_(std::move(block)) {
  const double start = now();
  const KernelText& k = simulation_.kernel();
  if (k.text.size() > longest_text)
    throw NotOnDevice{
        fmt::format("its equations make a kernel of {:.0f} MB, which takes minutes to compile", double(k.text.size()) / 1e6)};
  was_kept_ = true;
  kernel_ = compiled(k.text, "simulate", k.shared_bytes);
  if (simulation_.reduces()) {
    sums_ = {block_->rows, simulation_.given().lines, int(block_->series.channels.size()), block_->times, block_->limits};
    columns_ = compiled(column_kernel(sums_), "columns", column_shared_bytes(sums_));
  }
  compile_seconds_ = now() - start;
  rows_ = uploaded(*device_, simulation_.rows().data(), simulation_.rows().size() * 8);
  given_ = upload(simulation_.given());
  if (simulation_.drawn()) drawn_ = upload(*simulation_.drawn());
}

std::unique_ptr<const GpuKernel> GpuEngine::compiled(const std::string& text, const char* name, int shared_bytes) {
  const KernelCache cache;
  if (const std::optional<std::string> kept = cache.find(text, device_->facts())) try {
      return std::make_unique<const GpuKernel>(*device_, *kept, name, shared_bytes);
    } catch (const GpuError&) {  // whatever is wrong with it, it is made again
    }
  was_kept_ = false;
  const std::string code = device_->compile(text);
  auto kernel = std::make_unique<const GpuKernel>(*device_, code, name, shared_bytes);
  cache.keep(text, device_->facts(), code);
  return kernel;
}

GpuEngine::Uploaded GpuEngine::upload(const DeviceSchedule& s) const {
  std::vector<std::uint32_t> places = s.places;
  if (places.empty()) places.push_back(0);  // nothing differs, and there is no memory of no bytes
  return {uploaded(*device_, s.events.data(), s.events.size() * sizeof(DeviceEvent)),
          uploaded(*device_, places.data(), places.size() * 4)};
}

long GpuEngine::rows_at_a_time() const { return long(blocks_at_once(device_->facts())) * kernel_block; }

// As many as fill the device twice, in hands of this many threads; not more than the host can hold at a time.
long GpuEngine::rows_at_once(int threads) const {
  constexpr double most_bytes = 48e6;
  const long full = 2 * rows_at_a_time() / std::max(1, threads);
  const DeviceSchedule& given = simulation_.given();
  const double bytes = 8.0 * (double(given.inputs) + 2.0 * double(given.lines + given.told));
  return std::clamp(std::min(full, long(most_bytes / bytes)), 256L, 16384L) / warp * warp;
}

GpuRun::GpuRun(const GpuEngine& e, long most_rows, double budget) : engine_(e), stream_(e.device()), reader_(e.simulation()) {
  const DeviceSimulation& s = e.simulation();
  const DeviceSchedule& most = s.drawn() ? *s.drawn() : s.given();
  const int inputs = std::max({1, s.given().inputs, most.inputs}), block = e.block() ? e.block()->rows / warp : 1;  // packs
  const double sums = e.block() ? double(e.sums().most_numbers()) * 8 / block : 0;
  const double frame = double(s.slots()) * line, pack = double(inputs + most.lines + most.told) * line + sums;
  const long most_packs = (most_rows + warp - 1) / warp;
  packs_ = int(std::clamp(budget / 2 / pack, 1.0, double(most_packs)));
  if (packs_ > block) packs_ -= packs_ % block;
  constexpr int warps = kernel_block / warp;
  blocks_ = int(std::clamp(budget / 2 / (warps * frame), 1.0,
                           double(std::min((packs_ + warps - 1) / warps, blocks_at_once(e.device().facts())))));
  const auto both = [&](std::unique_ptr<GpuMemory>& there, std::unique_ptr<PinnedMemory>& here, size_t bytes) {
    there = std::make_unique<GpuMemory>(e.device(), bytes);
    here = std::make_unique<PinnedMemory>(e.device(), bytes);
  };
  frames_ = std::make_unique<GpuMemory>(e.device(), size_t(blocks_) * warps * size_t(s.slots()) * line);
  both(inputs_, host_inputs_, size_t(packs_) * size_t(inputs) * line);
  both(outputs_, host_outputs_, size_t(packs_) * size_t(std::max(1, most.lines)) * line);
  both(told_, host_told_, size_t(packs_) * size_t(most.told) * line);
  const size_t most_blocks = e.block() ? size_t(packs_ / block) : 0;
  if (most_blocks == 0) return;
  both(blocks_there_, host_blocks_, most_blocks * sizeof(ColumnBlock));
  both(sums_, host_sums_, most_blocks * size_t(e.sums().most_numbers()) * 8);
}

const DeviceSchedule& GpuRun::schedule() const {
  const DeviceSimulation& s = engine_.simulation();
  return drawn_ ? *s.drawn() : s.given();
}

void GpuRun::clear(bool drawn) { count_ = 0, drawn_ = drawn; }

void GpuRun::add(const LaneRun::Start& start) {
  engine_.simulation().fill(start, int(count_ % warp), host_inputs_->data() + count_ / warp * size_t(schedule().inputs) * warp);
  ++count_;
}

void GpuRun::add(std::span<const double> identity) {
  double* to = host_inputs_->data() + count_ / warp * identity.size() * warp + count_ % warp;
  for (const double x : identity) *to = x, to += warp;
  ++count_;
}

void GpuRun::launch() {
  const DeviceSchedule& s = schedule();
  const GpuEngine::Uploaded& uploaded = drawn_ ? engine_.drawn_ : engine_.given_;
  const size_t inputs = size_t(s.inputs) * warp;
  std::uint32_t packs = std::uint32_t((count_ + warp - 1) / warp);
  // Lanes without a realization of their own repeat the last one.
  if (const size_t used = count_ % warp; used > 0)
    for (double *row = host_inputs_->data() + (packs - 1) * inputs, *end = row + inputs; row < end; row += warp)
      std::fill(row + used, row + warp, row[used - 1]);
  stream_.copy_to(*inputs_, host_inputs_->data(), packs * inputs * 8);
  std::uint64_t frames = frames_->address(), events = uploaded.events->address(), rows = engine_.rows_->address(),
                in = inputs_->address(), places = uploaded.places->address(), out = outputs_->address(), told = told_->address();
  std::uint32_t place_count = std::uint32_t(s.places.size()), input_count = std::uint32_t(s.inputs),
                line_count = std::uint32_t(s.lines), told_count = std::uint32_t(s.told);
  void* const parameters[] = {&frames, &events,      &rows,        &in,         &places, &out,
                              &packs,  &place_count, &input_count, &line_count, &told,   &told_count};
  constexpr int warps = kernel_block / warp;
  stream_.launch(*engine_.kernel_, std::min(blocks_, (int(packs) + warps - 1) / warps), kernel_block, parameters);
  stream_.copy_from(host_told_->data(), *told_, packs * size_t(s.told) * line);
}

// Behind the simulation, without waiting for it: of blocks that turn out to be none, sums are not looked at.
void GpuRun::add_up(std::span<const Block> blocks) {
  if (blocks.empty()) return;
  auto* const list = reinterpret_cast<ColumnBlock*>(host_blocks_->data());
  std::uint32_t at = 0;
  for (size_t k = 0; k < blocks.size(); ++k) {
    list[k] = {std::uint32_t(blocks[k].first / warp), blocks[k].pick.first, blocks[k].pick.step, at};
    at += std::uint32_t(engine_.sums_.numbers(blocks[k].pick));
  }
  stream_.copy_to(*blocks_there_, list, blocks.size() * sizeof(ColumnBlock));
  std::uint64_t outputs = outputs_->address(), there = blocks_there_->address(), sums = sums_->address();
  void* const parameters[] = {&outputs, &there, &sums};
  stream_.launch(*engine_.columns_, int(blocks.size()), column_threads, parameters);
  stream_.copy_from(host_sums_->data(), *sums_, size_t(at) * 8);
}

// Whether nothing is wrong with any of its realizations.
bool GpuRun::is_usable(const Block& block) {
  const size_t distance = size_t(schedule().told) * warp;
  for (int pack = 0; pack < engine_.block_->rows / warp; ++pack) {
    reader_.read(nullptr, host_told_->data() + (block.first / warp + size_t(pack)) * distance, drawn_);
    for (int lane = 0; lane < warp; ++lane)
      if (reader_.failed(lane) || reader_.told(0)[lane] != 0) return false;
  }
  return true;
}

void GpuRun::simulate(const Take& take, std::span<const Block> blocks, const TakeBlock& take_block) {
  if (count_ == 0) return;
  engine_.device().use();
  launch();
  add_up(blocks);
  // What is in no block comes as it is.
  const size_t rows = blocks.empty() ? 0 : size_t(engine_.block_->rows);
  const auto others = [&](auto&& each) {
    size_t from = 0;
    for (const Block& b : blocks) {
      if (from < b.first) each(from, b.first - from);
      from = b.first + rows;
    }
    if (from < count_) each(from, count_ - from);
  };
  const size_t distance = size_t(schedule().told);
  bool waits = !blocks.empty();
  others([&](size_t first, size_t count) { fetch(first, count, take), waits = false; });
  if (waits) stream_.wait();
  const double* sums = host_sums_ ? host_sums_->data() : nullptr;
  for (const Block& b : blocks) {
    const std::span<const double> own(sums, size_t(engine_.sums_.numbers(b.pick)));
    sums += own.size();
    const DeviceTold told{host_told_->data() + b.first / warp * distance * warp, distance};
    if (!is_usable(b) || !take_block(b.first, told, own)) fetch(b.first, rows, take);
  }
}

void GpuRun::fetch(size_t first, size_t count, const Take& take) {
  const DeviceSchedule& s = schedule();
  const size_t lines = size_t(s.lines) * warp, told = size_t(s.told) * warp, from = first / warp,
               packs = (count + warp - 1) / warp;
  stream_.copy_from(host_outputs_->data() + from * lines, *outputs_, packs * lines * 8, from * lines * 8);
  stream_.wait();
  for (size_t k = 0; k < count; k += warp) {
    const size_t pack = from + k / warp;
    reader_.read(host_outputs_->data() + pack * lines, host_told_->data() + pack * told, drawn_);
    take(first + k, std::min(size_t(warp), count - k), reader_);
  }
}

int gpu_number(const std::string& device) {
  if (device == "gpu" || device == "auto") return 0;
  if (device.rfind("gpu:", 0) != 0) return -1;
  int number = -1;
  const char* const end = device.data() + device.size();
  const auto [at, error] = std::from_chars(device.data() + 4, end, number);
  return error == std::errc{} && at == end && number >= 0 ? number : -1;
}

bool is_device(const std::string& text) { return text == "cpu" || gpu_number(text) >= 0; }

GpuTeam::GpuTeam(std::vector<std::shared_ptr<const LaneEngine>> engines, std::vector<std::optional<DeviceDrawing>> drawings,
                 const std::string& which, bool fast_math, int rank_here, std::shared_ptr<const DeviceBlock> block, Compare how)
    : engines_(std::move(engines)), drawings_(std::move(drawings)), block_(std::move(block)) {
  thread_ = std::thread([this, which, fast_math, rank_here, how = std::move(how)] {
    prepare(which, fast_math, rank_here);
    trusted_ = ready_ && compare(how);
    decided_ = true;
    decided_.notify_all();
  });
}
GpuTeam::~GpuTeam() {
  closing_ = true;
  thread_.join();
}

// Meanwhile others have rows simulated there, and wait with what comes of it.
bool GpuTeam::compare(const Compare& compare) {
  for (size_t m = 0; m < compiled_.size(); ++m) try {
      if (closing_) return false;
      if (!compiled_[m]) continue;
      const DeviceBlock* const block = compiled_[m]->block();
      GpuRun run(*compiled_[m], block ? block->rows : compared, 0.1 * std::min(most_memory, 0.8 * free_memory_));
      const DeviceComparison c = compare(m, run, closing_);
      if (!c.differs.empty()) {
        lose(fmt::format("the GPU does not compute what the processor does: {}", c.differs));
        return false;
      }
      if (block) blocks_compared_ = c.blocks;
    } catch (const std::exception& e) {
      lose(e.what());
      return false;
    }
  return true;
}

void GpuTeam::prepare(const std::string& which, bool fast_math, int rank_here) {
  try {
    const bool any = which == "gpu" || which == "auto";
    device_ = std::make_shared<const GpuDevice>(any && rank_here > 0 ? rank_here % gpu_count() : gpu_number(which));
  } catch (const GpuError& e) {
    const std::scoped_lock lock(mutex_);
    report_.why_not = e.what();
    if (which != "auto") notes_.push_back(fmt::format("the study runs on the processor: {}", e.what()));
    return;
  }
  bool some = false;
  compiled_.resize(engines_.size()), idle_.resize(engines_.size());
  std::string why_not;
  double seconds = 0;
  bool was_kept = true;
  for (size_t m = 0; m < engines_.size(); ++m) try {
      if (!engines_[m]) throw NotOnDevice{"it has no lanes"};
      compiled_[m] = std::make_unique<const GpuEngine>(engines_[m], device_, fast_math, drawings_[m], m == 0 ? block_ : nullptr);
      seconds += compiled_[m]->compile_seconds();
      was_kept = was_kept && compiled_[m]->was_kept();
      some = true;
    } catch (const NotOnDevice& e) {
      why_not = fmt::format("the model is not for GPUs: {}", e.why);
    } catch (const GpuError& e) {
      why_not = e.what();
    } catch (const std::exception& e) {
      why_not = e.what();
    }
  const std::scoped_lock lock(mutex_);
  if (some) {
    const GpuFacts& f = device_->facts();
    report_.name = f.name, report_.memory = f.memory, report_.driver = f.driver_text();
    report_.compile_seconds = seconds, report_.was_kept = was_kept, report_.fast_math = fast_math;
  }
  if (!why_not.empty()) {
    report_.why_not = why_not;
    if (which != "auto" || some)
      notes_.push_back(fmt::format("{} on the processor: {}", some ? "a part of the study runs" : "the study runs", why_not));
  }
  for (const auto& engine : compiled_)
    if (engine) at_a_time_ = std::max(at_a_time_, engine->rows_at_a_time());
  try {
    free_memory_ = device_->free_memory();
    ready_ = some;
  } catch (const GpuError& e) {
    report_.why_not = e.what();
  }
}

std::vector<std::string> GpuTeam::take_notes() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(notes_, {});
}

const GpuEngine* GpuTeam::engine(size_t model) const { return ready_ && !lost_ ? compiled_[model].get() : nullptr; }

void GpuTeam::wait() const { decided_.wait(false); }

void GpuTeam::lose(const std::string& why) {
  if (lost_.exchange(true)) return;
  const std::scoped_lock lock(mutex_);
  report_.why_not = why;
  notes_.push_back(fmt::format("the study goes on with the processor: {}", why));
}

void GpuTeam::leave() {
  if (left_.exchange(true)) return;
  const std::scoped_lock lock(mutex_);
  notes_.emplace_back(
      "realizations whose functions of time have breakpoints or pieces of their own are computed by the processor");
}

std::unique_ptr<GpuRun> GpuTeam::take_run(size_t model, int threads) {
  {
    const std::scoped_lock lock(mutex_);
    if (std::vector<std::unique_ptr<GpuRun>>& idle = idle_[model]; !idle.empty()) {
      std::unique_ptr<GpuRun> run = std::move(idle.back());
      idle.pop_back();
      return run;
    }
  }
  const GpuEngine& engine = *compiled_[model];
  return std::make_unique<GpuRun>(engine, engine.rows_at_once(threads),
                                  std::min(most_memory, 0.8 * free_memory_) / std::max(1, threads));
}

void GpuTeam::give_back(size_t model, std::unique_ptr<GpuRun> run) {
  const std::scoped_lock lock(mutex_);
  idle_[model].push_back(std::move(run));
}

void GpuTeam::simulate(GpuRun& run, const GpuRun::Take& take, std::span<const GpuRun::Block> blocks,
                       const GpuRun::TakeBlock& take_block) {
  const double start = now();
  const long rows = long(run.count());
  struct Sent {
    std::atomic<long>& all;
    long rows;
    ~Sent() { all -= rows; }
  } sent{sent_, rows};
  sent_ += rows;
  const auto trust = [&] {
    decided_.wait(false);
    if (!trusted_) throw GpuError("its numbers are not trusted");
  };
  long added_up = 0;
  run.simulate(
      [&](size_t first, size_t count, DeviceOutputs& pack) {
        trust();
        take(first, count, pack);
      },
      blocks,
      [&](size_t first, const DeviceTold& told, std::span<const double> sums) {
        trust();
        const bool taken = blocks_compared_ && take_block(first, told, sums);
        if (taken) added_up += run.engine().block()->rows;
        return taken;
      });
  const double seconds = now() - start;
  latency_ = seconds;
  const std::scoped_lock lock(mutex_);
  report_.rows += rows, report_.seconds += seconds;
  if (run.drawn()) report_.drawn += rows;
  report_.added_up += added_up;
}

DeviceReport GpuTeam::report() const {
  const std::scoped_lock lock(mutex_);
  return report_;
}

}  // namespace aleator::core
