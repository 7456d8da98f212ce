#include "base/http_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace aleator::core::http {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_head = 16384;
constexpr std::size_t most_waiting = std::size_t(1) << 28;  // bytes of answers that are not fetched, beside the latest
// From the beginning to the end: a client that sends or takes a byte now and then gets no more.
// Requests with a body have a second more for every megabyte.
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
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 503:
      return "Service Unavailable";
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

std::string lower_word(const std::string& line) { return lower(line.substr(0, line.find_first_of(" ;,"))); }

}  // namespace

// Answers that came from other threads, and a pipe that wakes the one that sends them.
struct Server::Inbox {
  std::mutex mutex;
  std::vector<std::pair<std::size_t, Answer>> answers;  // with the number of their connection
  int pipe[2] = {-1, -1};

  Inbox() {
    if (pipe2(pipe, O_CLOEXEC | O_NONBLOCK) != 0) throw std::system_error(errno, std::generic_category(), "no pipe");
  }
  ~Inbox() { close(pipe[0]), close(pipe[1]); }
  void put(std::size_t connection, Answer answer) {
    const std::lock_guard lock(mutex);
    answers.emplace_back(connection, std::move(answer));
    const char byte = 0;
    [[maybe_unused]] const ssize_t written = write(pipe[1], &byte, 1);
  }
  std::vector<std::pair<std::size_t, Answer>> take() {
    const std::lock_guard lock(mutex);
    char bytes[256];
    while (read(pipe[0], bytes, sizeof bytes) > 0) continue;
    return std::exchange(answers, {});
  }
};

// One question and its answer.
struct Server::Connection {
  int file;
  std::size_t number = 0;
  Clock::time_point since = Clock::now();
  std::string request, answer;
  std::size_t sent = 0;
  std::size_t expected = 0;  // bytes of the whole request, when its head is known
  bool waits = false;        // for an answer from elsewhere
  bool answered = false;     // all is said; what it still sends is taken and dropped

  bool is_late() const {
    if (waits) return false;
    const bool asks = answer.empty() && !answered;
    const auto patience = asks ? patience_for_request + std::chrono::seconds(expected >> 20) : patience_for_answer;
    return Clock::now() - since > patience;
  }

  // Takes what has come; false when nothing more will.
  bool receive() {
    char buffer[65536];
    const ssize_t n = recv(file, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n > 0 && !waits && !answered) request.append(buffer, std::size_t(n));
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
  }

  // Sends what fits; false when all is sent, or who asked has gone.
  bool send() {
    const ssize_t n = ::send(file, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) sent += std::size_t(n);
    return sent < answer.size() && (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)));
  }

  // The answer is out. Whoever is still sending would get a reset from a closed connection, perhaps before the answer was read; so
  // the end is the client's to make, as long as there is time and room.
  bool linger() {
    answered = true;
    answer.clear(), answer.shrink_to_fit();
    request.clear(), request.shrink_to_fit();
    return shutdown(file, SHUT_WR) == 0;
  }

  bool sends() const { return !answer.empty(); }
  short events() const { return short(sends() ? POLLOUT : POLLIN); }
};

// What the head of a request asks for, or why it is refused.
struct Server::Head {
  bool complete = false;
  std::size_t body = 0;  // where it begins
  std::string method, path, query;
  int status = 0;  // 0: nothing is wrong
  std::string why;
};

namespace {

// Answers that nobody fetches make room for others, those of the oldest connections first.
template <class Connection>
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

Server::Server() : inbox_(std::make_shared<Inbox>()) {}

Server::~Server() {
  if (socket_ >= 0) close(socket_);
}

int Server::listen(int port, const std::string& host) {
  const auto fail = [](const char* what) { throw std::system_error(errno, std::generic_category(), what); };
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(std::uint16_t(port));
  if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1)
    throw std::invalid_argument(fmt::format("'{}' is no IPv4 address such as 127.0.0.1 or 0.0.0.0", host));
  loopback_ = address.sin_addr.s_addr == htonl(INADDR_LOOPBACK);
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0) fail("no socket");
  const int yes = 1;
  setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(socket_, 128) != 0) fail("");
  socklen_t size = sizeof address;
  getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  return port_;
}

std::string Server::refuse(int status, const std::string& why, bool with_body) const {
  return message(refusal ? refusal(status, why) : Answer{status, "text/plain; charset=utf-8", why + "\n"}, with_body);
}

Server::Head Server::head_of(const std::string& request) const {
  Head h;
  const auto wrong = [&](int status, const std::string& why) {
    h.complete = true, h.status = status, h.why = why;
    return h;
  };
  const std::size_t end = request.find("\r\n\r\n");
  if (end == std::string::npos || end > longest_head)
    return request.size() <= longest_head ? h : wrong(400, "the request is too long");
  h.complete = true;
  h.body = end + 4;
  const std::string line = request.substr(0, request.find("\r\n"));
  const std::size_t one = line.find(' '), two = line.rfind(' ');
  if (one == std::string::npos || two <= one || !line.substr(two + 1).starts_with("HTTP/1."))
    return wrong(400, "this is no HTTP request");
  const std::string target = line.substr(one + 1, two - one - 1);
  h.method = line.substr(0, one);
  const bool receives = !receivers.empty();
  if (h.method != "GET" && h.method != "HEAD" && !(receives && h.method == "POST"))
    return wrong(405, receives ? "only GET, HEAD and POST are answered" : "only GET and HEAD are answered");
  // Another site may have itself resolved to this address: it would come under its own name.
  const std::string host = header(request, "host");
  if (loopback_ && host != fmt::format("127.0.0.1:{}", port_) && host != fmt::format("localhost:{}", port_))
    return wrong(403, "this server answers only under its own address");
  // Nor may a page of another site make a browser ask on its behalf; browsers say so.
  const std::string from = header(request, "sec-fetch-site");
  if (!from.empty() && from != "same-origin" && from != "none")
    return wrong(
        403, receives ? "this server answers no pages of other sites" : "this server answers only requests of its own report");
  const std::size_t question = target.find('?');
  h.path = target.substr(0, question);
  if (question != std::string::npos) h.query = target.substr(question + 1);
  return h;
}

