// The public headers for Python: plain functions and data, which python/aleator/ makes a package of. Arrays are views of what the
// engine computed, read-only, and keep it alive.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <aleator/aleator.hpp>

#include "interruptible.hpp"

namespace aleator::python {
namespace {

using namespace pybind11::literals;
using Array = py::array_t<double>;

// --- arrays ---

// A view of numbers that `owner` keeps alive.
Array view(std::span<const double> values, std::vector<py::ssize_t> shape, py::handle owner) {
  Array array(std::move(shape), values.data(), owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}
Array view(const std::vector<double>& values, py::handle owner) { return view(values, {py::ssize_t(values.size())}, owner); }

// Numbers that the array itself owns.
Array moved(std::vector<double>&& values, std::vector<py::ssize_t> shape) {
  auto* kept = new std::vector<double>(std::move(values));
  const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<double>*>(p); });
  return view(*kept, std::move(shape), owner);
}

py::tuple pair(const Estimate& e) { return py::make_tuple(e.value, e.error); }
py::tuple with_interval(const Probability& p) { return py::make_tuple(p.value, p.error, p.lower, p.upper); }

py::list channels(const std::vector<Channel>& all) {
  py::list out;
  for (const Channel& c : all) out.append(py::make_tuple(c.name, c.unit));
  return out;
}

// --- rare events ---

py::dict reliability_of(const Reliability& r, py::ssize_t inputs, py::ssize_t times, py::ssize_t outputs, py::handle owner) {
  py::list probabilities, curves, levels, points, tails, causes;
  for (const auto& p : r.of)
    probabilities.append(py::make_tuple(p.limit, p.value, p.unit, p.probability, p.cov, p.lower, p.upper, p.beta()));
  for (const auto& c : r.curves)
    curves.append(py::make_tuple(c.limit, c.unit, view(c.b, owner), view(c.probability, owner), view(c.lower, owner),
                                 view(c.upper, owner)));
  for (const auto& l : r.levels)
    levels.append(py::make_tuple(l.excess, l.probability, l.cov, l.realizations, l.accepted, l.correlation, l.rho));
  for (const auto& d : r.design_points)
    points.append(py::make_tuple(d.limit, d.beta, d.form, d.sorm, d.converged, view(d.u, owner), view(d.importance, owner),
                                 view(d.inputs, owner), view(d.curvatures, owner)));
  for (const auto& t : r.tails)
    tails.append(py::make_tuple(t.q, t.a, t.b, t.c, t.from, t.to, view(t.lambda, owner), view(t.estimate, owner),
                                view(t.lower, owner), view(t.upper, owner)));
  for (const auto& c : r.causes)
    causes.append(py::make_tuple(c.column, c.unit, c.mean, c.std, c.mean_failing, c.std_failing, c.shift, c.importance));
  const Reliability::Failures& f = r.failures;
  const py::ssize_t kept = py::ssize_t(f.kept.size());
  const py::ssize_t bodies = f.poses.empty() ? 0 : py::ssize_t(f.poses.size()) / (kept * times * 7);
  const py::ssize_t histories = f.histories.empty() ? 0 : kept;
  return py::dict("method"_a = r.method, "simulations"_a = r.simulations, "failed"_a = r.failed,
                  "probabilities"_a = probabilities, "curves"_a = curves, "levels"_a = levels, "sets"_a = view(r.sets, owner),
                  "agreement"_a = r.agreement, "variables"_a = r.variables, "design_points"_a = points, "tails"_a = tails,
                  "causes"_a = causes, "inputs"_a = view(f.inputs, {py::ssize_t(f.weights.size()), inputs}, owner),
                  "weights"_a = view(f.weights, owner), "excess"_a = view(f.excess, owner), "kept"_a = f.kept,
                  "histories"_a = view(f.histories, {histories, times, outputs}, owner),
                  "poses"_a = view(f.poses, {bodies == 0 ? 0 : kept, times, bodies, 7}, owner), "doubts"_a = r.doubts);
}

// --- exceptions: classes of Python with the data of ours ---

struct Exceptions {
  py::object error, input, read, write, simulation;
};
Exceptions& exceptions() {
  static auto* all = new Exceptions;  // never destroyed: the interpreter may be gone by then
  return *all;
}

py::object new_exception(py::module_& m, const char* name, const char* doc, const py::tuple& bases) {
  py::object type = py::reinterpret_steal<py::object>(
      PyErr_NewExceptionWithDoc((std::string("aleator.") + name).c_str(), doc, bases.ptr(), nullptr));
  if (!type) throw py::error_already_set();
  m.attr(name) = type;
  return type;
}

// What is wrong, one text for each mistake, without their places.
py::list messages_of(const InputError& e) {
  py::list out;
  for (const Mistake& m : e.mistakes()) out.append(m.message);
  return out;
}

void add_exceptions(py::module_& m) {
  Exceptions& x = exceptions();
  const auto builtin = [](PyObject* type) { return py::reinterpret_borrow<py::object>(type); };
  x.error = new_exception(m, "Error", "What Aleator could not do; all its exceptions derive from this one.",
                          py::make_tuple(builtin(PyExc_Exception)));
  x.input = new_exception(
      m, "InputError",
      "The model, a study or data are wrong. The text has a line for each mistake, the attribute messages a list of them; file, "
      "line, column, key, message and remedy say where the first is, and what would be right; line 0 means that there "
      "is no place to point at.",
      py::make_tuple(x.error, builtin(PyExc_ValueError)));
  x.read =
      new_exception(m, "ReadError", "A results file is not what was expected.", py::make_tuple(x.error, builtin(PyExc_OSError)));
  x.write = new_exception(m, "WriteError", "A result could not be written; attributes path and reason.",
                          py::make_tuple(x.error, builtin(PyExc_OSError)));
  x.simulation =
      new_exception(m, "SimulationError",
                    "The motion cannot be computed (further). The attribute time says how far it came; NaN: it did not begin.",
                    py::make_tuple(x.error, builtin(PyExc_RuntimeError)));
  py::register_exception_translator([](std::exception_ptr p) {
    const auto raise = [](const py::object& type, const std::exception& e,
                          std::initializer_list<std::pair<const char*, py::object>> data) {
      const py::object value = type(py::str(e.what()));
      for (const auto& [name, datum] : data) value.attr(name) = datum;
      PyErr_SetObject(type.ptr(), value.ptr());
    };
    try {
      if (p) std::rethrow_exception(p);
    } catch (const InputError& e) {
      raise(exceptions().input, e,
            {{"file", py::str(e.file())},
             {"line", py::int_(e.line())},
             {"column", py::int_(e.column())},
             {"key", py::str(e.key())},
             {"message", py::str(e.message())},
             {"remedy", py::str(e.remedy())},
             {"messages", messages_of(e)}});
    } catch (const ReadError& e) {
      raise(exceptions().read, e, {});
    } catch (const WriteError& e) {
      raise(exceptions().write, e, {{"path", py::str(e.path())}, {"reason", py::str(e.reason())}});
    } catch (const SimulationError& e) {
      raise(exceptions().simulation, e, {{"time", py::float_(e.time)}});
    } catch (const Error& e) {
      raise(exceptions().error, e, {});
    }
  });
}

// --- running, with what Python is told meanwhile ---

// progress(phase, done, planned, failed, per_second, seconds_left), note(text); both may be None.
struct Callbacks {
  py::object progress, note;
  Mailbox box;

