// Is generalized-alpha of second order in positions, velocities, accelerations and reactions, from the first output after the start
// and after a kink on? Reference: runge-kutta at a step at which it is exact to 1e-10 (runge_kutta.cpp shows that).
#include "convergence/mechanism.hpp"
#include "dynamics/integrators.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

struct Span {
  const char* what;
  double from, to;
};
// Reactions at t = 0 and at the kink are those of the start itself, and exact.
const Span spans[] = {{"from the start on", 0.01, 0.14}, {"after the kink", 0.16, 0.3}};

TEST(GeneralizedAlphaOrder, is_two_for_every_quantity) {
  const Model model = model_from(mechanism);
  const Result reference = run(model, {.integrator = "runge-kutta", .step = 1e-4});
  for (const double rho : {0.8, 0.5, 0.0}) {
    const double steps[] = {1e-3, 5e-4, 2.5e-4};
    std::vector<Result> results;
    for (const double h : steps) results.push_back(run(model, {.integrator = "generalized-alpha", .step = h, .rho = rho}));
    for (const Span& span : spans)
      for (const std::string& kind : kinds) {
        double error[3];
        for (int i = 0; i < 3; ++i) error[i] = difference(results[i], reference, kind, span.from, span.to);
        const double order = std::log2(error[1] / error[2]), before = std::log2(error[0] / error[1]);
        // The next terms of the error are some 10 % of the first at these steps. (Where two terms cancel the slope is above 2.)
        EXPECT_GT(order, 1.9) << kind << " " << span.what << ", rho = " << rho << ": errors " << error[0] << ", " << error[1]
                              << ", " << error[2];
        EXPECT_GT(before, 1.75) << kind << " " << span.what << ", rho = " << rho;
        EXPECT_LT(error[2], 5e-4) << kind << ": relative, at the smallest step";
      }
  }
}

// Accelerations right after the start and after a kink: at the first ten steps, where a wrong start would ring with an amplitude of
// order h. A slide that is driven by a sine with a kink; the exact acceleration is known.
TEST(GeneralizedAlphaOrder, nothing_rings_after_a_start_or_a_kink) {
  const auto error = [](double h, double rho) {
    const std::string model = R"(
bodies:
  body: {shape: {box: [0.3, 0.2, 0.1]}, mass: 2, at: [0, 0, 0]}
joints:
  slide: {prismatic: [ground, body], axis: x, at: [0, 0, 0], motion: 0.2*sin(9*t + 0.4) + abs(t - 0.1)}
outputs:
  a: {acceleration: body, component: x}
  push: {reaction: slide, component: x}
simulation: {duration: 0.2}
)";
    const Result r = run(model, {.integrator = "generalized-alpha", .step = h, .output_step = h, .rho = rho});
    const auto a = [](double t) { return -0.2 * 81 * std::sin(9 * t + 0.4); };
    EXPECT_LT(largest_error(r, "push", [&](double t) { return 2 * a(t); }), 2.1 * largest_error(r, "a", a) + 1e-9);
    return largest_error(r, "a", a);
  };
  for (const double rho : {0.8, 0.5, 0.0}) {
    const double coarse = error(1e-3, rho), fine = error(5e-4, rho);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << "rho = " << rho << ": " << coarse << ", " << fine;
    EXPECT_LT(coarse, 3e-3) << "h² f''''/12 times some units: 0.2 × 9⁴ × 1e-6 = 1.3e-3";
  }
}

// A step that is divided changes its size and goes back. Here that happens all the time: every second step is done in two halves.
TEST(GeneralizedAlphaOrder, is_two_when_the_step_changes) {
  const Model model = model_from(mechanism);
  const Realization<double> realization = make_realization<double>(model, std::span(&model.nominal, 1));
  constexpr double end = 0.14;  // before the kink
  const auto final_state = [&](const char* name, double h, bool changes) {
    Settings settings = model.settings;
    settings.integrator = name, settings.rho = 0.6;
    Assembly<double> a(model, realization);
    State<double> s = assemble(a);
    const std::unique_ptr<Stepper> stepper = integrator(settings).make(a, settings);
    stepper->begin(s, h);
    const int n = int(std::lround(end / h));
    for (int i = 0; i < n; ++i) {
      const double t0 = end * i / n, t1 = end * (i + 1) / n;
      const bool halves = changes && i % 2 == 1;
      if (changes && i > 0) stepper->begin_again(s, halves ? h / 2 : h);
      if (halves) stepper->step(s, (t0 + t1) / 2);
      EXPECT_FALSE(stepper->step(s, t1)) << stepper->why();
    }
    stepper->evaluate_for_output(s, Side::left);
    return s;
  };
  const State<double> exact = final_state("runge-kutta", 1e-4, false);
  const auto error = [&](double h, AlignedVector<double> State<double>::*what) {
    const AlignedVector<double> x = final_state("generalized-alpha", h, true).*what, &y = exact.*what;
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return std::sqrt(sum);
  };
  for (const auto what :
       {&State<double>::positions, &State<double>::velocities, &State<double>::accelerations, &State<double>::lambda}) {
    const double coarse = error(1e-3, what), fine = error(5e-4, what);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << coarse << ", " << fine;
  }
}

// g / (β h²) of positions that are rounded to ε L has an error of ε L / (β h²): 0.1 m/s² at h = 1e-7. What outputs show must not get
// worse with the step. Over 0.1 ms a step of 1e-6 s of runge-kutta is exact to round-off.
TEST(GeneralizedAlphaOrder, accelerations_and_reactions_do_not_get_worse_with_tiny_steps) {
  std::string text = mechanism;
  text = text.substr(0, text.find("simulation:")) + "simulation: {duration: 1e-4, output_step: 2e-5}\n";
  const Model model = model_from(text);
  const Result reference = run(model, {.integrator = "runge-kutta", .step = 1e-6});
  for (const double h : {2e-5, 1e-5, 1e-6, 1e-7}) {
    const Result r = run(model, {.integrator = "generalized-alpha", .step = h});
    for (const std::string& kind : kinds)
      // 1e-6: threshold of the round-off that is shown, m/s² of several; the method's own error, of order h², is below it at all steps
      EXPECT_LT(difference(r, reference, kind, 1e-5, 1e-4), 1e-6) << kind << " at h = " << h;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
