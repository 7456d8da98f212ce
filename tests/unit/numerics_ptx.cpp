// Programs as PTX do what lanes do, to the last bit: the text is parsed, checked and run by a machine of our own.
#include "numerics/ptx.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "base/aligned.hpp"
#include "numerics/traced.hpp"
#include "support/message_of.hpp"
#include "support/ptx_machine.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

// A program on numbers of its own: slots 0 … inputs − 1 differ between lanes, the next `same` are uniform; results follow.
struct Recorded {
  template <class F>
  Recorded(bool fused, int inputs, int same, F&& f) : slots(inputs + same), first_output(slots), inputs(inputs), same(same) {
    Tape tape(fused);
    std::vector<Store> stores;
    {
      const Tape::Recording recording(tape);
      std::vector<Traced> in, out;
      for (int i = 0; i < inputs + same; ++i) in.push_back(Traced::of(tape.input(i, Level::state)));
      f(static_cast<const Traced*>(in.data()), out);
      for (const Traced& x : out) stores.push_back({x.node, slots++});
    }
    ProgramMaker maker(tape, slots);
    program = maker.make(stores);
  }
  int outputs() const { return slots - first_output; }

  Program program;
  int slots, first_output, inputs, same;
};

// 64 lanes on the machine, against a program interpreted lane by lane.
void expect_same_bits(const Recorded& r, const KernelLimits& limits, unsigned seed) {
  std::vector<char> uniform(size_t(r.slots), 0), in_frame(size_t(r.slots), 1);
  for (int i = 0; i < r.same; ++i) uniform[size_t(r.inputs + i)] = 1, in_frame[size_t(r.inputs + i)] = 0;
  const KernelText kernel = kernel_text({{&r.program, 1}}, uniform, in_frame, limits);
  const test::PtxMachine machine(kernel.text);

  constexpr int packs = 2;
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> common(size_t(r.slots), 0), row;
  for (int i = 0; i < r.same; ++i) common[size_t(r.inputs + i)] = normal(random);
  kernel.rows[0].evaluate(common, row);
  if (row.empty()) row.push_back(0);
  AlignedVector<double> inputs(size_t(packs * r.inputs * warp)), outputs(size_t(packs * r.outputs() * warp)),
      frames(size_t(2 * r.slots * warp));
  for (double& x : inputs) x = normal(random);
  std::vector<std::uint32_t> places;
  for (int i = 0; i < r.inputs; ++i) places.push_back(std::uint32_t(i * line));
  const std::vector<DeviceEvent> events = {
      {DeviceEvent::run, 0, 0, 0},
      {DeviceEvent::emit, std::uint32_t(r.first_output * line), 0, std::uint32_t(r.outputs())},
      {DeviceEvent::end, 0, 0, 0}};
  const auto address = [](const void* p) { return std::uint64_t(reinterpret_cast<std::uintptr_t>(p)); };
  AlignedVector<double> aligned_events(events.size() * 2);
  std::memcpy(aligned_events.data(), events.data(), events.size() * sizeof(DeviceEvent));
  machine.launch(1, kernel.shared_bytes,
                 {address(frames.data()), address(aligned_events.data()), address(row.data()), address(inputs.data()),
                  address(places.data()), address(outputs.data()), packs, std::uint64_t(r.inputs), std::uint64_t(r.inputs),
                  std::uint64_t(r.outputs()), 0, 0});

  const std::unique_ptr<Runnable> lanes = detail::interpreted(r.program, Isa::one);
  std::vector<double> frame(common), scratch(size_t(lanes->scratch_slots()));
  for (int k = 0; k < packs * warp; ++k) {
    for (int i = 0; i < r.inputs; ++i) frame[size_t(i)] = inputs[size_t((k / warp * r.inputs + i) * warp + k % warp)];
    (*lanes)(frame.data(), scratch.data());
    for (int o = 0; o < r.outputs(); ++o) {
      const double here = outputs[size_t((k / warp * r.outputs() + o) * warp + k % warp)],
                   there = frame[size_t(r.first_output + o)];
      if (std::isnan(there))
        EXPECT_TRUE(std::isnan(here));
      else
        ASSERT_EQ(std::bit_cast<std::uint64_t>(here), std::bit_cast<std::uint64_t>(there)) << "lane " << k << ", number " << o;
    }
  }
}

// Every operation, numbers used again much later, constants.
void scramble(unsigned seed, int length, const Traced* in, std::vector<Traced>& out) {
  std::mt19937 random(seed);
  std::vector<Traced> v(in, in + 8);
  const auto pick = [&] { return v[random() % v.size()]; };
  for (int k = 0; k < length; ++k) {
    const Traced a = v[v.size() - 1 - random() % std::min<size_t>(v.size(), 4)], b = pick(), c = pick();
    const Traced all[] = {a + b,
                          a - b,
                          a * b,
                          a / (Traced(2) + b * b),
                          Traced(1) / (Traced(3) + abs(b)),
                          -a,
                          multiply_add(a, b, c),
                          multiply_add(-a, b, c),
                          a * b - c,
                          sqrt(abs(a)),
                          min(a, b),
                          max(a, b),
                          copysign(a, b),
                          select(a < b, c, a),
                          select((a <= b) & !(c < a), b, c),
                          select((a == b) | (c < b), b, Traced(2.5)),
                          round(a * Traced(3)),
                          floor(b * Traced(3)),
                          a * Traced(0.1) + Traced(7),
                          sin(in[6] * Traced(0.5)) * a,
                          sin(a) - cos(b),
                          atan2(a, b),
                          tanh(a) + exp(-abs(b)) * log(Traced(1) + abs(c)),
                          b / sqrt(Traced(1) + in[7] * in[7])};
    v.push_back(all[random() % std::size(all)]);
    if (random() % 4 == 0) out.push_back(v.back());
  }
}