  void look() {
    for (const std::string& text : box.take_notes())
      if (!note.is_none()) note(text);
    if (const auto p = box.take_progress(); p && !progress.is_none())
      progress(p->phase, p->done, p->planned, p->failed, p->per_second, p->seconds_left);
  }
};

// `work(options)` with signals, progress and notes. What is stopped by Ctrl-C has a result, that which was finished, and is marked;
// other exceptions pass.
template <class Work>
auto run_told(RunOptions options, const py::object& progress, const py::object& note, Work&& work) {
  Callbacks callbacks{progress, note, {}};
  auto finished = run_interruptible(
      [&](const std::stop_token& stop) {
        options.stop = stop;
        options.on_progress = [&](const Progress& p) { callbacks.box.put(p); };
        options.on_note = [&](std::string_view text) { callbacks.box.put(text); };
        return work(options);
      },
      [&] { callbacks.look(); });
  if (finished.raised && (!finished.raised->matches(PyExc_KeyboardInterrupt) || !finished.result))
    throw std::move(*finished.raised);
  callbacks.look();
  return std::pair(std::move(*finished.result), finished.raised.has_value());
}

RunOptions run_options(const std::string& folder, int threads, bool resume, bool overwrite, const std::string& isa,
                       const std::string& device) {
  RunOptions o;
  o.folder = folder;
  o.threads = threads;
  o.resume = resume;
  o.overwrite = overwrite;
  o.isa = isa;
  o.device = device;
  return o;
}

// --- models ---

void add_models(py::module_& m) {
  py::class_<Model>(m, "Model")
      .def_property_readonly("title", &Model::title)
      .def_property_readonly("file", &Model::file)
      .def_property_readonly("text", &Model::text)
      .def_property_readonly("settings", &Model::settings)
      .def_property_readonly("outputs", [](const Model& x) { return channels(x.outputs()); })
      .def_property_readonly("notes", &Model::notes)
      .def_property_readonly("uncertain", &Model::uncertain);
  m.def("load_model", [](const std::string& file, const Settings& set, const std::vector<std::string>& allowed) {
    const py::gil_scoped_release release;
    return load_model(file, set, {allowed});
  });
  m.def("model_from_text", [](const std::string& text, const Settings& set, const std::string& name) {
    const py::gil_scoped_release release;
    return model_from_text(text, set, name);
  });
  m.def("import_model", [](const std::string& file, const Settings& set, const std::string& base, const Settings& positions,
                           const std::vector<std::string>& packages, bool repair, bool limits, bool meshes) {
    const py::gil_scoped_release release;
    ImportOptions options;
    options.base = base;
    options.positions = positions;
    options.packages = packages;
    options.repair = repair;
    options.limits = limits;
    options.meshes = meshes;
    return import_model(file, set, options);
  });
  m.def("with_settings", &with_settings, py::call_guard<py::gil_scoped_release>());
  m.def("with_distribution", &with_distribution, py::call_guard<py::gil_scoped_release>());
  m.def("quantities", [](const Model& model) {
    py::list out;
    for (const Quantity& q : quantities(model))
      out.append(py::make_tuple(q.name, q.unit, q.distribution, q.nominal, q.mean, q.std));
    return out;
  });
  m.def("parameters", [](const Model& model) {
    py::list out;
    for (const Parameter& p : parameters(model)) out.append(py::make_tuple(p.name, p.value, p.unit, p.distribution));
    return out;
  });
  m.def("simulate", [](const Model& model, const py::object& note) {
    Callbacks callbacks{py::none(), note, {}};
    Trajectory t = result_of(run_interruptible(
        [&](const std::stop_token& stop) {
          SimulateOptions o;
          o.stop = stop;
          o.on_note = [&](std::string_view text) { callbacks.box.put(text); };
          return simulate(model, o);
        },
        [&] { callbacks.look(); }));
    callbacks.look();
    const py::ssize_t nt = py::ssize_t(t.time.size()), nc = py::ssize_t(t.outputs.size());
    const py::ssize_t nb = py::ssize_t(t.bodies.size());
    return py::make_tuple(moved(std::move(t.time), {nt}), moved(std::move(t.values), {nt, nc}), channels(t.outputs), t.integrator,
                          t.step, t.bodies, moved(std::move(t.poses), {nt, nb, 7}));
  });
}

// --- studies and results ---

Array array_of(const OutputStatistics& s, const std::string& what, py::handle owner) {
  static const std::map<std::string, std::vector<double> OutputStatistics::*> all = {
      {"nominal", &OutputStatistics::nominal},
      {"mean", &OutputStatistics::mean},
      {"std", &OutputStatistics::std},
      {"lower", &OutputStatistics::lower},
      {"upper", &OutputStatistics::upper},
      {"minimum", &OutputStatistics::minimum},
      {"maximum", &OutputStatistics::maximum},
      {"mean_error", &OutputStatistics::mean_error},
      {"std_error", &OutputStatistics::std_error},
      {"lower_error", &OutputStatistics::lower_error},
      {"upper_error", &OutputStatistics::upper_error}};
  return view(s.*all.at(what), owner);
}

py::dict sobol_of(const SobolIndices& s, py::handle owner) {
  py::dict out;
  for (const SobolIndices::OfGroup& g : s.groups)
    out[py::str(g.group)] = py::make_tuple(view(g.first, owner), view(g.total, owner), view(g.first_error, owner),
                                           view(g.total_error, owner), pair(g.integrated_first), pair(g.integrated_total));
  return out;
}

void add_results(py::module_& m) {
  py::class_<StudyResult, std::shared_ptr<StudyResult>> c(m, "StudyResult");
  c.def_property_readonly("outcome", [](const StudyResult& r) {
    return r.outcome == Outcome::complete ? "complete" : r.outcome == Outcome::interrupted ? "interrupted" : "stopped";
  });
  c.def_readonly("reason", &StudyResult::reason)
      .def_readonly("concluded", &StudyResult::concluded)
      .def_readonly("file", &StudyResult::file)
      .def_readonly("method", &StudyResult::method)
      .def_readonly("seed", &StudyResult::seed)
      .def_readonly("planned", &StudyResult::planned)
      .def_readonly("done", &StudyResult::done)
      .def_readonly("simulated", &StudyResult::simulated)
      .def_readonly("failed", &StudyResult::failed)
      .def_readonly("seconds", &StudyResult::seconds)
      .def_readonly("confidence", &StudyResult::confidence)
      .def_readonly("is_sample", &StudyResult::is_sample)
      .def_readonly("inputs", &StudyResult::inputs)
      .def_readonly("evidence", &StudyResult::evidence);
  c.def_property_readonly("outputs", [](const StudyResult& r) { return channels(r.outputs); });
  c.def_property_readonly("time", [](const py::object& self) { return view(self.cast<const StudyResult&>().time, self); });
  c.def("statistics", [](const py::object& self, const std::string& output, const std::string& what) {
    const auto& r = self.cast<const StudyResult&>();
    return r.statistics.empty() ? view(r.time, {0}, self) : array_of(r[output], what, self);  // none: it was stopped early
  });
  c.def("sobol", [](const py::object& self, const std::string& output) -> py::object {
    const auto& r = self.cast<const StudyResult&>();
    for (const SobolIndices& s : r.sobol)
      if (s.output == output) return sobol_of(s, self);
    return py::none();
  });
  c.def_property_readonly("has_sobol", [](const StudyResult& r) { return !r.sobol.empty(); });
  c.def("samples", [](const py::object& self) {
    const auto& r = self.cast<const StudyResult&>();
    const py::ssize_t columns = py::ssize_t(r.inputs.size()), n = columns > 0 ? py::ssize_t(r.samples().size()) / columns : 0;
    return view(r.samples(), {n, columns}, self);
  });
  c.def("responses", [](const py::object& self) {
    const auto& r = self.cast<const StudyResult&>();
    const py::ssize_t nt = py::ssize_t(r.time.size()), nc = py::ssize_t(r.outputs.size());
    return view(r.responses(), {nt * nc > 0 ? py::ssize_t(r.responses().size()) / (nt * nc) : 0, nt, nc}, self);
  });
  c.def("motion", [](const py::object& self) {
    const auto& r = self.cast<const StudyResult&>();
    const BodyMotion all = r.motion();
    const py::ssize_t nt = py::ssize_t(r.time.size()), nb = py::ssize_t(all.bodies.size()), n = py::ssize_t(all.kept.size());
    return py::make_tuple(all.bodies, view(all.nominal, {nt, nb, 7}, self), all.kept,
                          view(all.realizations, {n, nt, nb, 7}, self));
  });
  c.def("probability", [](const StudyResult& r, const std::string& output, double value, bool above, double at) {
    Probability found;
    {
      const py::gil_scoped_release release;
      found = r.probability(output, value, above, at);
    }
    return with_interval(found);
  });
  c.def_property_readonly("failures", [](const StudyResult& r) {
    py::list out;
    for (const Failure& f : r.failures) out.append(py::make_tuple(f.realization, f.reason, f.time, f.sample));
    return out;
  });
  c.def_property_readonly("scalars", [](const py::object& self) {
    py::list out;
    for (const ScalarStatistics& s : self.cast<const StudyResult&>().scalars)
      out.append(py::make_tuple(s.name, s.unit, s.kind, s.output, s.nominal, pair(s.mean), pair(s.std), pair(s.lower),
                                pair(s.upper), s.minimum, s.maximum, s.count, view(s.values, self)));
    return out;
  });
  c.def_property_readonly("spectra", [](const py::object& self) {
    py::list out;
    for (const Spectrum& s : self.cast<const StudyResult&>().spectra)
      out.append(py::make_tuple(s.output, s.unit, s.segment, s.segments, view(s.frequency, self), view(s.density, self),
                                view(s.error, self), view(s.lower, self), view(s.upper, self), view(s.nominal, self)));
    return out;
  });
  c.def_property_readonly("limits", [](const py::object& self) {
    py::list out;
    for (const LimitStatistics& l : self.cast<const StudyResult&>().limits)
      out.append(py::make_tuple(l.output, l.value, l.above, view(l.probability, self), view(l.error, self), with_interval(l.ever),
                                l.scalar));
    return out;
  });
  c.def_property_readonly("reliability", [](const py::object& self) -> py::object {
    const auto& result = self.cast<const StudyResult&>();
    if (!result.reliability) return py::none();
    return reliability_of(*result.reliability, py::ssize_t(result.inputs.size()), py::ssize_t(result.time.size()),
                          py::ssize_t(result.outputs.size()), self);
  });
  m.def("read_results", [](const std::string& path, bool responses) {
    const py::gil_scoped_release release;
    return std::make_shared<StudyResult>(read_results(path, responses));
  });
  m.def("read_responses", [](const std::string& path, const std::string& output, py::ssize_t times) {
    std::vector<double> values;
    {
      const py::gil_scoped_release release;
      values = read_responses(path, output);
    }
    const py::ssize_t rows = times > 0 ? py::ssize_t(values.size()) / times : 0;
    return moved(std::move(values), {rows, times});
  });
  m.def("write_report", [](const std::vector<std::shared_ptr<StudyResult>>& results, const std::string& file) {
    std::vector<StudyResult> all;
    for (const auto& r : results) all.push_back(*r);
    return result_of(run_interruptible([&](const std::stop_token& stop) { return write_report(all, file, stop); }, [] {}));
  });
  m.def("write_model_report", [](const Model& model, const std::string& file) {
    return result_of(run_interruptible([&](const std::stop_token& stop) { return write_report(model, file, stop); }, [] {}));
  });
  m.def("compare", [](const std::string& a, const std::string& b, const std::vector<std::string>& names) {
    Comparison found;
    {
      const py::gil_scoped_release release;
      found = compare_results(a, b, names);
    }
    const auto lines = [](const std::vector<Comparison::Line>& all) {
      py::list out;
      const auto both = [](const Difference& d) { return py::make_tuple(d.value, d.noise); };
      for (const Comparison::Line& l : all)
        out.append(py::make_tuple(l.name, l.unit, both(l.mean), both(l.std), both(l.lower), both(l.upper), l.p));
      return out;
    };
    return py::make_tuple(lines(found.outputs), lines(found.scalars), found.only_a, found.only_b, found.significance, found.text);
  });
}

void add_studies(py::module_& m) {
  py::class_<Study>(m, "Study")
      .def_readonly("method", &Study::method)
      .def_readonly("samples", &Study::samples)
      .def_readonly("accuracy", &Study::accuracy)
      .def_readonly("confidence", &Study::confidence)
      .def_readonly("seed", &Study::seed)
      .def_readonly("sensitivity", &Study::sensitivity);
  m.def("study_of", [](const Model& model, const std::string& changes) {
    return changes.empty() ? study_of(model) : study_of(model, changes);
  });
  m.def("study_methods", &study_methods);
  m.def("run_study",
        [](const Model& model, const Study& study, const std::string& folder, int threads, bool resume, bool overwrite,
           const std::string& isa, const std::string& device, const py::object& progress, const py::object& note) {
          auto [result, interrupted] = run_told(run_options(folder, threads, resume, overwrite, isa, device), progress, note,
                                                [&](const RunOptions& o) { return run_study(model, study, o); });
          return py::make_tuple(std::make_shared<StudyResult>(std::move(result)), interrupted);
        });
  m.def("resume_study", [](const std::string& folder, int threads, const py::object& progress, const py::object& note) {
    RunOptions options = run_options(folder, threads, false, false, "", "");
    options.force = true;  // the record counts: a model that was changed in Python never was what its file is
    auto [result, interrupted] = run_told(options, progress, note, [&](const RunOptions& o) { return resume_study(o); });
    return py::make_tuple(std::make_shared<StudyResult>(std::move(result)), interrupted);
  });
}

// --- the model as a function ---

void add_ensembles(py::module_& m) {
  using Input = py::array_t<double, py::array::c_style | py::array::forcecast>;
  py::class_<Ensemble>(m, "Ensemble")
      .def(py::init(
          [](const Model& model, int threads, const std::string& isa, bool retry, const std::vector<std::string>& inputs) {
            const py::gil_scoped_release release;
            return std::make_unique<Ensemble>(model, Ensemble::Options{threads, isa, retry, inputs});
          }))
      .def_property_readonly("inputs", &Ensemble::inputs)
      .def_property_readonly("outputs", [](const Ensemble& e) { return channels(e.outputs()); })
      .def_property_readonly("time", [](const py::object& self) { return view(self.cast<const Ensemble&>().time(), self); })
      .def_property_readonly("integrator", &Ensemble::integrator)
      .def_property_readonly("step", &Ensemble::step)
      .def("draw",
           [](const Ensemble& e, std::size_t n, std::uint64_t seed) {
             std::vector<double> x;
             {
               const py::gil_scoped_release release;
               x = e.draw(n, seed);
             }
             Array array = moved(std::move(x), {py::ssize_t(n), py::ssize_t(e.inputs().size())});
             py::detail::array_proxy(array.ptr())->flags |= py::detail::npy_api::NPY_ARRAY_WRITEABLE_;  // the caller's own
             return array;
           })
      .def_property_readonly("nominal", [](const py::object& self) { return view(self.cast<const Ensemble&>().nominal(), self); })
      .def("evaluate",
           [](const Ensemble& e, const Input& x) {
             const std::span<const double> numbers(x.data(), std::size_t(x.size()));
             Responses y =
                 result_of(run_interruptible([&](const std::stop_token& stop) { return e.evaluate(numbers, stop); }, [] {}));
             py::list failures;
             for (const FailedSample& f : y.failures) failures.append(py::make_tuple(f.sample, f.reason, f.time));
             const py::ssize_t n = py::ssize_t(y.samples), nt = py::ssize_t(y.time.size()), nc = py::ssize_t(y.outputs.size());
             return py::make_tuple(moved(std::move(y.values), {n, nt, nc}), failures);
           })
      .def("jacobian", [](const Ensemble& e, const Input& x, const std::vector<std::string>& with_respect_to) {
        const std::span<const double> numbers(x.data(), std::size_t(x.size()));
        Jacobian j = result_of(
            run_interruptible([&](const std::stop_token& stop) { return e.jacobian(numbers, with_respect_to, stop); }, [] {}));
        py::list failures;
        for (const FailedDerivative& f : j.failures) failures.append(py::make_tuple(f.sample, f.input, f.reason));
        const Responses& y = j.responses;
        const std::vector<py::ssize_t> shape = {py::ssize_t(y.samples), py::ssize_t(y.time.size()), py::ssize_t(y.outputs.size()),
                                                py::ssize_t(j.inputs.size())};
        return py::make_tuple(moved(std::move(j.values), shape), moved(std::move(j.errors), shape), j.inputs, failures);
      });
}

// --- identification ---

py::dict identified(const IdentificationResult& r) {
  py::list parameters;
  for (const IdentifiedParameter& p : r.parameters)
    parameters.append(
        py::make_tuple(p.name, p.unit, p.written, p.from, p.to, p.estimate, p.lower, p.upper, p.open_below, p.open_above, p.std));
  py::dict out;
  const char* outcome = r.outcome == Outcome::complete ? "complete" : "interrupted";
  out["outcome"] = outcome;
  out["resumable"] = r.resumable;
  out["method"] = r.method;
  out["explained"] = r.explained;
  out["verdict"] = r.verdict;
  out["p"] = r.p;
  out["parameters"] = parameters;
  const py::ssize_t np = py::ssize_t(r.parameters.size());
  out["draws"] = moved(std::vector<double>(r.draws), {np > 0 ? py::ssize_t(r.draws.size()) / np : 0, np});
  out["warnings"] = r.warnings;
  out["evaluations"] = r.evaluations;
  out["file"] = r.file;
  if (r.study.data)
    out["study"] = std::make_shared<StudyResult>(r.study);
  else
    out["study"] = py::none();
  return out;
}

void add_identification(py::module_& m) {
  py::class_<IdentificationStudy>(m, "IdentificationStudy").def_property_readonly("file", &IdentificationStudy::file);
  m.def("read_identification", [](const std::string& file, const std::vector<std::string>& specimens) {
    return specimens.empty() ? read_identification(file) : read_identification(file, specimens);
  });
  m.def("identification_from_text", &identification_from_text);
  m.def("identify", [](IdentificationStudy study, const std::vector<std::string>& allowed, const std::string& folder, int threads,
                       bool resume, bool overwrite, const py::object& progress, const py::object& note) {
    study.load.allowed = allowed;
    auto [result, interrupted] = run_told(run_options(folder, threads, resume, overwrite, "", ""), progress, note,
                                          [&](const RunOptions& o) { return identify(study, o); });
    return py::make_tuple(identified(result), interrupted);
  });
}

// --- design ---

py::tuple as_tuple(const Estimate& e) { return py::make_tuple(e.value, e.error); }

py::dict designed(const DesignResult& r) {
  py::list constraints, trade_off;
  for (const DesignResult::Constraint& c : r.constraints)
    constraints.append(
        py::make_tuple(c.text, c.bound, as_tuple(c.found), as_tuple(c.verified), c.sure, c.verified_sure, c.active));
  for (const DesignResult::TradeOff& t : r.trade_off)
    trade_off.append(py::make_tuple(t.target, t.possible, t.beyond, t.cost, t.lower, t.upper, t.values));
  py::dict out;
  const char* outcome = r.outcome == Outcome::complete ? "complete" : "interrupted";
  out["outcome"] = outcome;
  out["met"] = r.met;
  out["verified"] = r.verified;
  out["verdict"] = r.verdict;
  out["names"] = r.names;
  out["values"] = r.values;
  out["cost"] = as_tuple(r.cost);
  out["verified_cost"] = as_tuple(r.verified_cost);
  out["constraints"] = constraints;
  out["trade_off"] = trade_off;
  out["remarks"] = r.notes;
  out["evaluations"] = r.evaluations;
  if (r.study.data)
    out["study"] = std::make_shared<StudyResult>(r.study);
  else
    out["study"] = py::none();
  return out;
}

void add_design(py::module_& m) {
  m.def("design", [](const std::string& file, const std::vector<std::string>& allowed, const std::string& folder, int threads,
                     bool resume, const py::object& progress, const py::object& note) {
    DesignStudy study = read_design(file);
    study.load.allowed = allowed;
    auto [result, interrupted] = run_told(run_options(folder, threads, resume, false, "", ""), progress, note,
                                          [&](const RunOptions& o) { return design(study, o); });
    return py::make_tuple(designed(result), interrupted);
  });
}

}  // namespace

PYBIND11_MODULE(_aleator, m) {
  m.doc() = "The engine of Aleator; the package aleator is what users see.";
  add_exceptions(m);
  add_models(m);
  add_results(m);
  add_studies(m);
  add_ensembles(m);
  add_identification(m);
  add_design(m);
  m.def("version", &version);
}

}  // namespace aleator::python
