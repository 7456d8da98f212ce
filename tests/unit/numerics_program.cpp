// Programs made from traced arithmetic do what the arithmetic does, lane by lane and to the last bit.
#include "numerics/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/aligned.hpp"
#include "numerics/register_pressure.hpp"
#include "numerics/rotation.hpp"
#include "numerics/traced.hpp"
#include "support/in_lanes.hpp"
#include "support/same_numbers.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

struct Machine {
  Machine(const Program& program, Isa isa, int slots)
      : run(translate(program, isa)),
        width(lanes(isa)),
        frame(size_t(slots) * width),
        scratch(size_t(run->scratch_slots()) * width) {}
  double& at(int slot, int lane) { return frame[size_t(slot) * width + lane]; }
  void operator()() { (*run)(frame.data(), scratch.data()); }

  std::unique_ptr<Runnable> run;
  int width;
  AlignedVector<double> frame, scratch;
};

// A long random expression on six inputs: every operation, values used again much later, constants.
template <class T>
void scramble(unsigned seed, int length, const T* in, T* out) {
  std::mt19937 random(seed);
  std::vector<T> v(in, in + 6);
  const auto pick = [&] { return v[random() % v.size()]; };
  const auto recent = [&] { return v[v.size() - 1 - random() % std::min<size_t>(v.size(), 4)]; };
  for (int k = 0; k < length; ++k) {
    const T a = recent(), b = pick(), c = pick();
    T x = a;
    switch (random() % 16) {
      case 0:
        x = a + b;
        break;
      case 1:
        x = a - b;
        break;
      case 2:
        x = a * b;
        break;
      case 3:
        x = a / (T(2) + b * b);
        break;
      case 4:
        x = -a;
        break;
      case 5:
        x = multiply_add(a, b, c);
        break;
      case 6:
        x = multiply_add(-a, b, c);
        break;
      case 7:
        x = sqrt(abs(a));
        break;
      case 8:
        x = min(a, b);
        break;
      case 9:
        x = max(a, b);
        break;
      case 10:
        x = copysign(a, b);
        break;
      case 11:
        x = select(a < b, c, a);
        break;
      case 12:
        x = select((a <= b) & !(c < a), b, c);
        break;
      case 13:
        x = select((a == b) | (c > b), a, T(0.25));
        break;
      case 14:
        x = random() % 4 == 0 ? sin(a) : a * T(0.5) + T(1);
        break;
      default:
        x = random() % 4 == 0 ? atan2(a, b) : b * T(3) - a;
        break;
    }
    // keep it in range, exactly
    v.push_back(select(abs(x) < T(1e3), x, T(0.001) * copysign(min(abs(x), T(1e6)), x)));
  }
  for (int k = 0; k < 6; ++k) out[k] = v[v.size() - 1 - k * v.size() / 7];
}

// Bits, but for the sign of zero.
TEST(NumericsProgram, DoesWhatTheArithmeticDoes) {
  for (const Isa isa : test::available_isas())
    for (unsigned seed = 1; seed <= 40; ++seed) {
      const int length = seed <= 20 ? 30 : 800;
      Tape tape(false);  // then double does the same
      std::vector<Store> stores;
      {
        const Tape::Recording recording(tape);
        Traced in[6], out[6];
        for (int k = 0; k < 6; ++k) in[k] = Traced::of(tape.input(k, k < 2 ? Level::realization : Level::state));
        scramble(seed, length, in, out);
        for (int k = 0; k < 6; ++k) stores.push_back({out[k].node, 5 - k});  // over its own inputs
      }
      int slots = 6;
      ProgramMaker maker(tape, slots);
      const Program program = maker.make(stores), setup = maker.setup();
      Machine run(program, isa, slots), first(setup, isa, slots);
      std::mt19937 random(seed);
      std::uniform_real_distribution<double> u(-2, 2);
      for (int k = 0; k < 6; ++k)
        for (int lane = 0; lane < run.width; ++lane) first.at(k, lane) = u(random);
      const AlignedVector<double> start = first.frame;
      first();
      run.frame = first.frame;
      run();
      for (int lane = 0; lane < run.width; ++lane) {
        double in[6], out[6];
        for (int k = 0; k < 6; ++k) in[k] = start[size_t(k) * run.width + lane];
        scramble(seed, length, in, out);
        for (int k = 0; k < 6; ++k)
          EXPECT_TRUE(test::same_but_for_zeros(run.at(5 - k, lane), out[k])) << run.at(5 - k, lane) << " and " << out[k];
      }
      if (HasFailure()) FAIL() << name(isa) << ", seed " << seed;
    }
}

