// Programs as loops do what they do as straight code, to the last bit.
#include "numerics/rolled_program.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "base/aligned.hpp"
#include "numerics/repeated_steps.hpp"
#include "numerics/traced.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

// A chain: outwards, inwards and outwards again, as mechanisms are. Some links are heavy: their numbers come from slots, not from constants; some have
// a spring, which is more arithmetic; constants differ from link to link; and so does where results go, if they are scattered.
struct Chain {
  Chain(int links, bool odd, bool scattered) : slots(4 * links) {
    Tape tape(true);
    std::vector<Store> stores;
    {
      const Tape::Recording recording(tape);
      const auto in = [&](int link, int k) { return Traced::of(tape.input(4 * link + k, Level::state)); };
      std::vector<Traced> place, speed, load(unsigned(links), Traced(0)), rate(unsigned(links), Traced(0));
      Traced x(1), v(0.5), total(0);
      for (int i = 0; i < links; ++i) {
        x = x + in(i, 0) * Traced(0.1 + 0.01 * i) - v * in(i, 1);
        v = multiply_add(in(i, 1), Traced(0.3), v) / (Traced(2) + abs(x));
        place.push_back(x), speed.push_back(v);
        total = total + min(x, v) * x;
      }
      Traced inertia(1);
      for (int i = links - 1; i >= 0; --i) {
        const Traced mass = odd && i % 17 == 5 ? in(i, 2) : Traced(i % 2 == 0 ? 2.5 : 1.5);
        Traced force = mass * place[size_t(i)] - speed[size_t(i)] * inertia;
        if (odd && i % 23 == 7) force = force - sqrt(abs(place[size_t(i)])) * Traced(3) + select(x < v, place[0], speed[0]);
        inertia = mass + inertia * Traced(0.5) / (Traced(1) + force * force);
        load[size_t(i)] = force, rate[size_t(i)] = inertia;
      }
      for (int i = 0; i < links; ++i) {
        v = (load[size_t(i)] - v * rate[size_t(i)]) * Traced(0.25) + total * Traced(1e-3);
        stores.push_back({v.node, slots + (scattered ? (i * 7) % links : i)});
        stores.push_back({(v * place[size_t(i)]).node, 4 * i});  // where it is read
      }
    }
    slots += links;
    ProgramMaker maker(tape, slots);
    program = maker.make(stores);
  }
  Program program;
  int slots;
};

// Of a form of the program, from the same numbers.
AlignedVector<double> results(const Chain& c, const Runnable& run, Isa isa) {
  AlignedVector<double> frame(size_t(c.slots) * size_t(lanes(isa))), scratch(size_t(run.scratch_slots()) * size_t(lanes(isa)));
  std::mt19937 random(4);
  std::uniform_real_distribution<double> number(0.5, 1.5);
  for (double& x : frame) x = number(random);
  run(frame.data(), scratch.data());
  run(frame.data(), scratch.data());  // what it leaves in its scratch does not matter
  return frame;
}

TEST(RolledProgram, has_the_bits_of_straight_code) {
  for (const bool odd : {false, true})
    for (const bool scattered : {false, true}) {
      const Chain c(600, odd, scattered);
      const RolledProgram r = rolled(c.program);
      // What lies at unequal distances is copied, link by link: the odd ones cut loops short, and shift all that is counted from them.
      EXPECT_LT(r.length(), long(c.program.steps.size()) * (odd ? 3 : 1) / (odd ? 4 : 3));
      for (const Isa isa : {Isa::v2, Isa::avx2, Isa::avx512, Isa::one}) {
        if (!available(isa)) continue;
        const auto as_loops = detail::machine_code(r, isa), as_it_is = detail::machine_code(straight(c.program), isa);
        if (!as_loops || !as_it_is) GTEST_SKIP() << "memory that may be executed is refused";
        EXPECT_EQ(results(c, *as_loops, isa), results(c, *as_it_is, isa)) << name(isa) << odd << scattered;
      }
    }
}

TEST(RolledProgram, random_programs) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](int below) { return int(random() % unsigned(below)); };
    // Turns of random arithmetic, with operands of this turn, the last one, one long ago, from slots and constants; a turn may lack a step.
    const int turns = 20 + pick(30), length = 20 + pick(60), inputs = 40;
    struct Made {
      int op, how[2], which[2];
    };
    std::vector<Made> pattern;
    for (int p = 0; p < length; ++p) pattern.push_back({pick(5), {pick(5), pick(5)}, {pick(length), pick(length)}});
    Chain c(1, false, false);
    c.slots = inputs + turns * 2;
    Tape tape(true);
    std::vector<Store> stores;
    {
      const Tape::Recording recording(tape);
      std::vector<Traced> all;
      for (int t = 0; t < turns; ++t)
        for (int p = 0; p < length; ++p) {
          const Made& m = pattern[size_t(p)];
          const auto operand = [&](int k) {
            const int n = int(all.size()), now = t * length;
            const int own = now + m.which[k] % std::max(1, p), before = own - length, first = m.which[k];
            if (m.how[k] == 0 && p > 0 && own < n) return all[size_t(own)];
            if (m.how[k] == 1 && before >= 0 && before < n) return all[size_t(before)];
            if (m.how[k] == 2 && first < n) return all[size_t(first)];
            if (m.how[k] == 3) return Traced::of(tape.input((m.which[k] + 3 * t) % inputs, Level::state));
            return Traced(0.7 + 0.01 * (m.which[k] * t % 13));
          };
          const Traced a = operand(0), b = operand(1);
          if (p == 5 && pick(9) == 0) {
            all.push_back(a);
            continue;
          }
          all.push_back(m.op == 0   ? a + b
                        : m.op == 1 ? a - b * Traced(0.5)
                        : m.op == 2 ? a * b / (Traced(1) + a * a)
                        : m.op == 3 ? max(a, b)
                                    : multiply_add(a, Traced(0.3), b));
        }
      for (int t = 0; t < turns; ++t) {
        stores.push_back({all[size_t(std::min(int(all.size()) - 1, t * length + length / 2))].node, inputs + t});
        stores.push_back({all[size_t(std::min(int(all.size()) - 1, t * length + length - 1))].node, inputs + 2 * turns - 1 - t});
      }
    }
    ProgramMaker maker(tape, c.slots);
    c.program = maker.make_in_order(stores);
    const Isa isa = best_isa() == Isa::portable ? Isa::portable : best_isa();
    if (isa == Isa::portable) GTEST_SKIP();
    const auto as_loops = detail::machine_code(rolled(c.program), isa), as_it_is = detail::machine_code(straight(c.program), isa);
    if (!as_loops || !as_it_is) GTEST_SKIP() << "memory that may be executed is refused";
    const AlignedVector<double> a = results(c, *as_loops, isa), b = results(c, *as_it_is, isa);
    for (size_t i = 0; i < a.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(b[i])) << "seed " << seed << ", number " << i;
  }
}

TEST(RolledProgram, what_repeats_itself_is_found) {
  const Chain c(100, false, false);
  long covered = 0;
  int end = 0;
  for (const Repetition& r : repeated_steps(c.program)) {
    EXPECT_GE(r.first, end);
    EXPECT_GE(r.turns, 2);
    end = r.end(), covered += long(r.length) * r.turns;
  }
  EXPECT_LE(end, int(c.program.steps.size()));
  EXPECT_GT(covered, long(c.program.steps.size()) * 8 / 10);
  EXPECT_TRUE(repeated_steps({}).empty());
  EXPECT_EQ(rolled({}).length(), 0);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
