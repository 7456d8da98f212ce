#include "company.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "dynamics/errors.hpp"
#include "earlier.hpp"
#include "nominal.hpp"
#include "study_run.hpp"

namespace aleator::core::app {
namespace {

constexpr char ready[] = "ready";
constexpr char nothing_to_do[] = "";

// Processors this process may use; those of the machine are shared by the ranks on it that are not bound to some of them.
int processors(int ranks_here) {
  cpu_set_t set;
  const int allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return std::max(1, std::min(allowed, int(std::thread::hardware_concurrency()) / ranks_here));
}

// What rank 0 has settled that the others cannot find out by themselves.
std::string settled(const Task& task) {
  Bytes bytes;
  ByteWriter to(bytes);
  const Study& s = task.study;
  to.text(task.model.settings.integrator).number(task.model.settings.step).whole(s.samples);
  to.numbers(std::vector<double>(s.stages.begin(), s.stages.end()));
  return {bytes.begin(), bytes.end()};
}
void settle(const std::string& text, Model& model, Study& study) {
  const Bytes bytes(text.begin(), text.end());
  ByteReader from(bytes);
  model.settings.integrator = from.text();
  model.settings.step = from.number();
  study.samples = from.whole();
  const std::vector<double> stages = from.numbers();
  study.stages.assign(stages.begin(), stages.end());
}

}  // namespace

RankSession::RankSession(RunArguments& o) : ranks_(ranks_of_this_process()) {
  if (!ranks_) return;
  threads_ = o.threads > 0 ? int(o.threads) : processors(ranks_->on_this_machine());
  o.threads = threads_;
  Isa least = isa_of(o.isa);
  for (const std::string& own : ranks_->gather(name(least))) least = std::min(least, isa_named(own.c_str()));
  o.isa = ranks_->broadcast(name(least));
}

void RankSession::announce(const Task& task) {
  if (!ranks_) return;
  ranks_->broadcast(settled(task));
  announced_ = true;
}

std::unique_ptr<RankScheduler> RankSession::crew(const Ensemble& ensemble, const Plan& plan, const std::string& identity) {
  if (!ranks_) return nullptr;
  std::string trouble;
  const std::vector<std::string> answers = ranks_->gather(ready + identity);
  for (size_t r = 1; r < answers.size(); ++r)
    if (answers[r] != answers[0])
      trouble += fmt::format("\n  rank {}: {}", r, answers[r].starts_with(ready) ? "it has another model" : answers[r]);
  ranks_->broadcast(trouble.empty() ? ready : nothing_to_do);
  agreed_ = true;
  if (!trouble.empty()) throw SimulationError("not all processes can take part:" + trouble);
  return std::make_unique<RankScheduler>(*ranks_, ensemble, plan, threads_);
}

void RankSession::dismiss(std::unique_ptr<RankScheduler> crew) {
  if (!crew) return;
  for (const std::string& line : crew->lost()) fmt::print(stderr, "aleator: {}\n", line);
  lost_ = !crew->lost().empty();
}

int RankSession::end(int code) {
  if (!ranks_) return code;
  if (!announced_) {
    ranks_->broadcast(nothing_to_do);
  } else if (!agreed_) {
    ranks_->gather({});
    ranks_->broadcast(nothing_to_do);
  }
  std::fflush(nullptr);
  if (lost_) ranks_->abort(code);  // some would never hear of it
  ranks_->broadcast(std::to_string(code));
  return code;
}

int RankSession::work(const RunArguments& o) {
  watch_interrupts();
  std::string answer;
  std::unique_ptr<Model> model;
  std::unique_ptr<RandomModel> random;
  try {
    model = std::make_unique<Model>(o.model.load());
    random = std::make_unique<RandomModel>(*model, o.model.overrides());
  } catch (const std::exception& e) {
    answer = e.what();
  }
  const std::string orders = ranks_->broadcast({});
  if (orders != nothing_to_do) {
    std::unique_ptr<Method> method;
    std::unique_ptr<const Ensemble> ensemble;
    std::unique_ptr<Task> task;
    try {
      if (answer.empty()) {
        task = std::make_unique<Task>(Task{*model, *random, study_of(o, *model), threads_});
        settle(orders, *model, task->study);
        method = make_method(*task);
        ensemble = std::make_unique<const Ensemble>(*model, *random, method->plan(), task->study.seed, isa_of(o.isa));
        answer = ready + identity_of_realizations(*model, task->study, o.model.settings, o.isa);
      }
    } catch (const std::exception& e) {
      answer = e.what();
    }
    ranks_->gather(answer);
    if (ranks_->broadcast({}) == ready) serve(*ranks_, *ensemble, method->plan(), threads_, &interrupted());
  }
  return std::atoi(ranks_->broadcast({}).c_str());
}

}  // namespace aleator::core::app
