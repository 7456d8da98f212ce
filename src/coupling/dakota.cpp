#include "coupling/dakota.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "base/atomic_file.hpp"
#include "coupling/asked_outputs.hpp"
#include "input/text.hpp"

namespace aleator::core::coupling {
namespace {

std::vector<std::string> names_of(const DakotaSet& set) {
  std::vector<std::string> names;
  for (const DakotaSet::Variable& v : set.variables) names.push_back(v.name);
  return names;
}

// What its functions are: by the names given, or by their labels.
std::vector<AskedOutput> functions_of(const DakotaSet& set, const aleator::Ensemble& forward,
                                      const std::vector<std::string>& outputs) {
  if (!outputs.empty() && outputs.size() != set.functions.size())
    throw InputError("", 0, 0,
                     fmt::format("--outputs names {}, and Dakota asks for {} functions", outputs.size(), set.functions.size()));
  std::vector<AskedOutput> out;
  for (std::size_t i = 0; i < set.functions.size(); ++i) {
    const std::string& name = outputs.empty() ? set.functions[i].label : outputs[i];
    try {
      out.push_back(asked_output(forward, name));
    } catch (const std::invalid_argument& e) {
      throw InputError("", 0, 0,
                       outputs.empty() ? fmt::format("response '{}' of Dakota: {}; name responses like this in 'descriptors', or "
                                                     "give their names with --outputs",
                                                     name, e.what())
                                       : fmt::format("--outputs: {}", e.what()));
    }
  }
  return out;
}

// The sets with the same variables and the same kind of request, computed together.
class DakotaGroup {
 public:
  DakotaGroup(const aleator::Ensemble& forward, const DakotaOptions& options) : forward_(forward), options_(options) {}

  void add(const DakotaSet& set, std::string& result) {
    sets_.push_back(&set);
    results_.push_back(&result);
    for (const DakotaSet::Variable& v : set.variables) x_.push_back(v.value);
    gradients_ = gradients_ || set.asks_for(2);
  }

  void compute() {
    const aleator::Jacobian j = gradients_ ? forward_.jacobian(x_, {}, options_.stop) : values_alone();
    std::vector<std::string> why(sets_.size());
    for (const aleator::FailedSample& f : j.responses.failures) why[f.sample] = f.reason;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      if (why[s].empty() && !j.responses.complete) why[s] = "interrupted";
      if (why[s].empty() && sets_[s]->asks_for(4))
        why[s] = "Hessians are asked for, and there are none ('no_hessians' in the responses)";
      if (why[s].empty()) why[s] = write(j, s);
      if (why[s].empty()) continue;
      *results_[s] = fmt::format("FAIL {}\n", why[s].substr(0, why[s].find('\n')));
      if (options_.on_note)
        options_.on_note(fmt::format("evaluation {} failed: {}", sets_[s]->id.empty() ? "?" : sets_[s]->id, why[s]));
    }
  }

 private:
  aleator::Jacobian values_alone() const {
    aleator::Jacobian j;
    j.responses = forward_.evaluate(x_, options_.stop);
    return j;
  }

  // Values, then gradients; returns what is missing.
  std::string write(const aleator::Jacobian& j, std::size_t s) {
    const DakotaSet& set = *sets_[s];
    const std::vector<AskedOutput> asked = functions_of(set, forward_, options_.outputs);
    std::string& text = *results_[s];
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if ((set.functions[i].request & 1) == 0) continue;
      const double value = asked[i].value(j.responses, s);
      if (!std::isfinite(value)) return fmt::format("'{}' has no value: its level is never crossed", asked[i].name);
      text += fmt::format("{:24.16e} {}\n", value, set.functions[i].label.empty() ? asked[i].name : set.functions[i].label);
    }
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if ((set.functions[i].request & 2) == 0) continue;
      text += "[";
      for (const std::size_t variable : set.derivative_variables) {
        const double d = asked[i].derivative(j, s, variable);
        if (!std::isfinite(d))
          return fmt::format("'{}' has no derivative with respect to {}", asked[i].name, set.variables[variable].name);
        text += fmt::format(" {:.16e}", d);
      }
      text += " ]\n";
    }
    return "";
  }

  const aleator::Ensemble& forward_;
  const DakotaOptions& options_;
  std::vector<const DakotaSet*> sets_;
  std::vector<std::string*> results_;
  std::vector<double> x_;
  bool gradients_ = false;
};

}  // namespace

std::vector<std::string> dakota_results(const aleator::Model& model, const std::vector<DakotaSet>& sets,
                                        const DakotaOptions& options) {
  std::vector<std::string> out(sets.size());
  std::map<std::vector<std::string>, std::vector<std::size_t>> same_variables;
  for (std::size_t s = 0; s < sets.size(); ++s) same_variables[names_of(sets[s])].push_back(s);
  for (const auto& [names, members] : same_variables) {
    if (names.empty()) throw InputError("", 0, 0, "Dakota's parameters file has no variables");
    const aleator::Ensemble forward(model, {.threads = options.threads, .inputs = names});
    for (const std::size_t s : members) functions_of(sets[s], forward, options.outputs);  // before anything is computed
    DakotaGroup values(forward, options), gradients(forward, options);
    for (const std::size_t s : members) (sets[s].asks_for(2) ? gradients : values).add(sets[s], out[s]);
    values.compute();
    gradients.compute();
  }
  return out;
}

// Sets of a batch are told apart by a line that begins with #.
std::string join_dakota_results(const std::vector<std::string>& results) {
  if (results.size() == 1) return results[0];
  std::string out;
  for (const std::string& r : results) out += "#\n" + r;
  return out;
}

bool run_dakota(const aleator::Model& model, const std::vector<std::string>& files, const DakotaOptions& options) {
  std::vector<DakotaSet> sets;
  std::vector<long> ends;  // of the sets of each file
  for (std::size_t i = 0; i + 1 < files.size(); i += 2) {
    for (DakotaSet& s : read_dakota_parameters(input::read_bytes(files[i]), files[i])) sets.push_back(std::move(s));
    ends.push_back(long(sets.size()));
  }
  const std::vector<std::string> results = dakota_results(model, sets, options);
  if (options.stop.stop_requested()) return false;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    AtomicFile file(files[2 * i + 1]);
    file.write(join_dakota_results({results.begin() + (i > 0 ? ends[i - 1] : 0), results.begin() + ends[i]}));
    file.commit();
  }
  return true;
}

}  // namespace aleator::core::coupling
