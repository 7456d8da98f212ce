// What the fuzz targets of results files and of the server of `view` feed bytes to, as entry.hpp has it for models.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/checksum.hpp"
#include "base/errors.hpp"
#include "base/http_server.hpp"
#include "report/gltf.hpp"
#include "report/page_data.hpp"
#include "report/read_motion.hpp"
#include "report/study_figures.hpp"
#include "report/svg_figure.hpp"
#include "report/vtk.hpp"
#include "results/identification.hpp"
#include "results/journal.hpp"
#include "results/read.hpp"
#include "results/trailer.hpp"
#include "results/write.hpp"
#include "support/full_study.hpp"
#include "support/in_memory_file.hpp"
#include "support/results_mutation.hpp"
#include "support/sealed_file.hpp"

namespace aleator::core::fuzz {

using Bytes = std::span<const unsigned char>;
inline Bytes as_bytes(std::string_view text) { return {reinterpret_cast<const unsigned char*>(text.data()), text.size()}; }

// Everything the report makes of a file; what cannot be made says why.
inline void read_all(const std::string& path) {
  const auto attempt = [](const auto& read) {
    try {
      read();
    } catch (const results::ReadError&) {
    }
  };
  attempt([&] {
    const results::StudyReader file(path, results::StudyReader::Accept::any);
    const report::Source source{&file, "fuzz"};
    const std::span<const report::Source> one(&source, 1);
    attempt([&] { report::page_data({{&file, "fuzz", {}}}, {}, {}, true); });
    attempt([&] {
      const results::Run run = report::read_motion(file, file.has("/motion/realizations") ? 1 : report::nominal);
      if (run.time.empty()) return;
      const report::Playback p{report::key_frames(run.time.size(), 3), report::comfortable_speed(run.time.back())};
      report::gltf(run, p, "fuzz", report::Up::z, report::Gltf::binary);
      report::vtk_frame(run, 0);
    });
    const auto draw = [&](const auto& make) {
      attempt([&] {
        if (const std::vector<std::string> names = file.outputs(); !names.empty()) report::svg_text(make(names), {});
      });
    };
    draw([&](const auto& names) { return report::response_figure(one, names, {.realizations = 2}); });
    draw([&](const auto& names) { return report::shares_figure(source, names, {}); });
    draw([&](const auto& names) { return report::correlations_figure(source, names, {}); });
    draw([&](const auto& names) { return report::convergence_figure(one, names); });
    draw([&](const auto& names) {
      return report::distribution_figure(one, report::scattering(one, names, NAN), NAN, [](const std::vector<double>& x) {
        return report::Density{{x.front(), x.back()}, {1, 1}};
      });
    });
    draw([&](const auto&) { return report::profile_figure(source, report::with_profiles(file)); });
    draw([&](const auto&) { return report::measured_figure(source, report::measured_outputs(file), {}); });
  });
}

// A valid file with mistakes, which the bytes describe, and a right checksum.
inline void results(std::string_view bytes) {
  static const std::vector<unsigned char> valid = [] {
    const test::FullStudy study;
    const test::InMemoryFile file;
    results::write_study(file.path(), study.result, study.provenance);
    return test::unsealed(file.path());
  }();
  test::Choices choices(as_bytes(bytes));
  std::string what;
  const std::vector<unsigned char> wrong = test::mutated(valid, choices, what);
  const test::InMemoryFile file;
  file.add(wrong);
  file.add(results::trailer_of(wrong));
  read_all(file.path());
}

// Any bytes as a file: refused before HDF5 sees them, or with a checksum that is right.
inline void trailer(std::string_view bytes) {
  const test::InMemoryFile file;
  file.add(as_bytes(bytes));
  try {
    results::open_checked(file.path(), false);
  } catch (const results::ReadError&) {
    return;
  }
  const Bytes all = as_bytes(bytes);
  const auto right = results::trailer_of(all.first(all.size() - results::trailer_size));
  if (std::memcmp(right.data(), all.data() + all.size() - right.size(), right.size()) != 0) __builtin_trap();
}

// Any bytes as a journal; and as records of one, cut at line ends, with right checksums.
inline void journal(std::string_view bytes) {
  const auto read = [](std::string_view text) {
    const test::InMemoryFile file;
    file.add(as_bytes(text));
    try {
      results::Journal::read(file.path(), [](results::JournalRecord&&) {});
    } catch (const WriteError&) {
    }
  };
  read(bytes);
  std::string records = "ALEATOR JOURNAL 1\n";
  const auto add_number = [&](std::uint64_t x) { records.append(reinterpret_cast<const char*>(&x), sizeof x); };
  while (!bytes.empty()) {
    const std::string_view payload = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), payload.size() + 1));
    add_number(payload.size());
    records += payload;
    add_number(checksum(as_bytes(payload)));
  }
  read(records);
}

// A request to the server of `view`; and the same under its own address.
inline void request(std::string_view bytes) {
  static const std::unique_ptr<http::Server> server = [] {
    auto s = std::make_unique<http::Server>();
    s->routes["/"] = [](const std::string& query) { return http::Answer{200, "text/html", query}; };
    s->routes["/values"] = [](const std::string& query) {
      return http::Answer{200, "text/plain", std::to_string(http::query_number(query, "output"))};
    };
    return s;  // it does not listen: its port is 0
  }();
  for (const char* more : {"", "Host: localhost:0\r\n\r\n", "\r\nHost: 127.0.0.1:0\r\n\r\n"}) {
    const std::string answer = server->respond(std::string(bytes) + more);
    if (!answer.empty() && !answer.starts_with("HTTP/1.1 ")) __builtin_trap();
  }
}

}  // namespace aleator::core::fuzz
