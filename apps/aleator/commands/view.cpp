// aleator view RESULTS…: serves the page on the loopback interface, with all realizations, and opens the browser.
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "api/page_server.hpp"
#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"

namespace aleator::app {
namespace {

struct ViewArguments {
  std::vector<std::string> files;
  long port = 0;
  bool no_browser = false;
};

// On a desktop, the browser the user has chosen.
void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  std::string program = "xdg-open", argument = address;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, "xdg-open", nullptr, nullptr, arguments, environ) != 0)
    say(stderr, "note: no browser could be opened; the address above works in any\n");
}

int view_command(const ViewArguments& o) {
  core::PageServer server(o.files);
  int port = 0;
  try {
    port = server.listen(int(o.port));
  } catch (const std::system_error& e) {
    throw UsageError("--port", fmt::format("{} cannot be used: {}", o.port, e.code().message()));
  }
  stop_on_signal();
  const std::string address = fmt::format("http://127.0.0.1:{}/", port);
  print_raw(address + "\nserved to this machine only; Ctrl-C ends\n");  // lost, nobody would find it
  if (!o.no_browser) open_browser(address);
  server.serve(interrupted());
  return exit_code::done;
}

}  // namespace

void add_view(Command& c) {
  auto o = std::make_shared<ViewArguments>();
  c.option("RESULTS", o->files, "results.h5 or nominal.h5, or their folder; of several the first is the reference").required();
  c.option("--port", o->port, "Port (default any that is free)").whole(0, 65535).type("P");
  c.flag("--no-browser", o->no_browser, "Only print the address");
  add_trust(c);
  c.run([o] { return view_command(*o); });
}

}  // namespace aleator::app