std::string Server::respond(const std::string& request) const {
  const Head h = head_of(request);
  if (!h.complete) return "";
  const bool with_body = h.method != "HEAD";
  if (h.status != 0) return refuse(h.status, h.why, with_body);
  const auto route = routes.find(h.path);
  if (h.method == "POST") {
    if (receivers.contains(h.path)) return "";
    return route == routes.end() ? refuse(404, "there is nothing here") : refuse(405, "only GET and HEAD are answered here");
  }
  if (route == routes.end())
    return receivers.contains(h.path) ? refuse(405, "only POST is answered here", with_body)
                                      : refuse(404, "there is nothing here", with_body);
  try {
    return message(route->second(h.query), with_body);
  } catch (const std::exception& e) {
    return refuse(500, e.what(), with_body);
  }
}

// Answers, or hands over, what has come; nothing while the request is not complete.
void Server::received(Connection& c) {
  if (c.expected == 0) {
    c.answer = respond(c.request);
    if (!c.answer.empty()) return;
    const Head h = head_of(c.request);
    if (!h.complete) return;
    const std::string length = header(c.request, "content-length");
    if (length.empty() || !header(c.request, "transfer-encoding").empty()) {
      c.answer = refuse(411, "a request with a body must say its length (Content-Length)");
      return;
    }
    if (length.size() > 15 || length.find_first_not_of("0123456789") != std::string::npos) {
      c.answer = refuse(400, "Content-Length is no number");
      return;
    }
    if (std::stoull(length) > longest_body) {
      c.answer = refuse(413, fmt::format("the request has {} bytes, and at most {} are taken", length, longest_body));
      return;
    }
    c.expected = h.body + std::stoull(length);
    if (c.request.size() < c.expected && lower_word(header(c.request, "expect")) == "100-continue") {
      const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
      ::send(c.file, go_on.data(), go_on.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
  }
  if (c.request.size() < c.expected) return;
  const Head h = head_of(c.request);
  c.waits = true;
  const std::weak_ptr<Inbox> inbox = inbox_;
  const Reply reply = [inbox, number = c.number](Answer answer) {
    if (const auto to = inbox.lock()) to->put(number, std::move(answer));
  };
  try {
    receivers.at(h.path)(c.request.substr(h.body, c.expected - h.body), reply);
  } catch (const std::exception& e) {
    c.waits = false;
    c.answer = refuse(500, e.what());
  }
  c.request.clear(), c.request.shrink_to_fit();
}

void Server::take_answers(std::vector<Connection>& all) {
  for (auto& [number, answer] : inbox_->take())
    for (Connection& c : all)
      if (c.number == number && c.waits) {
        c.answer = message(answer, true);
        c.waits = false;
        c.since = Clock::now();
      }
}

// Who has been there longest makes room for a new one, those with an answer before all others, but nobody who waits for an answer
// that is being computed.
bool Server::make_place(std::vector<Connection>& all) const {
  if (all.size() < most_connections) return true;
  auto oldest = std::find_if(all.begin(), all.end(), [](const Connection& c) { return c.answered; });
  if (oldest == all.end()) oldest = std::find_if(all.begin(), all.end(), [](const Connection& c) { return !c.waits; });
  if (oldest == all.end()) return false;
  close(oldest->file);
  all.erase(oldest);
  return true;
}

void Server::serve(const std::atomic<bool>& stop) {
  std::vector<Connection> all;
  while (!stop) {
    make_room(all);
    const bool full =
        all.size() >= most_connections && std::all_of(all.begin(), all.end(), [](const Connection& c) { return c.waits; });
    std::vector<pollfd> files = {{full ? -1 : socket_, POLLIN, 0}, {inbox_->pipe[0], POLLIN, 0}};
    for (const Connection& c : all) files.push_back({c.file, c.events(), 0});
    poll(files.data(), files.size(), 200);
    for (std::size_t i = all.size(); i-- > 0;) {
      Connection& c = all[i];
      bool goes_on = true;
      if (files[i + 2].revents != 0 && c.sends()) {
        goes_on = c.send() || (c.sent == c.answer.size() && c.linger());
      } else if (files[i + 2].revents != 0) {
        goes_on = c.receive();
        if (!c.waits && !c.answered) received(c);
        if (c.sends()) c.since = Clock::now(), goes_on = true;
      }
      if (goes_on && !c.is_late()) continue;
      close(c.file);
      all.erase(all.begin() + long(i));
    }
    take_answers(all);
    if (!(files[0].revents & POLLIN) || !make_place(all)) continue;
    const int file = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (file >= 0) all.push_back({file, ++connections_});
  }
  for (const Connection& c : all) close(c.file);
}

}  // namespace aleator::core::http
