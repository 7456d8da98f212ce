// The server of `view` and `serve`: answers what it has, to those who ask under its own address.
#include "base/http_server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>
#include <vector>

namespace aleator::core::http {
namespace ALEATOR_FILE {

struct Served {
  Server server;
  int port = 0;

  Served() {
    server.routes["/"] = [](const std::string&) { return Answer{200, "text/html", "page"}; };
    server.routes["/values"] = [](const std::string& query) { return Answer{200, "text/plain", query}; };
    server.routes["/broken"] = [](const std::string&) -> Answer { throw std::runtime_error("it broke"); };
    port = server.listen(0);
  }
  std::string ask(const std::string& line, std::string host = "") const {
    if (host.empty()) host = "127.0.0.1:" + std::to_string(port);
    return server.respond(line + "\r\nAccept: */*\r\nHost: " + host + "\r\n\r\n");
  }
};

std::string status(const std::string& answer) { return answer.substr(0, 12); }

TEST(Server, answers_its_routes) {
  const Served s;
  EXPECT_GT(s.port, 1023);
  const std::string page = s.ask("GET / HTTP/1.1");
  EXPECT_EQ(status(page), "HTTP/1.1 200");
  EXPECT_TRUE(page.ends_with("\r\n\r\npage")) << page;
  EXPECT_NE(page.find("Content-Length: 4\r\n"), std::string::npos);
  EXPECT_TRUE(s.ask("HEAD / HTTP/1.1").ends_with("\r\n\r\n"));
  EXPECT_TRUE(s.ask("GET /values?output=1&time=2 HTTP/1.1").ends_with("\r\n\r\noutput=1&time=2"));
  EXPECT_EQ(status(s.ask("GET / HTTP/1.1", "localhost:" + std::to_string(s.port))), "HTTP/1.1 200");
}

TEST(Server, refuses_everything_else) {
  const Served s;
  EXPECT_EQ(status(s.ask("GET /../../etc/passwd HTTP/1.1")), "HTTP/1.1 404");
  EXPECT_EQ(status(s.ask("GET //etc/passwd HTTP/1.1")), "HTTP/1.1 404");
  EXPECT_EQ(status(s.ask("GET http://127.0.0.1/ HTTP/1.1")), "HTTP/1.1 404");
  EXPECT_EQ(status(s.ask("POST / HTTP/1.1")), "HTTP/1.1 405");
  EXPECT_EQ(status(s.ask("GET / HTTP/1.1", "evil.example")), "HTTP/1.1 403");
  EXPECT_EQ(status(s.server.respond("GET / HTTP/1.1\r\n\r\n")), "HTTP/1.1 403");  // without a host
  EXPECT_EQ(status(s.ask("nonsense")), "HTTP/1.1 400");
  EXPECT_EQ(status(s.ask("")), "HTTP/1.1 400");
  EXPECT_EQ(status(s.ask("GET /broken HTTP/1.1")), "HTTP/1.1 500");
}

TEST(Server, waits_for_the_end_of_a_request_but_not_for_ever) {
  const Served s;
  EXPECT_EQ(s.server.respond("GET / HTTP/1.1\r\nHost: a"), "");
  EXPECT_EQ(status(s.server.respond(std::string(20000, 'x'))), "HTTP/1.1 400");
}

TEST(Server, has_no_files_whatever_the_path) {
  const Served s;
  const std::string nul("/\0", 2), paths[] = {"/..",
                                              "/../",
                                              "/%2e%2e/%2e%2e/etc/passwd",
                                              "/..%2f..%2fetc/passwd",
                                              "/./",
                                              "//",
                                              "/etc/passwd",
                                              "etc/passwd",
                                              "",
                                              "*",
                                              "/values/../../etc/passwd",
                                              "/proc/self/environ",
                                              "\\\\server\\share",
                                              "/data.json%00.html",
                                              nul,
                                              "file:///etc/passwd",
                                              "/" + std::string(10000, 'a')};
  for (const std::string& path : paths) {
    const std::string answer = s.ask("GET " + path + " HTTP/1.1");
    EXPECT_TRUE(status(answer) == "HTTP/1.1 404" || status(answer) == "HTTP/1.1 400") << path << answer.substr(0, 40);
    EXPECT_EQ(answer.find("root:"), std::string::npos);
  }
}

TEST(Server, answers_its_own_page_alone) {
  const Served s;
  const std::string own = "127.0.0.1:" + std::to_string(s.port);
  const auto from = [&](const std::string& site) { return status(s.ask("GET / HTTP/1.1\r\nSec-Fetch-Site: " + site)); };
  EXPECT_EQ(from("same-origin"), "HTTP/1.1 200");
  EXPECT_EQ(from("none"), "HTTP/1.1 200");  // typed, or a bookmark
  EXPECT_EQ(from("cross-site"), "HTTP/1.1 403");
  EXPECT_EQ(from("same-site"), "HTTP/1.1 403");
  for (const std::string& host :
       {own + ".evil.example", "evil.example:" + std::to_string(s.port), std::string("127.0.0.1"),
        "127.0.0.1:" + std::to_string(s.port + 1), own + "@evil.example", "[::1]:" + std::to_string(s.port)})
    EXPECT_EQ(status(s.ask("GET / HTTP/1.1", host)), "HTTP/1.1 403") << host;
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "GETT"})
    EXPECT_EQ(status(s.ask(std::string(method) + " / HTTP/1.1")), "HTTP/1.1 405") << method;
}

