#include "report/page.hpp"

#include <fmt/format.h>

#include "base/base64.hpp"
#include "report/page_assets.hpp"
#include "report/text.hpp"

namespace aleator::core::report {
namespace {

// A density with a band under it, in the colour of the page's links.
constexpr char icon[] =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath d='M11 26V14q5-16 10 0v12z' "
    "fill='%230b5cad' fill-opacity='.3'/%3E%3Cpath d='M2 26c10 0 8-21 14-21s4 21 14 21' fill='none' stroke='%230b5cad' "
    "stroke-width='3' stroke-linecap='round'/%3E%3C/svg%3E";

// Only our script runs, and nothing leaves the page but, when it is served, questions to its server.
std::string head(const std::string& title, const char* connect) {
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; style-src "
      "'unsafe-inline'; img-src data: blob:; connect-src {}; base-uri 'none'; form-action 'none'\">\n",
      page_script_hash(), connect);
  out += fmt::format("<title>{} – Aleator</title>\n<link rel=\"icon\" href=\"{}\">\n<style>", escaped(title), icon);
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
