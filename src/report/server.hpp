// A small HTTP server for one page: on the loopback interface alone, answers GET of what its table names, writes nothing.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>

namespace aleator::core::report {

struct Answer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

class Server {
 public:
  // Paths ("/", "/data.json") and what answers them; `query` is what follows the question mark.
  using Handler = std::function<Answer(const std::string& query)>;
  std::map<std::string, Handler> routes;

  Server() = default;
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Takes the port, or any free one for 0; returns it. Throws std::system_error.
  int listen(int port);
  // Until `stop`.
  void serve(const std::atomic<bool>& stop);

  // The answer to one request, as bytes to send; empty while the request is not complete.
  std::string respond(const std::string& request) const;

 private:
  int socket_ = -1, port_ = 0;
};

// A whole number of a query ("output=2&time=17"), or −1.
long query_number(const std::string& query, const std::string& key);

}  // namespace aleator::core::report
