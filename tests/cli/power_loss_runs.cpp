// What a loss of power could leave: see interrupted_runs.hpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <span>
#include <sstream>

#include "interrupted_runs.hpp"
#include "program.hpp"
#include "results/read.hpp"
#include "results/study_store.hpp"
#include "support/model_text.hpp"
#include "support/results_contents.hpp"

namespace aleator::core::test {
namespace {

namespace fs = std::filesystem;
using Random = std::mt19937;

struct Request {
  std::string what, name, other;  // create, write, truncate, sync, rename, unlink, names
  int id = -1;
  long at = 0;  // or the size
  std::string bytes;
};

std::vector<Request> requests_in(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<Request> out;
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    Request r;
    words >> r.what;
    if (r.what == "create" || r.what == "rename") {
      words >> r.id >> r.name;
      if (r.what == "rename") std::getline(in, r.other);
    } else if (r.what == "write") {
      long size = 0;
      words >> r.id >> r.at >> size;
      r.bytes.resize(size_t(size));
      in.read(r.bytes.data(), size);
    } else if (r.what == "truncate") {
      words >> r.id >> r.at;
    } else if (r.what == "sync") {
      words >> r.id;
    } else if (r.what == "unlink") {
      words >> r.name;
    }
    out.push_back(std::move(r));
  }
  return out;
}

// Bytes of a file, or names of the folder: what is on the disk, and what has been asked for since.
struct OnDisk {
  std::string bytes;
  std::vector<const Request*> pending;
};
struct Names {
  std::map<std::string, int> names;
  std::vector<const Request*> pending;
};

void apply(std::string& bytes, long at, const std::string& data) {
  if (bytes.size() < size_t(at) + data.size()) bytes.resize(size_t(at) + data.size(), '\0');
  std::copy(data.begin(), data.end(), bytes.begin() + at);
}
void apply(std::string& bytes, const Request& r) {
  if (r.what == "truncate")
    bytes.resize(size_t(r.at), '\0');
  else
    apply(bytes, r.at, r.bytes);
}
void apply(std::map<std::string, int>& names, const Request& r) {
  if (r.what == "create") names[r.name] = r.id;
  if (r.what == "unlink") names.erase(r.name);
  if (r.what == "rename") names.erase(r.name), names[r.other] = r.id;
}

class Disk {
 public:
  explicit Disk(std::span<const Request> requests) {
    for (const Request& r : requests) {
      if (r.what == "names") {
        for (const Request* p : names_.pending) apply(names_.names, *p);
        names_.pending.clear();
      } else if (r.what == "sync") {
        for (const Request* p : files_[r.id].pending) apply(files_[r.id].bytes, *p);
        files_[r.id].pending.clear();
      } else if (r.what == "write" || r.what == "truncate") {
        files_[r.id].pending.push_back(&r);
      } else {
        names_.pending.push_back(&r);
      }
    }
  }

  // With everything lost that was not synchronised, or some of it: a part that is drawn, too.
  void write(Random* random) const {
    std::map<std::string, int> names = names_.names;
    std::uniform_real_distribution<double> uniform(0, 1);
    const double share = random ? uniform(*random) : 0;
    for (const Request* p : names_.pending)
      if (random && uniform(*random) < share) apply(names, *p);
    for (const auto& [name, id] : names) {
      const auto it = files_.find(id);
      std::ofstream(name, std::ios::binary) << (it == files_.end() ? "" : random ? drawn(it->second, *random) : it->second.bytes);
    }
  }

 private:
  static std::string drawn(const OnDisk& file, Random& random) {
    std::uniform_real_distribution<double> uniform(0, 1);
    std::string bytes = file.bytes;
    const double share = uniform(random);
    size_t length = bytes.size();  // the largest that was asked for: it may be there though the bytes are not
    for (const Request* p : file.pending) {
      length = std::max(length, size_t(p->at) + p->bytes.size());
      if (p->what == "truncate") {
        if (uniform(random) < share) apply(bytes, *p);
        continue;
      }
      for (size_t begin = 0; begin < p->bytes.size();) {  // pages are written by themselves
        const size_t page = 4096, end = std::min(p->bytes.size(), (size_t(p->at) + begin) / page * page + page - size_t(p->at));
        const size_t kept = uniform(random) < share ? end - begin : uniform(random) < 0.2 ? (end - begin) / 2 / 512 * 512 : 0;
        if (kept > 0) apply(bytes, p->at + long(begin), p->bytes.substr(begin, kept));
        begin = end;
      }
    }
    if (uniform(random) < 0.3) bytes.resize(std::max(bytes.size(), length), '\0');
    return bytes;
  }

  std::map<int, OnDisk> files_;
  Names names_;
};

// Makes the folder anew: with what is certain (null), or what is drawn.
void make(const Disk& disk, const std::string& out, Random* random) {
  fs::remove_all(out);
  fs::create_directory(out);
  disk.write(random);
}

bool has_whole_results(const std::string& out) {
  return fs::exists(out + "/results.h5") && results::StudyReader(out + "/results.h5").complete();
}

}  // namespace

PowerFigures expect_survives_power_loss(const std::string& model, int states, unsigned seed) {
  PowerFigures figures;
#ifdef ALEATOR_RECORDER
  const Folder folder;
  folder.write("m.yaml", model);
  const std::string out = folder / "out", record = folder / "record";
  const auto recorded = [&] {
    setenv("LD_PRELOAD", ALEATOR_RECORDER, 1);
    setenv("RECORD_FOLDER", out.c_str(), 1);
    setenv("RECORD_TO", record.c_str(), 1);
  };
  const Outcome whole = aleator_after(recorded, {"run", "m.yaml", "--out", out}, folder.path());
  EXPECT_EQ(whole.code, 0) << whole.err;
  fs::rename(out, folder / "whole");
  const std::vector<Request> requests = requests_in(record);
  figures.requests = int(requests.size());
  Random random(seed);
  for (; figures.states < states && !::testing::Test::HasFailure(); ++figures.states) {
    const size_t moment = std::uniform_int_distribution<size_t>(0, requests.size())(random);
    const Disk disk(std::span<const Request>(requests.data(), moment));
    make(disk, out, nullptr);
    const long certain = rows_in(out);
    const bool certain_results = has_whole_results(out);
    make(disk, out, &random);
    EXPECT_TRUE(!certain_results || has_whole_results(out));
    const bool unfinished = fs::exists(results::StudyStore::file_in(out));
    const long rows = rows_in(out);
    EXPECT_TRUE(has_whole_results(out) || rows >= certain) << rows << " of " << certain;
    figures.rows += rows;
    ++(unfinished ? figures.unfinished : has_whole_results(out) ? figures.with_results : figures.empty);
    if (unfinished || !has_whole_results(out)) {
      const Outcome o =
          aleator(unfinished ? std::vector<std::string>{"resume", out} : std::vector<std::string>{"run", "m.yaml", "--out", out},
                  folder.path());
      EXPECT_EQ(o.code, 0) << o.err;
    }
    EXPECT_EQ(difference_of_results(folder / "whole/results.h5", out + "/results.h5"), "");
  }
#else
  (void)model, (void)states, (void)seed;
#endif
  return figures;
}

}  // namespace aleator::core::test
