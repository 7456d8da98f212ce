// Serves the page of some results to this machine, with all realizations, which a file on disk would be too large for.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "api/report_input.hpp"
#include "base/http_server.hpp"

namespace aleator::core {

class PageServer {
 public:
  explicit PageServer(const std::vector<std::string>& files);  // throws ReadError

  int listen(int port) { return server_.listen(port); }  // 0: any that is free; returns it. Throws std::system_error
  void serve(const std::atomic<bool>& stop) { server_.serve(stop); }

 private:
  // All realizations of an output at a time of the page, of the first file.
  http::Answer values(const std::string& query) const;

  const ReportInput in_;
  const report::PageData data_;
  const std::string page_;
  http::Server server_;
};

}  // namespace aleator::core
