#include "api/page_server.hpp"

#include <cstring>

#include "base/errors.hpp"
#include "report/page.hpp"

namespace aleator::core {
namespace {

// More than a file should have: nothing is sent over a network.
constexpr report::PageLimits view_limits{40'000'000, 60'000'000, 20'000'000, 10'000};

}  // namespace

PageServer::PageServer(const std::vector<std::string>& files)
    : in_(read_for_report(files, view_limits)),
      data_(report::page_data(in_.sources, in_.comparisons, view_limits, true)),
      page_(report::served_page_html(in_.title())) {
  server_.routes["/"] = [this](const std::string&) { return http::Answer{200, "text/html; charset=utf-8", page_}; };
  server_.routes["/data.json"] = [this](const std::string&) { return http::Answer{200, "application/json", data_.text}; };
  server_.routes["/data.bin"] = [this](const std::string&) {
    return http::Answer{200, "application/octet-stream", {data_.numbers.begin(), data_.numbers.end()}};
  };
  server_.routes["/values"] = [this](const std::string& query) { return values(query); };
}

http::Answer PageServer::values(const std::string& query) const {
  const results::StudyReader& file = *in_.files[0];
  const std::vector<std::string> outputs = file.outputs();
  const long output = http::query_number(query, "output"), time = http::query_number(query, "time");
  const long stride = data_.stride;  // the page has every so manyth time
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

}  // namespace aleator::core