TEST(Ptx, has_the_bits_of_lanes) {
  for (const bool fused : {false, true})
    for (unsigned seed = 1; seed <= 6; ++seed) {
      const Recorded r(fused, 6, 2, [&](const Traced* in, std::vector<Traced>& out) { scramble(seed, 60 * int(seed), in, out); });
      // plenty of registers, few, few with some of the spilled numbers in shared memory
      for (const KernelLimits limits : {KernelLimits{104, 0, 2}, KernelLimits{5, 0, 2}, KernelLimits{5, 12, 2}})
        expect_same_bits(r, limits, seed);
    }
}

TEST(Ptx, functions_of_what_is_the_same_in_all_lanes_come_from_the_host) {
  const Recorded r(true, 1, 1,
                   [](const Traced* in, std::vector<Traced>& out) { out = {in[0] * sin(in[1]) + cos(Traced(2) * in[1])}; });
  const UniformPart part(r.program, {0, 1, 0});
  EXPECT_EQ(part.columns(), 2);
  const UniformPart other(r.program, {0, 0, 0});
  EXPECT_EQ(other.columns(), 0);
  expect_same_bits(r, {}, 3);
}

// What depends on the realization alone is computed once and kept in a slot, masks too.
TEST(Ptx, masks_come_from_slots) {
  Tape tape(true);
  int slots = 3;
  Program setup, program;
  {
    const Tape::Recording recording(tape);
    const Traced own = Traced::of(tape.input(0, Level::realization)), now = Traced::of(tape.input(1, Level::state));
    const TracedMask positive = Traced(0) < own;
    const Traced result = select(positive, now, -now) + select(positive & (now < Traced(1)), Traced(2), Traced(3));
    ProgramMaker maker(tape, slots);
    program = maker.make({{result.node, 2}});
    setup = maker.setup();
  }
  const size_t n = size_t(slots);
  const KernelText kernel = kernel_text({{&setup, 1}, {&program, 1}}, std::vector<char>(n, 0), std::vector<char>(n, 1), {});
  const test::PtxMachine machine(kernel.text);
  AlignedVector<double> frames(2 * n * warp), inputs(2 * warp), outputs(warp), events(8);
  for (int i = 0; i < warp; ++i) inputs[size_t(i)] = i % 3 - 1, inputs[size_t(warp + i)] = 0.3 * i - 4;
  const DeviceEvent list[] = {{DeviceEvent::run, 0, 0, 0},
                              {DeviceEvent::run + 1, 0, 0, 0},
                              {DeviceEvent::emit, 2 * line, 0, 1},
                              {DeviceEvent::end, 0, 0, 0}};
  std::memcpy(events.data(), list, sizeof list);
  const std::uint32_t places[] = {0, line};
  const auto address = [](const void* p) { return std::uint64_t(reinterpret_cast<std::uintptr_t>(p)); };
  machine.launch(1, kernel.shared_bytes,
                 {address(frames.data()), address(events.data()), address(inputs.data()), address(inputs.data()), address(places),
                  address(outputs.data()), 1, 2, 2, 1, 0, 0});
  for (int i = 0; i < warp; ++i) {
    const double own = inputs[size_t(i)], now = inputs[size_t(warp + i)];
    EXPECT_EQ(outputs[size_t(i)], (own > 0 ? now : -now) + (own > 0 && now < 1 ? 2 : 3));
  }
}

TEST(Ptx, rounds_halves_away_from_zero) {
  const Recorded r(true, 1, 0, [](const Traced* in, std::vector<Traced>& out) {
    for (const double x : {0.49999999999999994, 0.5, 1.5, 2.5, 4503599627370497.0, 1e300})
      for (const double sign : {1.0, -1.0}) out.push_back(round(in[0] * Traced(0) + Traced(sign * x) + (in[0] - in[0])));
  });
  expect_same_bits(r, {}, 5);
}

// The machine is worth something only if it refuses what a driver would refuse.
TEST(Ptx, machine_finds_mistakes) {
  const Recorded r(true, 2, 0, [](const Traced* in, std::vector<Traced>& out) { out = {in[0] * in[1] + Traced(1)}; });
  const std::string good = kernel_text({{&r.program, 1}}, {0, 0, 0}, {1, 1, 1}, {}).text;
  const auto changed = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    const size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), by);
    return text;
  };
  EXPECT_NO_THROW(test::PtxMachine{good});
  EXPECT_THROW(test::PtxMachine(changed(".reg .f64 %d<", ".reg .f64 %c<")), test::PtxError);
  EXPECT_THROW(test::PtxMachine(changed("fma.rn.f64", "fma.f64")), test::PtxError);
  EXPECT_THROW(test::PtxMachine(changed("DONE:", "GONE:")), test::PtxError);
  EXPECT_THROW(test::PtxMachine(changed(".reg .f64 %v;", ".reg .u32 %v;")), test::PtxError);
  EXPECT_THROW(test::PtxMachine(changed("ret;\n}", "ret;\n")), test::PtxError);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
