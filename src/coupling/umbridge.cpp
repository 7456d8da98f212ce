#include "coupling/umbridge.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "base/json.hpp"

namespace aleator::core::coupling {
namespace {

using http::Answer;
using Kind = JsonInput::Kind;

constexpr std::size_t longest_request = std::size_t(16) << 20, most_clients = 256, most_numbers = 1'000'000;

// Refused with one of the protocol's types of errors.
struct Refusal : std::runtime_error {
  std::string type;
  int status;
  Refusal(std::string its_type, const std::string& why, int its_status = 400)
      : std::runtime_error(why), type(std::move(its_type)), status(its_status) {}
};
Refusal invalid(const std::string& why) { return {"InvalidInput", why}; }

Answer error_answer(const std::string& type, const std::string& why, int status) {
  Json j;
  j.object().key("error").object().key("type").string(type).key("message").string(why).end().end();
  return {status, "application/json", j.take()};
}

Answer numbers_answer(const std::string& key, std::span<const double> numbers, bool nested) {
  Json j;
  j.object().key(key);
  if (nested) j.array();
  j.numbers(numbers);
  if (nested) j.end();
  j.end();
  return {200, "application/json", j.take()};
}

const JsonInput& member(const JsonInput& request, const char* key) {
  const JsonInput* const found = request.find(key);
  if (!found) throw invalid(fmt::format("'{}' is missing", key));
  return *found;
}

std::vector<double> numbers(const JsonInput& list, const std::string& what) {
  if (!list.is(Kind::array)) throw invalid(fmt::format("{} must be an array of numbers", what));
  std::vector<double> out;
  for (const JsonInput& e : list.elements) {
    if (!e.is(Kind::number)) throw invalid(fmt::format("{} must be an array of numbers: element {} is none", what, out.size()));
    out.push_back(e.number);
  }
  return out;
}

// There is one input vector and one output vector: their number is 0.
void check_index(const JsonInput& request, const char* key) {
  const JsonInput& index = member(request, key);
  if (!index.is(Kind::number) || index.number != 0)
    throw invalid(fmt::format("'{}' must be 0: there is one input vector and one output vector", key));
}

std::vector<double> checked_vector(const JsonInput& request, const char* key, std::size_t size) {
  std::vector<double> out = numbers(member(request, key), fmt::format("'{}'", key));
  if (out.size() != size) throw invalid(fmt::format("'{}' must have {} numbers, found {}", key, size, out.size()));
  return out;
}

const std::string* failure_of(const aleator::Responses& y, std::size_t sample) {
  for (const aleator::FailedSample& f : y.failures)
    if (f.sample == sample) return &f.reason;
  return nullptr;
}

Refusal no_output(const std::string& why) { return {"InvalidOutput", why, 500}; }

// Answers, whatever happens.
template <class F>
void answer(const http::Server::Reply& reply, F&& make) {
  try {
    reply(make());
  } catch (const Refusal& e) {
    reply(error_answer(e.type, e.what(), e.status));
  } catch (const std::exception& e) {
    reply(error_answer("InvalidOutput", e.what(), 500));
  }
}

void check_complete(const aleator::Responses& y) {
  if (!y.complete) throw Refusal("InvalidOutput", "the server was stopped", 503);
}

}  // namespace

UmBridge::UmBridge(const aleator::Ensemble& forward, std::vector<AskedOutput> outputs)
    : forward_(forward), outputs_(std::move(outputs)), batches_(forward) {
  server_.longest_body = longest_request;
  server_.most_connections = most_clients;
  server_.refusal = [](int status, const std::string& why) {
    if (status != 404) return error_answer("InvalidInput", why, status);
    return error_answer("UnsupportedFeature",
                        "this server has /Info, /ModelInfo, /InputSizes, /OutputSizes, /Evaluate, /Gradient and /ApplyJacobian",
                        status);
  };
  server_.routes["/Info"] = [](const std::string&) {
    Json j;
    j.object().key("protocolVersion").number(1.0).key("models").array().string(name).end().end();
    return Answer{200, "application/json", j.take()};
  };
  add("/ModelInfo", [](const JsonInput&, const Reply& reply) {
    Json j;
    j.object().key("support").object().key("Evaluate").boolean(true).key("Gradient").boolean(true);
    j.key("ApplyJacobian").boolean(true).key("ApplyHessian").boolean(false).end().end();
    reply({200, "application/json", j.take()});
  });
  add("/InputSizes", [this](const JsonInput&, const Reply& reply) {
    const double size[] = {double(forward_.inputs().size())};
    reply(numbers_answer("inputSizes", size, false));
  });
  add("/OutputSizes", [this](const JsonInput& request, const Reply& reply) {
    const double size[] = {double(outputs_of(request).size())};
    reply(numbers_answer("outputSizes", size, false));
  });
  add("/Evaluate", [this](const JsonInput& request, const Reply& reply) { evaluate(request, reply); });
  add("/Gradient", [this](const JsonInput& request, const Reply& reply) { multiply_jacobian(request, reply, true); });
  add("/ApplyJacobian", [this](const JsonInput& request, const Reply& reply) { multiply_jacobian(request, reply, false); });
  add("/ApplyHessian", [](const JsonInput&, const Reply&) {
    throw Refusal("UnsupportedFeature", "ApplyHessian is not supported: there are no second derivatives");
  });
}

// Reads the request and finds the model it is for.
void UmBridge::add(const std::string& path, std::function<void(const JsonInput&, const Reply&)> handler) {
  server_.receivers[path] = [handler = std::move(handler)](const std::string& body, const Reply& reply) {
    try {
      const JsonInput request = read_json(body);
      if (!request.is(Kind::object)) throw invalid("the request must be a JSON object");
      const JsonInput& model = member(request, "name");
      if (!model.is(Kind::string) || model.text != name)
        throw Refusal("ModelNotFound", fmt::format("there is no model '{}' here; this server has '{}'", model.text, name));
      handler(request, reply);
    } catch (const JsonError& e) {
      reply(error_answer("InvalidInput", fmt::format("the request is no JSON: {}", e.what()), 400));
    } catch (const Refusal& e) {
      reply(error_answer(e.type, e.what(), e.status));
    }
  };
}

std::vector<AskedOutput> UmBridge::outputs_of(const JsonInput& request) const {
  const JsonInput* const config = request.find("config");
  if (!config || config->is(Kind::null)) return outputs_;
  if (!config->is(Kind::object)) throw invalid("'config' must be an object");
  for (const auto& [key, value] : config->members)
    if (key != "outputs" && key != "times")
      throw invalid(fmt::format("'config' has an unknown key '{}' (known: outputs, times)", key));
  const JsonInput *const names = config->find("outputs"), *const when = config->find("times");
  if (!names && !when) return outputs_;
  std::vector<double> times;
  if (when && when->is(Kind::string) && when->text == "all")
    times = forward_.time();
  else if (when)
    times = numbers(*when, "'times' (or \"all\")");
  std::vector<std::string> asked;
  if (names && !names->is(Kind::array)) throw invalid("'outputs' must be an array of names");
  if (names)
    for (const JsonInput& n : names->elements) {
      if (!n.is(Kind::string)) throw invalid("'outputs' must be an array of names");
      asked.push_back(n.text);
    }
  else
    for (const aleator::Channel& c : forward_.outputs()) asked.push_back(c.name);
  std::vector<AskedOutput> out;
  try {
    for (const std::string& n : asked) {
      if (is_scalar(forward_, n) || !when || n.find('@') != std::string::npos)
        out.push_back(asked_output(forward_, n));
      else
        for (const double t : times) out.push_back(asked_output_at(forward_, n, t));
      if (out.size() > most_numbers) throw invalid(fmt::format("more than {} numbers are asked for", most_numbers));
    }
  } catch (const std::invalid_argument& e) {
    throw invalid(e.what());
  }
  if (out.empty()) throw invalid("'config' asks for nothing: 'outputs' and 'times' must not be empty");
  return out;
}

std::vector<double> UmBridge::input_of(const JsonInput& request) const {
  const JsonInput& input = member(request, "input");
  if (!input.is(Kind::array) || input.elements.size() != 1)
    throw invalid("'input' must be an array of one array of numbers: there is one input vector");
  std::vector<double> x = numbers(input.elements[0], "the input vector");
  const std::vector<std::string>& names = forward_.inputs();
  if (x.size() != names.size()) {
    std::string list;
    for (std::size_t i = 0; i < names.size() && i < 12; ++i) list += (i ? ", " : "") + names[i];
    throw invalid(fmt::format("the input vector must have {} numbers ({}{}), found {}", names.size(), list,
                              names.size() > 12 ? ", …" : "", x.size()));
  }
  return x;
}

void UmBridge::evaluate(const JsonInput& request, const Reply& reply) {
  std::vector<AskedOutput> asked = outputs_of(request);
  batches_.evaluate(input_of(request), [asked = std::move(asked), reply](const aleator::Responses& y, std::size_t sample) {
    answer(reply, [&] {
      if (const std::string* why = failure_of(y, sample)) throw no_output("the simulation failed: " + *why);
      check_complete(y);
      std::vector<double> out;
      for (const AskedOutput& a : asked) {
        out.push_back(a.value(y, sample));
        if (!std::isfinite(out.back())) throw no_output(fmt::format("'{}' has no value: its level is never crossed", a.name));
      }
      return numbers_answer("output", out, true);
    });
  });
}

// sensᵀ J (/Gradient) or J vec (/ApplyJacobian), with J[k][i] = ∂ output k / ∂ input i.
void UmBridge::multiply_jacobian(const JsonInput& request, const Reply& reply, bool transposed) {
  std::vector<AskedOutput> asked = outputs_of(request);
  check_index(request, "outWrt");
  check_index(request, "inWrt");
  std::vector<double> x = input_of(request);
  std::vector<double> v = transposed ? checked_vector(request, "sens", asked.size()) : checked_vector(request, "vec", x.size());
  batches_.differentiate(std::move(x), [asked = std::move(asked), v = std::move(v), transposed, reply](const aleator::Jacobian& j,
                                                                                                       std::size_t sample) {
    answer(reply, [&] {
      if (const std::string* why = failure_of(j.responses, sample)) throw no_output("the simulation failed: " + *why);
      check_complete(j.responses);
      std::vector<double> out(transposed ? j.inputs.size() : asked.size(), 0.0);
      for (std::size_t k = 0; k < asked.size(); ++k)
        for (std::size_t i = 0; i < j.inputs.size(); ++i) {
          const double d = asked[k].derivative(j, sample, i);
          if (!std::isfinite(d))
            throw no_output(fmt::format("'{}' has no derivative with respect to {}", asked[k].name, j.inputs[i]));
          if (transposed)
            out[i] += v[k] * d;
          else
            out[k] += v[i] * d;
        }
      return numbers_answer("output", out, false);
    });
  });
}

}  // namespace aleator::core::coupling
