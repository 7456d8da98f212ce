// A model: the description read from a file, turned into integers (topology, structure) once, and into numbers (a realization)
// as often as wanted. Immutable after construction; threads share it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/aligned.hpp"
#include "elements/blueprint.hpp"
#include "input/description.hpp"
#include "model/mass_properties.hpp"
#include "model/structure.hpp"
#include "numerics/series.hpp"
#include "processes/process.hpp"

namespace aleator::core {

struct Settings {
  double duration = 1, step = 1e-3, output_step = 5e-3;
  std::string integrator = "generalized-alpha";
  double rho = 0.8;
  double accuracy = 0;        // of outputs; when not 0 the step is chosen for it
  double tolerance = 0;       // 0: the integrator's own
  double step_tolerance = 0;  // relative error allowed in a step, to which steps are adapted; 0: they are of the size given
  std::string stabilization = "projection";
  bool start_at_equilibrium = false;
};

// One column of numbers over time: an output, or one component of it.
struct Channel {
  std::string name;  // "accel_z", "path.x"
  std::string unit;
};

// A number derived from a channel (`scalars:`).
struct DerivedScalar {
  std::string name, unit;
  int channel = 0;
  ReductionSettings settings;
};

// A value a channel, or a scalar, should not exceed (`limits:` of an output, or of a scalar).
struct Limit {
  int channel = 0;  // -1: of a scalar
  double value = 0;
  bool above = true;
  int scalar = -1;  // -1: of a channel
};

// What becomes of a channel once it is recorded (`weighting:`, `running_rms:` of an output).
struct OutputFilter {
  int channel = 0;
  const FrequencyWeighting* weighting = nullptr;  // nullptr: none
  double window = 0;                              // s: of the running rms; 0: none
};

// A power spectral density that is estimated of a channel (`spectrum:` of an output).
struct SpectrumRequest {
  int channel = 0;
  double from = 0, segment = 0;  // s: what is before does not count; length of segments, 0: a quarter of the time there is
};

struct ModalAnalysis;  // dynamics/modal.hpp

struct Model {
  input::Description description;
  Settings settings;
  Topology topology;
  Structure structure;
  Parameters nominal;
  std::vector<Extent> extents;         // before each joint, force and output as they were built, and after the last
  std::vector<std::string> set;        // names of the numbers that were replaced when it was made
  std::vector<BodyProperties> bodies;  // nominal
  std::vector<MarkerParameters<double>> drawn_markers;  // where the language puts them: inertial, at t = 0 as drawn
  std::string title;
  std::vector<Channel> channels;  // of all outputs, in their order
  std::vector<DerivedScalar> scalars;
  std::vector<Limit> limits;
  std::vector<std::shared_ptr<const processes::Process>> processes;  // nominal
  std::vector<SpectrumRequest> spectra;
  std::vector<OutputFilter> filters;
  std::shared_ptr<const ModalAnalysis> modal;  // none: channels are outputs over time; otherwise its modes
};

// Reads, checks and compiles. Throws input::InputError with the file in front.
Model load_model(const std::string& file, std::span<const Override> overrides = {}, const CompileOptions& options = {});
Model make_model(input::Description description, std::span<const Override> overrides = {}, const CompileOptions& options = {});

// The numbers of one realization: the model with some of its numbers replaced. The topology does not change.
Parameters realize(const Model& model, std::span<const Override> overrides);
void realize(const Model& model, std::span<const Override> overrides, Parameters& to);  // into what an earlier one has left
// The bodies alone of one realization.
std::vector<BodyProperties> realize_bodies(const Model& model, std::span<const Override> overrides);

// A process in one realization: with the parameters it has there, and the numbers that choose it. Without a draw it is at rest.
struct ProcessNumbers {
  std::shared_ptr<const processes::Process> process;
  double draw = 0;
  std::vector<double> leading = {};
};
ProcessNumbers process_numbers(const Model& model, size_t index, std::span<const Override> overrides);

// Times at which a drive has a kink, inside ]0, duration[, sorted.
std::vector<double> breakpoints(const Parameters& numbers, double duration);

// The flat array kernels read; one lane of it is one realization.
struct Signal {
  PiecewisePolynomial pieces;  // knots and degree; the coefficients are the first lane's
  int coefficients = 0;        // offset of those of all lanes in the flat array
};

template <class T>
struct Realization {
  AlignedVector<T> numbers;     // layout: Structure
  std::vector<Signal> signals;  // the same in all lanes
  AlignedVector<T> positions;   // 7 per carrier, as drawn
  AlignedVector<T> velocities;  // 6 per carrier
  std::vector<double> breakpoints;
};

// One realization per lane (lanes beyond those given repeat the last one).
template <class T>
Realization<T> make_realization(const Model& model, std::span<const Parameters> lanes);
// The same for one realization, into what an earlier one has left.
void fill_realization(const Model& model, const Parameters& numbers, Realization<double>& r);

}  // namespace aleator::core