TEST(Server, says_to_browsers_what_they_may_do) {
  const Served s;
  for (const char* line : {"GET / HTTP/1.1", "GET /values HTTP/1.1", "GET /none HTTP/1.1", "POST / HTTP/1.1"}) {
    const std::string answer = s.ask(line);
    for (const char* header :
         {"\r\nX-Content-Type-Options: nosniff\r\n", "\r\nX-Frame-Options: DENY\r\n", "frame-ancestors 'none'",
          "\r\nCross-Origin-Resource-Policy: same-origin\r\n", "\r\nCache-Control: no-store\r\n"})
      EXPECT_NE(answer.find(header), std::string::npos) << line << header;
    EXPECT_EQ(answer.find("Access-Control"), std::string::npos);
  }
  EXPECT_NE(s.ask("GET /values HTTP/1.1").find("default-src 'none'; frame-ancestors 'none'; sandbox"), std::string::npos);
}

// Bytes as they come, and requests with a few bytes changed: an answer or none, in no time.
TEST(Server, answers_nonsense) {
  const Served s;
  const std::string right =
      "GET /values?output=1&time=2 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(s.port) + "\r\nAccept: */*\r\n\r\n";
  std::mt19937 random(1);
  for (int k = 0; k < 20000; ++k) {
    std::string wrong = k % 2 ? right : std::string(random() % 200, ' ');
    if (k % 2 == 0)
      for (char& c : wrong) c = char(random());
    for (unsigned i = random() % 6; i-- > 0 && !wrong.empty();) {
      const std::size_t at = random() % wrong.size();
      if (const unsigned how = random() % 3; how == 0)
        wrong[at] = char(random());
      else if (how == 1)
        wrong.erase(at, random() % 8);
      else
        wrong.insert(at, wrong.substr(random() % wrong.size(), random() % 8));
    }
    const std::string answer = s.server.respond(wrong);
    EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 ")) << wrong;
  }
}

// A client of its own, with a socket.
class Client {
 public:
  Client(const std::string& address, int port) : file_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(std::uint16_t(port));
    inet_pton(AF_INET, address.c_str(), &to.sin_addr);
    const timeval patience{60, 0};
    setsockopt(file_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(file_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    connected = connect(file_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  }
  ~Client() { close(file_); }
  Client(const Client&) = delete;

  void say(const std::string& text) const {
    EXPECT_EQ(send(file_, text.data(), text.size(), MSG_NOSIGNAL), ssize_t(text.size()));
  }
  std::string hear() const {
    std::string all;
    char buffer[65536];
    for (ssize_t n; (n = recv(file_, buffer, sizeof buffer, 0)) > 0;) all.append(buffer, std::size_t(n));
    return all;
  }
  bool connected = false;

 private:
  int file_;
};

struct Running : Served {
  std::atomic<bool> stop = false;
  std::thread thread;
  Running() {
    server.routes["/large"] = [](const std::string&) { return Answer{200, "text/plain", std::string(10'000'000, 'x')}; };
    thread = std::thread([this] { server.serve(stop); });
  }
  ~Running() {
    stop = true;
    thread.join();
  }
  std::string request(const std::string& path) const {
    return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n";
  }
};

TEST(Server, listens_on_the_loopback_interface_alone) {
  const Running s;
  EXPECT_TRUE(Client("127.0.0.1", s.port).connected);
  EXPECT_FALSE(Client("127.0.0.2", s.port).connected);
  ifaddrs* all = nullptr;
  ASSERT_EQ(getifaddrs(&all), 0);
  for (const ifaddrs* i = all; i; i = i->ifa_next) {
    if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
    char text[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr, text, sizeof text);
    if (text == std::string("127.0.0.1")) continue;
    EXPECT_FALSE(Client(text, s.port).connected) << text;
  }
  freeifaddrs(all);
}

// Clients that say nothing, say it slowly, or do not listen; more of them than connections are kept.
TEST(Server, is_not_stopped_by_slow_clients) {
  const Running s;
  std::vector<std::unique_ptr<Client>> slow;
  for (int k = 0; k < 100; ++k) {
    slow.push_back(std::make_unique<Client>("127.0.0.1", s.port));
    if (k % 3 == 1) slow.back()->say("GET / HT");
    if (k % 3 == 2) slow.back()->say(s.request("/large"));
  }
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < 5; ++k) {
    const Client quick("127.0.0.1", s.port);
    quick.say(s.request("/"));
    EXPECT_TRUE(quick.hear().ends_with("page"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin,
            std::chrono::seconds(30));  // those before would hold up each of them for ten seconds
}

TEST(Server, sends_large_answers_whole) {
  const Running s;
  const Client client("127.0.0.1", s.port);
  client.say(s.request("/large"));
  const std::string answer = client.hear();
  EXPECT_EQ(answer.size() - answer.find("\r\n\r\n") - 4, 10'000'000u);
}

// Answers that come later, from another thread, and what is sent in pieces.
struct Receiving : Served {
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  std::thread thread;
  Receiving() {
    server.longest_body = 100000;
    server.receivers["/echo"] = [this](const std::string& body, const Server::Reply& reply) {
      threads.emplace_back([body, reply] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        reply({200, "text/plain", body});
      });
    };
    server.receivers["/broken"] = [](const std::string&, const Server::Reply&) { throw std::runtime_error("it broke"); };
    thread = std::thread([this] { server.serve(stop); });
  }
  ~Receiving() {
    stop = true;
    thread.join();
    for (std::thread& t : threads) t.join();
  }
  std::string head(const std::string& path, const std::string& headers) const {
    return "POST " + path + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port) + "\r\n" + headers + "\r\n";
  }
  std::string post(const std::string& path, const std::string& headers, const std::string& body) const {
    const Client client("127.0.0.1", port);
    client.say(head(path, headers) + body);
    return client.hear();
  }
};

TEST(Server, receives_and_answers_later) {
  const Receiving s;
  EXPECT_TRUE(s.post("/echo", "Content-Length: 5\r\n", "hello").ends_with("\r\n\r\nhello"));
  EXPECT_TRUE(s.post("/echo", "content-length: 0\r\n", "").ends_with("\r\n\r\n"));
  const Client client("127.0.0.1", s.port), gone("127.0.0.1", s.port);
  client.say(s.head("/echo", "Expect: 100-continue\r\nContent-Length: 6\r\n"));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  client.say("abc");
  gone.say(s.head("/echo", "Content-Length: 3\r\n") + "xyz");  // and does not listen
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  client.say("def");
  const std::string answer = client.hear();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200")) << answer;
  EXPECT_TRUE(answer.ends_with("abcdef"));
}

TEST(Server, refuses_what_it_does_not_want_to_receive) {
  const Receiving s;
  EXPECT_EQ(status(s.post("/echo", "Content-Length: 100001\r\n", "")), "HTTP/1.1 413");
  EXPECT_EQ(status(s.post("/echo", "Content-Length: 99999999999999999999\r\n", "")), "HTTP/1.1 400");
  EXPECT_EQ(status(s.post("/echo", "Content-Length: -1\r\n", "")), "HTTP/1.1 400");
  EXPECT_EQ(status(s.post("/echo", "", "")), "HTTP/1.1 411");
  EXPECT_EQ(status(s.post("/echo", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "")), "HTTP/1.1 411");
  EXPECT_EQ(status(s.post("/broken", "Content-Length: 1\r\n", "x")), "HTTP/1.1 500");
  EXPECT_EQ(status(s.post("/nothing", "Content-Length: 1\r\n", "x")), "HTTP/1.1 404");
  EXPECT_EQ(status(s.post("/values", "Content-Length: 1\r\n", "x")), "HTTP/1.1 405");
  EXPECT_EQ(status(s.ask("GET /echo HTTP/1.1")), "HTTP/1.1 405");
  EXPECT_EQ(status(s.post("/echo", "Sec-Fetch-Site: cross-site\r\nContent-Length: 1\r\n", "x")), "HTTP/1.1 403");
}

// What is refused before all of it was read: the client sends on for a while, undisturbed, and then reads why.
TEST(Server, lets_refused_clients_finish_sending) {
  const Receiving s;
  const std::string chunked = "Transfer-Encoding: chunked\r\n", hundred = "Content-Length: 100\r\n";
  const std::pair<std::string, std::string> refused[] = {
      {"411", s.head("/echo", chunked)},
      {"404", s.head("/nothing", hundred)},
      {"405", s.head("/values", hundred)},
      {"403", s.head("/echo", "Sec-Fetch-Site: cross-site\r\n" + hundred)},
      {"400", s.head("/echo", "Content-Length: many\r\n")},
      {"413", s.head("/echo", "Content-Length: 100001\r\n")},
      {"400", std::string(20000, 'x')},
      {"200", "GET / HTTP/1.1\r\nHost: localhost:" + std::to_string(s.port) + "\r\n" + hundred + "\r\n"},
  };
  std::vector<std::unique_ptr<Client>> clients;
  for (const auto& [answer, head] : refused) {
    clients.push_back(std::make_unique<Client>("127.0.0.1", s.port));
    clients.back()->say(head);
  }
  // A connection that was closed answers the first piece with a reset, which the second one meets.
  for (int piece = 0; piece < 4; ++piece) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (const auto& client : clients) client->say(std::string(25, 'x'));
  }
  for (std::size_t k = 0; k < clients.size(); ++k)
    EXPECT_EQ(status(clients[k]->hear()), "HTTP/1.1 " + refused[k].first) << refused[k].second.substr(0, 80);
}

// Those who only go on sending are the first to make room.
TEST(Server, keeps_nobody_out_for_refused_clients) {
  const Receiving s;
  std::vector<std::unique_ptr<Client>> refused;
  const Client patient("127.0.0.1", s.port);
  patient.say(s.head("/echo", "Content-Length: 6\r\n") + "abc");
  for (int k = 0; k < 100; ++k) {
    refused.push_back(std::make_unique<Client>("127.0.0.1", s.port));
    refused.back()->say(s.head("/nothing", "Content-Length: 100\r\n"));
    EXPECT_EQ(status(refused.back()->hear()), "HTTP/1.1 404");
  }
  patient.say("def");
  EXPECT_TRUE(patient.hear().ends_with("abcdef"));
}

TEST(Server, numbers_of_queries) {
  EXPECT_EQ(query_number("output=2&time=17", "output"), 2);
  EXPECT_EQ(query_number("output=2&time=17", "time"), 17);
  for (const char* bad : {"", "time", "time=", "time=-1", "time=1e3", "time=99999999999999999999", "xtime=3"})
    EXPECT_EQ(query_number(bad, "time"), -1) << bad;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::http
