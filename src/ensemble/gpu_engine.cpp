#include "ensemble/gpu_engine.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "ensemble/kernel_cache.hpp"

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

std::unique_ptr<const GpuMemory> uploaded(const GpuDevice& device, const void* data, size_t bytes) {
  auto memory = std::make_unique<const GpuMemory>(device, bytes);
  GpuStream stream(device);
  stream.copy_to(*memory, data, bytes);
  stream.wait();
  return memory;
}

}  // namespace

GpuEngine::GpuEngine(std::shared_ptr<const LaneEngine> engine, std::shared_ptr<const GpuDevice> device, bool fast_math,
                     const std::optional<DeviceDrawing>& drawing)
    : engine_(std::move(engine)),
      device_(std::move(device)),
      simulation_(*engine_, limits_of(device_->facts(), fast_math), drawing) {
  const double start = now();
  const KernelText& k = simulation_.kernel();
  if (k.text.size() > longest_text)
    throw NotOnDevice{
        fmt::format("its equations make a kernel of {:.0f} MB, which takes minutes to compile", double(k.text.size()) / 1e6)};
  const KernelCache cache;
  if (const std::optional<std::string> kept = cache.find(k.text, device_->facts())) try {
      kernel_ = std::make_unique<const GpuKernel>(*device_, *kept, "simulate", k.shared_bytes);
      was_kept_ = true;
    } catch (const GpuError&) {  // whatever is wrong with it, it is made again
    }
  if (!kernel_) {
    const std::string code = device_->compile(k.text);
    kernel_ = std::make_unique<const GpuKernel>(*device_, code, "simulate", k.shared_bytes);
    cache.keep(k.text, device_->facts(), code);
  }
  compile_seconds_ = now() - start;
  rows_ = uploaded(*device_, simulation_.rows().data(), simulation_.rows().size() * 8);
  given_ = upload(simulation_.given());
  if (simulation_.drawn()) drawn_ = upload(*simulation_.drawn());
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
  const double bytes = 8.0 * (double(given.inputs) + 2.0 * double(given.lines));
  return std::clamp(std::min(full, long(most_bytes / bytes)), 256L, 16384L) / warp * warp;
}

GpuRun::GpuRun(const GpuEngine& e, long most_rows, double budget) : engine_(e), stream_(e.device()), reader_(e.simulation()) {
  const DeviceSimulation& s = e.simulation();
  int most_inputs = std::max(1, s.given().inputs), most_lines = s.given().lines;
  if (s.drawn()) most_inputs = std::max(most_inputs, s.drawn()->inputs), most_lines = s.drawn()->lines;
  const double frame = double(s.slots()) * line, pack = double(most_inputs + most_lines) * line;
  const long most_packs = (most_rows + warp - 1) / warp;
  packs_ = int(std::clamp(budget / 2 / pack, 1.0, double(most_packs)));
  constexpr int warps = kernel_block / warp;
  blocks_ = int(std::clamp(budget / 2 / (warps * frame), 1.0,
                           double(std::min((packs_ + warps - 1) / warps, blocks_at_once(e.device().facts())))));
  const size_t in = size_t(packs_) * size_t(most_inputs) * line, out = size_t(packs_) * size_t(most_lines) * line;
  frames_ = std::make_unique<GpuMemory>(e.device(), size_t(blocks_) * warps * size_t(s.slots()) * line);
  inputs_ = std::make_unique<GpuMemory>(e.device(), in);
  outputs_ = std::make_unique<GpuMemory>(e.device(), out);
  host_inputs_ = std::make_unique<PinnedMemory>(e.device(), in);
  host_outputs_ = std::make_unique<PinnedMemory>(e.device(), out);
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

void GpuRun::simulate(const Take& take) {
  if (count_ == 0) return;
  engine_.device().use();
  const DeviceSchedule& s = schedule();
  const GpuEngine::Uploaded& uploaded = drawn_ ? engine_.drawn_ : engine_.given_;
  const size_t inputs = size_t(s.inputs) * warp, lines = size_t(s.lines) * warp;
  std::uint32_t packs = std::uint32_t((count_ + warp - 1) / warp);
  // Lanes without a realization of their own repeat the last one.
  if (const size_t used = count_ % warp; used > 0)
    for (double *row = host_inputs_->data() + (packs - 1) * inputs, *end = row + inputs; row < end; row += warp)
      std::fill(row + used, row + warp, row[used - 1]);
  stream_.copy_to(*inputs_, host_inputs_->data(), packs * inputs * 8);
  std::uint64_t frames = frames_->address(), events = uploaded.events->address(), rows = engine_.rows_->address(),
                in = inputs_->address(), places = uploaded.places->address(), out = outputs_->address();
  std::uint32_t place_count = std::uint32_t(s.places.size()), input_count = std::uint32_t(s.inputs),
                line_count = std::uint32_t(s.lines);
  void* const parameters[] = {&frames, &events, &rows, &in, &places, &out, &packs, &place_count, &input_count, &line_count};
  constexpr int warps = kernel_block / warp;
  stream_.launch(*engine_.kernel_, std::min(blocks_, (int(packs) + warps - 1) / warps), kernel_block, parameters);
  stream_.copy_from(host_outputs_->data(), *outputs_, packs * lines * 8);
  stream_.wait();
  for (size_t k = 0; k < count_; k += warp) {
    reader_.read(host_outputs_->data() + k / warp * lines, drawn_);
    take(k, std::min(size_t(warp), count_ - k), reader_);
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
                 const std::string& which, bool fast_math, int rank_here)
    : engines_(std::move(engines)), drawings_(std::move(drawings)) {
  thread_ = std::thread([this, which, fast_math, rank_here] {
    prepare(which, fast_math, rank_here);
    decided_ = true;
    decided_.notify_all();
  });
}
GpuTeam::~GpuTeam() { thread_.join(); }

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
      compiled_[m] = std::make_unique<const GpuEngine>(engines_[m], device_, fast_math, drawings_[m]);
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

void GpuTeam::simulate(GpuRun& run, const GpuRun::Take& take) {
  const double start = now();
  const long rows = long(run.count());
  struct Sent {
    std::atomic<long>& all;
    long rows;
    ~Sent() { all -= rows; }
  } sent{sent_, rows};
  sent_ += rows;
  run.simulate(take);
  const double seconds = now() - start;
  latency_ = seconds;
  const std::scoped_lock lock(mutex_);
  report_.rows += rows, report_.seconds += seconds;
  if (run.drawn()) report_.drawn += rows;
}

DeviceReport GpuTeam::report() const {
  const std::scoped_lock lock(mutex_);
  return report_;
}

}  // namespace aleator::core
