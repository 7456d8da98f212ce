// aleator serve MODEL: the model behind UM-Bridge, for any of its clients.
#include <system_error>

#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"
#include "coupling/umbridge.hpp"

namespace aleator::app {
namespace {

struct ServeArguments {
  ModelArguments model;
  std::vector<std::string> inputs, outputs;
  long port = 4242;
  std::string host = "127.0.0.1";
  int threads = 0;
};

int serve_command(const ServeArguments& o) {
  const Ensemble forward(o.model.load(), {.threads = o.threads, .inputs = o.inputs});
  if (forward.inputs().empty())
    throw UsageError("--inputs", "nothing is uncertain in this model: name the numbers that are its inputs");
  const auto asked = usage_of("--outputs", [&] { return core::coupling::asked_outputs(forward, o.outputs); });
  core::coupling::UmBridge server(forward, asked);
  int port = 0;
  try {
    port = usage_of("--host", [&] { return server.listen(int(o.port), o.host); });
  } catch (const std::system_error& e) {
    throw UsageError("--port", fmt::format("{} on {} cannot be used: {}", o.port, o.host, e.code().message()));
  }
  stop_on_signal();
  say("http://{}:{}  UM-Bridge 1.0, model '{}'\n", o.host, port, server.name);
  std::string inputs, outputs;
  for (const std::string& name : forward.inputs()) inputs += " " + name;
  for (const auto& output : asked) outputs += " " + output.name;
  say("inputs:{}\noutputs:{}\nCtrl-C ends\n", inputs, outputs);
  if (o.host != "127.0.0.1") say(stderr, "warning: whoever reaches {} can use this model; there are no passwords\n", o.host);
  print_raw("");  // nobody would find it if that were lost
  server.serve(interrupted());
  return exit_code::done;
}

}  // namespace

void add_serve(Command& c) {
  auto o = std::make_shared<ServeArguments>();
  o->model.add_to(c);
  c.option("--inputs", o->inputs, "Numbers that are the inputs, by the names of --set (default: what is uncertain)")
      .list(',')
      .type("A,B");
  c.option("--outputs", o->outputs, "Scalars, outputs, or outputs at a time (x@0.5), that are the output (default: the scalars)")
      .list(',')
      .type("A,B");
  c.option("--port", o->port, "Port (default 4242); 0 takes any that is free").whole(0, 65535).type("P");
  c.option("--host", o->host, "IPv4 address to listen on (default 127.0.0.1: this machine only)").type("ADDRESS");
  add_threads(c, o->threads);
  c.run([o] { return serve_command(*o); });
}

}  // namespace aleator::app
