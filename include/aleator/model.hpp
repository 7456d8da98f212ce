// Models: read from a file or from text, checked and compiled once, then only read. Threads may share them.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace aleator {

// --- what may go wrong: exceptions with data; what() is the complete message ---

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One mistake in a file, and what would be right.
struct Mistake {
  std::string file;     // empty: not known
  int line = 0;         // from 1; 0: there is no place to point at
  int column = 0;       // from 1
  std::string key;      // path of the entry: "joints.hinge35.revolute"; empty: not known
  std::string message;  // "joint 'hinge35': unknown body 'rb55' (did you mean 'rb5'?)"
  std::string remedy;   // "did you mean 'rb5'?"; empty: nothing to say
};

// The model, a study or data are wrong: "model.yaml:14:5: joint 'hinge35': unknown body 'rb55' (did you mean 'rb5'?)". All mistakes
// of a file come at once: what() has a line for each, the other functions are about the first.
class InputError : public Error {
 public:
  InputError(std::string file, int line, int column, std::string message);
  // At least one, in their order; `more` of them are left out.
  explicit InputError(std::vector<Mistake> mistakes, std::size_t more = 0);

  const std::string& file() const { return mistakes_[0].file; }
  int line() const { return mistakes_[0].line; }
  int column() const { return mistakes_[0].column; }
  const std::string& key() const { return mistakes_[0].key; }
  const std::string& message() const { return mistakes_[0].message; }
  const std::string& remedy() const { return mistakes_[0].remedy; }

  const std::vector<Mistake>& mistakes() const { return mistakes_; }  // at most 20
  std::size_t more() const { return more_; }                          // how many there are beside them

 private:
  std::vector<Mistake> mistakes_;
  std::size_t more_ = 0;
};

// "model.yaml:14:5: " of a place; as much of it as is known.
std::string place_of(const Mistake& mistake);

// A results file is not what was expected.
class ReadError : public Error {
 public:
  ReadError(const std::string& path, const std::string& reason);
};

// A result could not be written: "cannot write 'out/five-body/nominal.h5': No space left on device".
class WriteError : public Error {
 public:
  WriteError(std::string path, std::string reason);
  static WriteError from_errno(std::string path, int code);  // the reason in the system's words

  const std::string& path() const { return path_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string path_, reason_;
};

// The motion cannot be computed (further).
class SimulationError : public Error {
 public:
  explicit SimulationError(const std::string& message);
  SimulationError(const std::string& message, double at);
  double time;  // up to which it could be computed; NaN: it did not begin
};

// --- models ---

namespace core {
struct LoadedModel;
}

// One column of numbers over time: an output, or one component of it ("path.x").
struct Channel {
  std::string name;
  std::string unit;
};

// Numbers of a model, or of its distributions, by the names of `--set`: {{"rb5.mass", 45}, {"rb5.mass.cov", 0.3}}.
using Settings = std::map<std::string, double>;

struct LoadOptions {
  std::vector<std::string> allowed;  // folders from which the model may take files, beside its own
};

class Model {
 public:
  const std::string& title() const;
  const std::string& file() const;
  const std::string& text() const;   // as it was read
  const Settings& settings() const;  // numbers that were set
  std::vector<Channel> outputs() const;
  bool uncertain() const;  // whether anything is
  // What was decided or left out of imported files, and what is hardly meant: "robot.urdf:12:3: note: …".
  std::vector<std::string> notes() const;

  // For the library itself.
  const core::LoadedModel& compiled() const { return *data_; }
  const std::shared_ptr<const core::LoadedModel>& shared() const { return data_; }
  explicit Model(std::shared_ptr<const core::LoadedModel> data);

 private:
  std::shared_ptr<const core::LoadedModel> data_;
  Settings settings_;
};

// Throw InputError.
Model load_model(const std::string& file, const Settings& set = {}, const LoadOptions& options = {});
Model model_from_text(const std::string& text, const Settings& set = {}, const std::string& name = "model.yaml");
// The same model with further numbers set.
Model with_settings(const Model& model, const Settings& set);

}  // namespace aleator
