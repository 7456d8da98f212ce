// aleator view RESULTS…: serves the page on the loopback interface, with all realizations, and opens the browser.
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <system_error>

#include "api/report_input.hpp"
#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"
#include "report/page.hpp"
#include "report/server.hpp"

namespace aleator::app {
namespace {

using namespace core;

struct ViewArguments {
  std::vector<std::string> files;
  long port = 0;
  bool no_browser = false;
};

// More than a file should have: nothing is sent over a network.
constexpr report::PageLimits view_limits{40'000'000, 60'000'000, 20'000'000, 10'000};

// All realizations of an output at a time of the page, which has every `stride`-th, for the first file.
report::Answer values_answer(const results::StudyReader& file, long stride, const std::string& query) {
  const std::vector<std::string> outputs = file.outputs();
  const long output = report::query_number(query, "output"), time = report::query_number(query, "time");
  if (output < 0 || output >= long(outputs.size()) || time < 0 || time > 1'000'000'000'000 / stride)
    return {400, "text/plain; charset=utf-8", "values?output=INDEX&time=INDEX\n"};
  try {
    const std::vector<double> values = file.responses_at(outputs[std::size_t(output)], time * stride);
    std::string bytes(sizeof(double) * values.size(), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return {200, "application/octet-stream", std::move(bytes)};
  } catch (const ReadError& e) {
    return {404, "text/plain; charset=utf-8", std::string(e.what()) + "\n"};
  }
}

// On a desktop, the browser the user has chosen.
void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  std::string program = "xdg-open", argument = address;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, "xdg-open", nullptr, nullptr, arguments, environ) != 0)
    fmt::print(stderr, "note: no browser could be opened; the address above works in any\n");
}

int view_command(const ViewArguments& o) {
  const ReportInput in = read_for_report(o.files, view_limits);
  const report::PageData data = report::page_data(in.sources, in.comparisons, view_limits, true);
  const std::string page = report::served_page_html(in.title());
  report::Server server;
  server.routes["/"] = [&](const std::string&) { return report::Answer{200, "text/html; charset=utf-8", page}; };
  server.routes["/data.json"] = [&](const std::string&) { return report::Answer{200, "application/json", data.text}; };
  server.routes["/data.bin"] = [&](const std::string&) {
    return report::Answer{200, "application/octet-stream", {data.numbers.begin(), data.numbers.end()}};
  };
  server.routes["/values"] = [&](const std::string& query) { return values_answer(*in.files[0], data.stride, query); };
  int port = 0;
  try {
    port = server.listen(int(o.port));
  } catch (const std::system_error& e) {
    throw UsageError("--port", fmt::format("{} cannot be used: {}", o.port, e.code().message()));
  }
  stop_on_signal();
  const std::string address = fmt::format("http://127.0.0.1:{}/", port);
  fmt::print("{}\nserved to this machine only; Ctrl-C ends\n", address);
  std::fflush(stdout);
  if (!o.no_browser) open_browser(address);
  server.serve(interrupted());
  return exit_code::done;
}

}  // namespace

void add_view(Command& c) {
  auto o = std::make_shared<ViewArguments>();
  c.option("RESULTS", o->files, "results.h5 or nominal.h5, or their folder; more than one are compared with the first")
      .required();
  c.option("--port", o->port, "Port (default any that is free)").whole(0, 65535).type("P");
  c.flag("--no-browser", o->no_browser, "Only print the address");
  add_trust(c);
  c.run([o] { return view_command(*o); });
}

}  // namespace aleator::app
