// Samples that lanes draw are bitwise those that are drawn one by one.
#include "uncertainty/recorded_sample.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "support/model_text.hpp"
#include "support/run.hpp"
#include "uncertainty/philox.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr Isa isas[] = {Isa::portable, Isa::v2, Isa::avx2, Isa::avx512, Isa::one};

double as_bits(std::uint64_t word) { return std::bit_cast<double>(word); }

TEST(Philox, is_that_of_random123) {
  std::uint64_t x = 88172645463325252u;
  const auto random = [&] { return x ^= x << 13, x ^= x >> 7, x ^= x << 17; };
  for (int k = 0; k < 1000; ++k) {
    const std::array<std::uint64_t, 6> in = {random(), random(), random(), random(), random(), random()};
    const auto expected = r123::Philox4x64{}({{in[0], in[1], in[2], in[3]}}, {{in[4], in[5]}});
    philox::State<double> s{{as_bits(in[0]), as_bits(in[1]), as_bits(in[2]), as_bits(in[3])}, {as_bits(in[4]), as_bits(in[5])}};
    for (int round = 0; round < philox::rounds; ++round) philox::round(s);
    for (size_t i = 0; i < 4; ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(s.x[i]), expected[i]);
      ASSERT_EQ(philox::uniform(s.x[i]), (double(expected[i] >> 12) + 0.5) * 0x1p-52);
    }
  }
}

// Draws the first realizations of a model in lanes.
void expect_same_samples(const Model& m, std::uint64_t seed, std::uint64_t first, int count) {
  const RandomModel random(m);
  SequenceRecorder recorder;
  const std::optional<RecordedSample> recorded = record_sample(random, recorder);
  ASSERT_TRUE(recorded.has_value());
  const ProgramSequence sequence = recorder.finish();
  const size_t columns = random.columns().size();
  for (const Isa isa : isas) {
    if (!available(isa)) continue;
    SCOPED_TRACE(name(isa));
    const SequenceRun::Code code(sequence, isa);
    SequenceRun run(code);
    run.set(recorded->seed, as_bits(seed));
    for (int k = 0; k < count; k += code.width()) {
      std::vector<int> copies(random.groups().size());
      for (size_t g = 0; g < copies.size(); ++g)
        copies[g] = int((size_t(k) + g) % 3), run.set(recorded->replicates + int(g), as_bits(std::uint64_t(copies[g])));
      for (int lane = 0; lane < code.width(); ++lane)
        run.slot(recorded->realization)[lane] = as_bits(first + std::uint64_t(k + lane));
      run();
      for (int lane = 0; lane < code.width(); ++lane) {
        const std::vector<double> expected = random.sample(seed, first + std::uint64_t(k + lane), copies);
        for (size_t c = 0; c < columns; ++c)
          ASSERT_EQ(std::bit_cast<std::uint64_t>(run.slot(recorded->columns + int(c))[lane]),
                    std::bit_cast<std::uint64_t>(expected[c]))
              << random.columns()[c] << " of realization " << k + lane;
      }
    }
  }
}

TEST(RecordedSample, of_five_bodies) {
  const Model m = model_of_file("examples/five-body.yaml");
  expect_same_samples(m, 1, 0, 1600);
  expect_same_samples(m, 0xfedcba9876543210u, 0x123456789abcdefu, 400);
}

std::string body_with(const std::string& uncertain) {
  return R"(gravity: [0, 0, -9.81]
bodies:
  a: {shape: {box: [2.4, 0.4, 0.1]}, mass: 40, at: [0, 0, 0.55]}
uncertain:
  a: {)" +
         uncertain + "}\nsimulation: {duration: 0.1, step: 1e-2}\n";
}

TEST(RecordedSample, of_bodies) {
  for (const char* law : {"mass: {cov: 0.1}", "mass: {cov: 0.7}", "mass: {cov: 0.004}", "center_of_mass: {box: [0.5, 0.2, 0.02]}",
                          "center_of_mass: {box: [0.5, 0.2, 0.02], mean: [0.1, -0.05, 0.555]}",
                          "inertia: {lambda_l: -5, lambda_u: -5, z_max: bounding-box}",
                          "inertia: {lambda_l: -1, lambda_u: -20, z_max: bounding-box}",
                          "inertia: {lambda_l: -12, lambda_u: -2, z_max: bounding-box}, mass: {cov: 0.2}"}) {
    SCOPED_TRACE(law);
    expect_same_samples(model_from(body_with(law)), 7, 0, 400);
  }
}

TEST(RecordedQuantile, is_that_of_the_distribution) {
  struct Case {
    const char* kind;
    std::vector<Argument> arguments;
  };
  const std::vector<Case> cases = {{"uniform", {{"lower", -2}, {"upper", 5}}}, {"normal", {{"mean", 3}, {"std", 0.5}}},
                                   {"lognormal", {{"mean", 3}, {"std", 2}}},   {"exponential", {{"rate", 0.25}}},
                                   {"gamma", {{"mean", 2}, {"cov", 3}}},       {"gamma", {{"mean", 2}, {"cov", 0.5}}},
                                   {"gamma", {{"mean", 2}, {"cov", 0.01}}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.kind);
    const std::unique_ptr<const Distribution> law = make_distribution(c.kind, c.arguments, 1);
    SequenceRecorder recorder;
    const int p = recorder.slot(), x = recorder.slot();
    ASSERT_TRUE(law->record_quantile(recorder, p, x));
    const ProgramSequence sequence = recorder.finish();
    for (const Isa isa : isas) {
      if (!available(isa)) continue;
      const SequenceRun::Code code(sequence, isa);
      SequenceRun run(code);
      for (int k = 0; k < 2000; k += code.width()) {
        const auto at = [&](int i) { return i % 7 == 0 ? std::ldexp(1.0, -1 - i % 53) : (i + 0.5) / 2000; };
        for (int lane = 0; lane < code.width(); ++lane) run.slot(p)[lane] = at(std::min(k + lane, 1999));
        run();
        for (int lane = 0; lane < code.width(); ++lane)
          ASSERT_EQ(run.slot(x)[lane], law->quantile(run.slot(p)[lane])) << name(isa);
      }
    }
  }
}

TEST(RecordedSample, what_lanes_do_not_have) {
  for (const char* law : {"center_of_mass: {ball: 0.04}", "inertia: {lambda_l: 0.2, lambda_u: -5, z_max: bounding-box}"}) {
    SCOPED_TRACE(law);
    const Model m = model_from(body_with(law));
    const RandomModel random(m);
    SequenceRecorder recorder;
    EXPECT_FALSE(record_sample(random, recorder).has_value());
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