TEST(NumericsProgram, FusedOperationsAreRoundedOnce) {
  for (const Isa isa : test::available_isas()) {
    if (!fuses(isa)) continue;
    Tape tape(true);
    std::vector<Store> stores;
    {
      const Tape::Recording recording(tape);
      const Traced a = Traced::of(tape.input(0, Level::state)), b = Traced::of(tape.input(1, Level::state)),
                   c = Traced::of(tape.input(2, Level::state));
      const Traced all[] = {multiply_add(a, b, c), multiply_add(-a, b, c),          multiply_add(a, a, c),
                            multiply_add(a, b, a), multiply_add(a, b, Traced(0.1)), multiply_add(a, Traced(0.1), c)};
      for (int k = 0; k < 6; ++k) stores.push_back({all[k].node, 3 + k});
    }
    int slots = 9;
    ProgramMaker maker(tape, slots);
    Machine run(maker.make(stores), isa, slots);
    for (int lane = 0; lane < run.width; ++lane)
      run.at(0, lane) = 1.0 / 3 + lane, run.at(1, lane) = 3 - 0.1 * lane, run.at(2, lane) = -1.0 - lane;
    run();
    for (int lane = 0; lane < run.width; ++lane) {
      const double a = run.at(0, lane), b = run.at(1, lane), c = run.at(2, lane);
      const double want[] = {std::fma(a, b, c), std::fma(-a, b, c),  std::fma(a, a, c),
                             std::fma(a, b, a), std::fma(a, b, 0.1), std::fma(a, 0.1, c)};
      for (int k = 0; k < 6; ++k) EXPECT_EQ(run.at(3 + k, lane), want[k]) << name(isa) << ' ' << k;
    }
  }
}

TEST(NumericsProgram, WhatIsConstantCostsNothing) {
  Tape tape(true);
  const Tape::Recording recording(tape);
  const Traced x = Traced::of(tape.input(0, Level::state));
  EXPECT_EQ((x * Traced(0)).node, Traced(0).node);
  EXPECT_EQ((x * Traced(1) + Traced(0)).node, x.node);
  EXPECT_EQ((Traced(2) * Traced(3)).node, Traced(6).node);
  EXPECT_EQ((-(-x)).node, x.node);
  EXPECT_EQ((x + x).node, (x + x).node);
  EXPECT_EQ(select(Traced(1) < Traced(2), x, Traced(5)).node, x.node);
  // A turn about z of a vector in the plane has four products and two sums.
  const Quaternion<Traced> q{x, {Traced(0), Traced(0), Traced::of(tape.input(1, Level::state))}};
  const Vec3<Traced> y = rotation_matrix(q) * Vec3<Traced>{Traced(1), Traced(0), Traced(0)};
  EXPECT_EQ(y.z.node, Traced(0).node);
}

TEST(NumericsProgram, WhatDependsOnTheRealizationAloneIsDoneOnce) {
  Tape tape(true);
  std::vector<Store> stores;
  {
    const Tape::Recording recording(tape);
    const Traced mass = Traced::of(tape.input(0, Level::realization)), v = Traced::of(tape.input(1, Level::state));
    stores.push_back({(v * (Traced(1) / sqrt(mass))).node, 2});
  }
  int slots = 3;
  ProgramMaker maker(tape, slots);
  EXPECT_EQ(maker.make(stores).operations(), 1);
  EXPECT_EQ(maker.setup().operations(), 2);
  EXPECT_EQ(slots, 4);
}

// Twelve sums over forty points, each of which has four numbers of its own that all sums need: point by point a processor of 28 registers has all it needs
// in them, sum by sum it has to keep 160 numbers in memory.
TEST(NumericsProgram, StepsAreInTheOrderThatNeedsFewerRegisters) {
  constexpr int sums = 12, points = 40;
  Tape tape(true);
  std::vector<Store> stores;
  {
    const Tape::Recording recording(tape);
    std::vector<Traced> sum(sums, Traced(0));
    for (int p = 0; p < points; ++p) {
      Traced own[4];
      for (int k = 0; k < 4; ++k) {
        own[k] = Traced::of(tape.input(4 * p + k, Level::state));
        for (int n = 0; n < 20; ++n) own[k] = own[k] * own[k] - Traced(0.1 * k);
      }
      for (int i = 0; i < sums; ++i) sum[size_t(i)] += Traced(1 + i) * own[i % 4] + Traced(p + i * i) * own[(i + 1) % 4];
    }
    for (int i = 0; i < sums; ++i) stores.push_back({sum[size_t(i)].node, 4 * points + i});
  }
  int slots = 4 * points + sums;
  ProgramMaker maker(tape, slots);
  const Program p = maker.make(stores);
  EXPECT_EQ(memory_transfers(p, 28), 0);
  EXPECT_GT(memory_transfers(p, 8), points);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
