// The server of `view`: answers what it has, to those who ask under its own address.
#include "report/server.hpp"

#include <gtest/gtest.h>

namespace aleator::report {
namespace {

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

TEST(Server, numbers_of_queries) {
  EXPECT_EQ(query_number("output=2&time=17", "output"), 2);
  EXPECT_EQ(query_number("output=2&time=17", "time"), 17);
  for (const char* bad : {"", "time", "time=", "time=-1", "time=1e3", "time=99999999999999999999", "xtime=3"})
    EXPECT_EQ(query_number(bad, "time"), -1) << bad;
}

}  // namespace
}  // namespace aleator::report
