#include "study/rank_session.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "base/errors.hpp"
#include "propagation/method.hpp"
#include "study/block_statistics.hpp"
#include "study/extension.hpp"
#include "study/study_request.hpp"

namespace aleator::core {
namespace {

constexpr char ready[] = "ready";
constexpr char nothing_to_do[] = "";
constexpr int failed_code = 70;  // the leader ended without a word

// Processors this process may use; those of the machine are shared by the ranks on it that are not bound to some of them.
int processors(int ranks_here) {
  cpu_set_t set;
  const int allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return std::max(1, std::min(allowed, int(std::thread::hardware_concurrency()) / ranks_here));
}

}  // namespace

RankSession::RankSession() : ranks_(ranks_of_this_process()), isa_(best_isa()) {
  if (!ranks_) return;
  Isa least = isa_;
  for (const std::string& own : ranks_->gather(name(isa_))) least = std::min(least, isa_named(own.c_str()));
  isa_ = isa_named(ranks_->broadcast(name(least)).c_str());
}

RankSession::~RankSession() {
  if (!several() || !leads() || ended_) return;
  try {
    end(failed_code);
  } catch (...) {  // NOLINT(bugprone-empty-catch): they are gone
  }
}

int RankSession::own_threads(int asked) const { return asked > 0 || !ranks_ ? asked : processors(ranks_->on_this_machine()); }

void RankSession::announce(const RunRecord& record, const std::string& model_name, int threads,
                           const analysis::StatisticsRequest& statistics) {
  if (!ranks_) return;
  Bytes bytes;
  ByteWriter(bytes)
      .whole(threads)
      .text(text_of(record))
      .text(model_name)
      .whole(statistics.keep_all)
      .whole(statistics.first)
      .numbers(statistics.times);
  ranks_->broadcast({bytes.begin(), bytes.end()});
  announced_ = true;
}

std::unique_ptr<RankScheduler> RankSession::scheduler(const Ensemble& ensemble, const Plan& plan, const std::string& identity,
                                                      int threads, Digest digest) {
  if (!ranks_) return nullptr;
  std::string trouble;
  const std::vector<std::string> answers = ranks_->gather(ready + identity);
  for (size_t r = 1; r < answers.size(); ++r)
    if (answers[r] != answers[0])
      trouble += fmt::format("\n  rank {}: {}", r, answers[r].starts_with(ready) ? "it has another model" : answers[r]);
  ranks_->broadcast(trouble.empty() ? ready : nothing_to_do);
  agreed_ = true;
  if (!trouble.empty()) throw SimulationError("not all processes can take part:" + trouble);
  return std::make_unique<RankScheduler>(*ranks_, ensemble, plan, own_threads(threads), RankSchedulerSettings{},
                                         std::move(digest));
}

void RankSession::dismiss(std::unique_ptr<RankScheduler> scheduler, const Note& note) {
  if (!scheduler) return;
  for (const std::string& line : scheduler->lost()) tell(note, "aleator: " + line);
  lost_ = !scheduler->lost().empty();
}

void RankSession::end(int code) {
  if (!ranks_ || ended_) return;
  ended_ = true;
  if (!announced_) {
    ranks_->broadcast(nothing_to_do);
  } else if (!agreed_) {
    ranks_->gather({});
    ranks_->broadcast(nothing_to_do);
  }
  if (lost_) ranks_->abort(code);  // some would never hear of it
  ranks_->broadcast(std::to_string(code));
}

int RankSession::serve(const std::atomic<bool>* stop) {
  const std::string orders = ranks_->broadcast({});
  if (orders != nothing_to_do) {
    const Bytes bytes(orders.begin(), orders.end());
    ByteReader from(bytes);
    const int threads = own_threads(int(from.whole()));
    std::string answer;
    std::shared_ptr<const LoadedModel> loaded;
    std::shared_ptr<const Model> model;
    std::shared_ptr<const RandomModel> random;
    std::unique_ptr<Method> method;
    std::unique_ptr<const Ensemble> ensemble;
    Digest digest;
    try {
      const RunRecord record = read_record(from.text());
      loaded = load(from.text(), record.sources, overrides_of(record));
      model = with_stepping(loaded->model, record);
      const Study study = study_of(record);
      random = loaded->random_of(study);
      const Task task{*model, *random, study, threads, loaded->settings};
      method = make_method(task);
      std::vector<ModelVariant> models = method->models();
      if (models.empty()) models = {{model.get(), random.get()}};
      const Isa isa = isa_named(value_of(record.settings, "instruction set").c_str());
      ensemble = std::make_unique<const Ensemble>(std::move(models), method->plan(), task.study.seed, isa);
      results::Run nominal;  // only its times matter
      const bool keep_all = from.whole() != 0;
      const long first = long(from.whole());
      nominal.time = from.numbers();
      nominal.values.resize(nominal.time.size() * model->channels.size());
      analysis::StatisticsRequest wanted = questions_of(*model, study, random->groups(), nominal);
      wanted.keep_all = keep_all, wanted.first = first, wanted.replicates = method->plan().replicates();
      Collector::DerivedOf derived;
      if (random->levels_vary())
        derived = [&](const std::vector<double>& sample) { return realize_derived(*model, random->overrides(sample)); };
      digest = block_statistics(wanted, method->plan(), std::move(derived));
      answer = ready + identity_of_realizations(*model, task.study, loaded->settings, name(isa));
    } catch (const std::exception& e) {
      answer = e.what();
    }
    ranks_->gather(answer);
    if (ranks_->broadcast({}) == ready) core::serve(*ranks_, *ensemble, method->plan(), threads, stop, std::move(digest));
  }
  return std::atoi(ranks_->broadcast({}).c_str());
}

}  // namespace aleator::core
