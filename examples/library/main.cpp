// Aleator as a library, in one program: a study by every method, one that is interrupted and resumed, the model as a function of its
// random numbers, an identification, a report. Everything it writes goes into the folder named on the command line.
#include <aleator/aleator.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

constexpr const char* oscillator = R"(
title: A mass on an uncertain spring
parameters: {k: 100}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k, rest: -0.1}, damper: 1.5}}
outputs: {x: {position: block, component: x, limits: {above: 0.01}}}
scalars: {peak: {maximum: x}}
uncertain: {k: {lognormal: {mean: 100, cov: 0.1}}, block: {mass: {cov: 0.1}}}
simulation: {duration: 1, step: 0.005, output_step: 0.02, integrator: runge-kutta}
study: {samples: 128, seed: 3}
)";

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

// How much the largest standard deviation of x is, and its standard error.
void print(const aleator::StudyResult& r) {
  const aleator::OutputStatistics& x = r["x"];
  size_t t = 0;
  for (size_t i = 0; i < r.time.size(); ++i)
    if (x.std[i] > x.std[t]) t = i;
  std::printf("%-18s %4ld realizations   t = %.2f s   mean %8.5f   std %8.6f ± %.2g\n", r.method.c_str(), r.done, r.time[t],
              x.mean[t], x.std[t], x.std_error[t]);
}

void every_method(const aleator::Model& model) {
  for (const std::string& method : aleator::study_methods()) {
    aleator::Study study = aleator::study_of(model);
    if (method == "variability") continue;  // of a random field of a beam, and this model has none
    if (method == "form" || method == "sorm" || method == "line-sampling" || method == "enhanced-monte-carlo")
      continue;  // of a limit that may be reached, and here it never is
    study.method = method;
    const aleator::StudyResult r = aleator::run_study(model, study);  // in memory
    expect(r.outcome == aleator::Outcome::complete && r.concluded, method.c_str());
    print(r);
  }
}

// Stopped after some realizations, continued from the folder: the same numbers as without.
void interrupted_and_resumed(const aleator::Model& model, const std::string& folder) {
  aleator::Study study = aleator::study_of(model);
  study.samples = 20000;
  const aleator::StudyResult whole = aleator::run_study(model, study);
  std::stop_source source;
  aleator::RunOptions options;
  options.folder = folder;
  options.stop = source.get_token();
  options.on_progress = [&](const aleator::Progress& p) {
    if (p.done > 0) source.request_stop();
  };
  const aleator::StudyResult part = aleator::run_study(model, study, options);
  options.stop = {};
  options.on_progress = nullptr;
  const aleator::StudyResult rest = part.outcome == aleator::Outcome::interrupted ? aleator::resume_study(options) : part;
  expect(rest.outcome == aleator::Outcome::complete && rest.done == whole.done, "a resumed study is complete");
  for (size_t i = 0; i < whole.time.size(); ++i)
    expect(rest["x"].mean[i] == whole["x"].mean[i] && rest["x"].upper[i] == whole["x"].upper[i], "and bitwise the same");
  std::printf("stopped after %ld of %ld realizations, resumed: the same numbers\n", part.done, whole.done);
  const aleator::StudyResult read = aleator::read_results(rest.file);
  expect(read["x"].std == rest["x"].std && read.responses().size() == rest.responses().size(), "and as the file has them");
}

// Anybody's own method: here plain Monte Carlo by hand.
void as_a_function(const aleator::Model& model) {
  const aleator::Ensemble forward(model);
  const aleator::Responses y = forward.evaluate(forward.draw(500));
  double mean = 0;
  for (size_t k = 0; k < y.samples; ++k) mean += y.at(k, y.time.size() - 1)[0] / double(y.samples);
  expect(y.failures.empty() && std::isfinite(mean), "every sample has a response");
  std::printf("mean of x at %.1f s over %zu samples: %.5f m\n", y.time.back(), y.samples, mean);
}

void identified(const aleator::Model& model, const std::string& folder) {
  aleator::RunOptions options;
  options.folder = folder + "/measured";
  aleator::SyntheticData data;
  data.specimens = 12;
  data.noise = {"1%"};
  aleator::write_synthetic_data(model, data, options);
  std::ofstream(folder + "/model.yaml") << oscillator;
  std::ofstream(folder + "/identify.yaml") << "model: model.yaml\nmethod: least-squares\ndata: {specimens: measured}\n"
                                              "free: {k: {from: 50, to: 200}}\n";
  options.folder = folder + "/identified";
  const aleator::IdentificationResult found = aleator::identify(aleator::read_identification(folder + "/identify.yaml"), options);
  expect(found.parameters.size() == 1 && found.parameters[0].estimate > 80 && found.parameters[0].estimate < 125,
         "the stiffness is found");
  std::printf("k = %.1f N/m (%s)\n", found.parameters[0].estimate,
              found.explained ? "explains the data" : "does not explain them");
}

void wrong_input() {
  try {
    aleator::model_from_text(
        "bodies: {a: {shape: {sphere: {radius: 0.1}}, mass: 1}}\njoints: {j: {revolute: [ground, b], axis: x, at: [0, 0, 0]}}\n");
    expect(false, "a wrong model is refused");
  } catch (const aleator::InputError& e) {
    expect(e.line() == 2 && e.column() > 0 && e.key() == "joints.j.revolute" && !e.message().empty(), "and says where");
    std::printf("refused: %s\n", e.what());
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string folder = argc > 1 ? argv[1] : "out/library";
  std::filesystem::create_directories(folder);
  const aleator::Model model = aleator::model_from_text(oscillator);
  const aleator::Trajectory nominal = aleator::simulate(model);
  std::printf("nominal: x = %.5f m at %.1f s\n", nominal["x"].back(), nominal.time.back());
  every_method(model);
  interrupted_and_resumed(model, folder + "/study");
  as_a_function(model);
  identified(model, folder);
  wrong_input();
  const aleator::StudyResult in_memory = aleator::run_study(model, aleator::study_of(model));
  const std::size_t bytes = aleator::write_report({aleator::read_results(folder + "/study"), in_memory}, folder + "/report.html");
  expect(bytes > 0, "a report is written");
  std::printf("wrote %s/report.html\n", folder.c_str());
} catch (const aleator::Error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
