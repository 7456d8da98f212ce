// The model behind UM-Bridge (https://um-bridge-benchmarks.readthedocs.io): its protocol 1.0, HTTP and JSON.
//
// One model, "forward", with one input vector (the inputs of the ensemble) and one output vector: the outputs that the request's `config`
// asks for, {"outputs": ["peak", "accel_z"], "times": [0.1, 0.2]}, one after the other. Derivatives are those of Ensemble::jacobian.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/http_server.hpp"
#include "base/json_reader.hpp"
#include "coupling/asked_outputs.hpp"
#include "coupling/batches.hpp"

namespace aleator::core::coupling {

class UmBridge {
 public:
  // `outputs`: what requests without `config` get. `forward` must have inputs, and outlive this.
  UmBridge(const aleator::Ensemble& forward, std::vector<AskedOutput> outputs);

  int listen(int port, const std::string& host) { return server_.listen(port, host); }  // as http::Server does
  void serve(const std::atomic<bool>& stop) { server_.serve(stop); }

  static constexpr const char* name = "forward";

 private:
  using Reply = http::Server::Reply;
  void add(const std::string& path, std::function<void(const JsonInput& request, const Reply& reply)> handler);
  std::vector<AskedOutput> outputs_of(const JsonInput& request) const;
  std::vector<double> input_of(const JsonInput& request) const;
  void evaluate(const JsonInput& request, const Reply& reply);
  void multiply_jacobian(const JsonInput& request, const Reply& reply, bool transposed);

  const aleator::Ensemble& forward_;
  std::vector<AskedOutput> outputs_;
  http::Server server_;
  Batches batches_;  // ends before the server does
};

}  // namespace aleator::core::coupling
