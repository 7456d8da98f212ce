#include "program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {

namespace fs = std::filesystem;

namespace {

Outcome run(const std::vector<std::string>& arguments, const std::string& folder, double interrupt_after, int signal,
            const std::string& once, const std::function<void()>& preparation) {
  const Folder texts;
  const std::string out = texts / "out", err = texts / "err";
  const pid_t child = fork();
  if (child == 0) {
    const auto redirect = [](const std::string& file, int to) {
      dup2(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), to);
    };
    redirect(out, 1);
    redirect(err, 2);
    dup2(open("/dev/null", O_RDONLY), 0);
    if (chdir(folder.c_str()) != 0) _exit(126);
    if (preparation) preparation();
    std::vector<char*> argv = {const_cast<char*>("aleator")};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    execv(program_file().c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  if (interrupt_after > 0) {
    auto start = std::chrono::steady_clock::now();
    bool begun = once.empty();
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (!begun && (begun = fs::exists(fs::path(folder) / once))) start = std::chrono::steady_clock::now();
      if (begun && std::chrono::steady_clock::now() > start + std::chrono::duration<double>(interrupt_after)) {
        kill(child, signal);
        waitpid(child, &status, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } else {
    waitpid(child, &status, 0);
  }
  Outcome o;
  o.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  o.out = text_of_file(out);
  o.err = text_of_file(err);
  return o;
}

}  // namespace

Outcome aleator(const std::vector<std::string>& arguments, const std::string& folder, double interrupt_after, int signal,
                const std::string& once) {
  return run(arguments, folder, interrupt_after, signal, once, {});
}

Outcome aleator_after(const std::function<void()>& preparation, const std::vector<std::string>& arguments,
                      const std::string& folder) {
  return run(arguments, folder, 0, 0, "", preparation);
}

Csv parse_csv_text(const std::string& text) {
  Csv csv;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    std::vector<double> row;
    const bool header = csv.names.empty();
    while (std::getline(cells, cell, ',')) {
      if (header)
        csv.names.push_back(cell);
      else
        row.push_back(std::stod(cell));
    }
    if (!header) csv.rows.push_back(row);
  }
  return csv;
}

std::vector<double> Csv::column(const std::string& name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw std::out_of_range("no column " + name);
  std::vector<double> values;
  for (const auto& row : rows) values.push_back(row.at(at - names.begin()));
  return values;
}

double Csv::at(const std::string& name, double time) const {
  const std::vector<double> times = column("time"), values = column(name);
  for (size_t k = 0; k < times.size(); ++k)
    if (std::abs(times[k] - time) < 1e-9) return values[k];
  throw std::out_of_range("no time " + std::to_string(time));
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(source_folder()) / "examples"))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace aleator::core::test
