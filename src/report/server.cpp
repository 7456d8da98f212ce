#include "report/server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <vector>

namespace aleator::core::report {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_request = 16384, most_connections = 64;
constexpr std::size_t most_waiting = std::size_t(1) << 28;  // bytes of answers that are not fetched, beside the latest
// From the beginning to the end: a client that sends or takes a byte now and then gets no more.
constexpr auto patience_for_request = std::chrono::seconds(10), patience_for_answer = std::chrono::seconds(60);

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Internal Server Error";
  }
}

// What the page may do is in the page itself; anything else is to be looked at alone, if at all.
std::string message(const Answer& a, bool with_body) {
  const char* const policy =
      a.type.starts_with("text/html") ? "frame-ancestors 'none'" : "default-src 'none'; frame-ancestors 'none'; sandbox";
  std::string out = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "Content-Security-Policy: {}\r\nX-Frame-Options: DENY\r\nX-Content-Type-Options: nosniff\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\nReferrer-Policy: "
      "no-referrer\r\n\r\n",
      a.status, reason(a.status), a.type, a.body.size(), policy);
  if (with_body) out += a.body;
  return out;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return text;
}

// The value of a header, without blanks around it.
std::string header(const std::string& request, const std::string& name) {
  for (std::size_t line = request.find("\r\n"); line != std::string::npos; line = request.find("\r\n", line + 2)) {
    const std::size_t begin = line + 2, end = request.find("\r\n", begin);
    if (end == std::string::npos || end == begin) break;
    const std::size_t colon = request.find(':', begin);
    if (colon == std::string::npos || colon > end || lower(request.substr(begin, colon - begin)) != name) continue;
    const std::size_t first = request.find_first_not_of(" \t", colon + 1);
    return first >= end ? "" : request.substr(first, end - first);
  }
  return "";
}

// One question and its answer.
struct Connection {
  int file;
  Clock::time_point since = Clock::now();
  std::string request, answer;
  std::size_t sent = 0;

  bool is_late() const { return Clock::now() - since > (answer.empty() ? patience_for_request : patience_for_answer); }

  // Takes what has come; false when nothing more will.
  bool receive() {
    char buffer[4096];
    const ssize_t n = recv(file, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n > 0) request.append(buffer, std::size_t(n));
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
  }

  // Sends what fits; false when all is sent, or who asked has gone.
  bool send() {
    const ssize_t n = ::send(file, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) sent += std::size_t(n);
    return sent < answer.size() && (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)));
  }
};

// Answers that nobody fetches make room for others, those of the oldest connections first.
void make_room(std::vector<Connection>& all) {
  std::size_t waiting = 0;
  for (std::size_t i = all.size(); i-- > 0;) {
    if (all[i].answer.empty()) continue;
    const bool too_much = waiting > most_waiting;
    waiting += all[i].answer.size();
    if (!too_much) continue;
    close(all[i].file);
    all.erase(all.begin() + long(i));
  }
}

}  // namespace

long query_number(const std::string& query, const std::string& key) {
  for (std::size_t at = 0; at <= query.size();) {
    const std::size_t end = std::min(query.find('&', at), query.size());
    const std::string part = query.substr(at, end - at);
    if (part.starts_with(key + "=")) {
      const std::string digits = part.substr(key.size() + 1);
      const bool number = !digits.empty() && digits.size() < 16 && digits.find_first_not_of("0123456789") == std::string::npos;
      return number ? std::stol(digits) : -1;
    }
    at = end + 1;
  }
  return -1;
}

Server::~Server() {
  if (socket_ >= 0) close(socket_);
}

int Server::listen(int port) {
  const auto fail = [](const char* what) { throw std::system_error(errno, std::generic_category(), what); };
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0) fail("no socket");
  const int yes = 1;
  setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(std::uint16_t(port));
  if (bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(socket_, 16) != 0) fail("");
  socklen_t size = sizeof address;
  getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  return port_;
}

std::string Server::respond(const std::string& request) const {
  if (request.find("\r\n\r\n") == std::string::npos) {
    if (request.size() <= longest_request) return "";
    return message({400, "text/plain; charset=utf-8", "the request is too long\n"}, true);
  }
  const std::string line = request.substr(0, request.find("\r\n"));
  const std::size_t one = line.find(' '), two = line.rfind(' ');
  if (one == std::string::npos || two <= one || !line.substr(two + 1).starts_with("HTTP/1."))
    return message({400, "text/plain; charset=utf-8", "this is no HTTP request\n"}, true);
  const std::string method = line.substr(0, one), target = line.substr(one + 1, two - one - 1);
  if (method != "GET" && method != "HEAD")
    return message({405, "text/plain; charset=utf-8", "only GET and HEAD are answered\n"}, true);
  // Another site may have itself resolved to this address: it would come under its own name.
  const std::string host = header(request, "host");
  if (host != fmt::format("127.0.0.1:{}", port_) && host != fmt::format("localhost:{}", port_))
    return message({403, "text/plain; charset=utf-8", "this server answers only under its own address\n"}, method == "GET");
  // Nor may a page of another site make a browser ask on its behalf; browsers say so.
  const std::string from = header(request, "sec-fetch-site");
  if (!from.empty() && from != "same-origin" && from != "none")
    return message({403, "text/plain; charset=utf-8", "this server answers only requests of its own report\n"}, method == "GET");
  const std::size_t question = target.find('?');
  const auto route = routes.find(target.substr(0, question));
  if (route == routes.end()) return message({404, "text/plain; charset=utf-8", "there is nothing here\n"}, method == "GET");
  try {
    return message(route->second(question == std::string::npos ? "" : target.substr(question + 1)), method == "GET");
  } catch (const std::exception& e) {
    return message({500, "text/plain; charset=utf-8", std::string(e.what()) + "\n"}, method == "GET");
  }
}

void Server::serve(const std::atomic<bool>& stop) {
  std::vector<Connection> all;
  while (!stop) {
    make_room(all);
    std::vector<pollfd> files = {{socket_, POLLIN, 0}};
    for (const Connection& c : all) files.push_back({c.file, short(c.answer.empty() ? POLLIN : POLLOUT), 0});
    poll(files.data(), files.size(), 200);
    for (std::size_t i = all.size(); i-- > 0;) {
      Connection& c = all[i];
      bool goes_on = true;
      if (files[i + 1].revents != 0 && !c.answer.empty()) {
        goes_on = c.send();
      } else if (files[i + 1].revents != 0) {
        goes_on = c.receive();
        c.answer = respond(c.request);
        if (!c.answer.empty()) c.since = Clock::now(), goes_on = true;
      }
      if (goes_on && !c.is_late()) continue;
      close(c.file);
      all.erase(all.begin() + long(i));
    }
    if (!(files[0].revents & POLLIN)) continue;
    const int file = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (file < 0) continue;
    if (all.size() == most_connections) {  // who has been there longest makes room
      close(all.front().file);
      all.erase(all.begin());
    }
    all.push_back({file});
  }
  for (const Connection& c : all) close(c.file);
}

}  // namespace aleator::core::report
