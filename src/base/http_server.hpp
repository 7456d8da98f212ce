// A small HTTP server: answers GET of what its table names, and POST where something takes it; writes nothing. On the loopback
// interface, unless another address is given.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace aleator::core::http {

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
  // What is sent to paths. The answer may be given later, from any thread, once; it is dropped when nobody waits for it any more.
  using Reply = std::function<void(Answer)>;
  using Receiver = std::function<void(std::string body, Reply reply)>;
  std::map<std::string, Receiver> receivers;
  // What is answered to requests that no route and no receiver takes, in the place of plain text.
  std::function<Answer(int status, const std::string& why)> refusal;

  std::size_t longest_body = 0;  // bytes of what is sent
  std::size_t most_connections = 64;

  Server();
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Takes the port, or any free one for 0; returns it. `host` is an IPv4 address of this machine; requests are only answered under
  // the address itself where it is the loopback interface. Throws std::system_error, std::invalid_argument for what is no address.
  int listen(int port, const std::string& host = "127.0.0.1");
  // Until `stop`.
  void serve(const std::atomic<bool>& stop);

  // The answer to one GET, as bytes to send; empty while the request is not complete, or something else is to answer it.
  std::string respond(const std::string& request) const;

 private:
  struct Inbox;
  struct Connection;
  struct Head;
  Head head_of(const std::string& request) const;
  void received(Connection& c);
  void take_answers(std::vector<Connection>& all);
  bool make_place(std::vector<Connection>& all) const;
  std::string refuse(int status, const std::string& why, bool with_body = true) const;

  int socket_ = -1, port_ = 0;
  bool loopback_ = true;
  std::shared_ptr<Inbox> inbox_;
  std::size_t connections_ = 0;  // so far: their numbers
};

// A whole number of a query ("output=2&time=17"), or −1.
long query_number(const std::string& query, const std::string& key);

}  // namespace aleator::core::http
