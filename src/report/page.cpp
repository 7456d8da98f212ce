#include "report/page.hpp"

#include <fmt/format.h>

#include "report/base64.hpp"
#include "report/page_assets.hpp"
#include "report/text.hpp"

namespace aleator::core::report {
namespace {

// Only our script runs, and nothing leaves the page but, when it is served, questions to its server.
std::string head(const std::string& title, const char* connect) {
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; style-src "
      "'unsafe-inline'; img-src data: blob:; connect-src {}; base-uri 'none'; form-action 'none'\">\n",
      page_script_hash(), connect);
  out += fmt::format("<title>{}</title>\n<style>", escaped(title));
  out += page_style();
  return out + "</style>\n</head>\n<body>\n<noscript>This report needs JavaScript to be shown.</noscript>\n";
}

std::string tail() {
  std::string out = "<script>";
  out += page_script();
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace

std::string page_html(const std::string& title, const PageData& data) {
  std::string out = head(title, "'none'");
  out += "<script type=\"application/json\" id=\"page-text\">";
  out += data.text;
  out += "</script>\n<script type=\"application/octet-stream\" id=\"page-numbers\">";
  out += base64(data.numbers);
  out += "</script>\n";
  return out + tail();
}

std::string served_page_html(const std::string& title) { return head(title, "'self'") + tail(); }

}  // namespace aleator::core::report
