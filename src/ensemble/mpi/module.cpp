// Ranks by MPI. Any MPI of the C interface; only the thread that made it calls it. A call of MPI that waits keeps a core busy, which threads that
// simulate need: nothing here waits inside MPI, but looks again after a pause.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <list>
#include <string_view>
#include <thread>
#include <utility>

#include "ensemble/distributed/ranks.hpp"

namespace aleator::core {
namespace {

constexpr int tag = 1;

// What is begun at once is soon done; the longer it takes, the less often it is looked at.
void wait_for(MPI_Request request) {
  constexpr std::chrono::microseconds longest{1000};
  std::chrono::microseconds pause{20};
  for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done;) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, longest);
  }
}

// Open MPI looks for fast networks for a fifth of a second, also where all processes share one machine and its memory. Whoever has chosen
// how they talk knows better.
void stay_on_this_machine() {
  const char* const all = std::getenv("OMPI_COMM_WORLD_SIZE");
  const char* const here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (all && here && std::string_view(all) == here) setenv("OMPI_MCA_pml", "ob1", 0);
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    stay_on_this_machine();
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // a rank that is gone is not the end of the others
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &here_);
    MPI_Comm_rank(here, &rank_here_);
    MPI_Comm_free(&here);
  }
  // A message that nobody waits for any more (of a run that was stopped) is taken all the same, until everybody's have arrived: its sender
  // could not end otherwise.
  ~MpiRanks() override {
    MPI_Request everybody = MPI_REQUEST_NULL;
    bool begun = false;
    for (int done = 0; !done;) {
      Bytes unwanted;
      while (receive(unwanted) >= 0) unwanted.clear();
      if (!begun && sent_.empty()) begun = MPI_Ibarrier(MPI_COMM_WORLD, &everybody) == MPI_SUCCESS;
      if (begun && MPI_Test(&everybody, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
      if (!done) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int on_this_machine() const override { return here_; }
  int rank_here() const override { return rank_here_; }

  void send(int to, Bytes message) override {
    Sent& s = sent_.emplace_back(Sent{std::move(message), MPI_REQUEST_NULL});
    MPI_Isend(s.message.data(), int(s.message.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD, &s.request);
    forget_arrived();
  }

  int receive(Bytes& message) override {
    forget_arrived();
    int there = 0, size = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there) return -1;
    MPI_Get_count(&status, MPI_BYTE, &size);
    message.resize(size_t(size));
    if (MPI_Recv(message.data(), size, MPI_BYTE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return -1;
    return status.MPI_SOURCE;
  }

  std::string broadcast(const std::string& of_rank_0) override {
    std::string text = of_rank_0;
    int size = int(text.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    wait_for(request);
    text.resize(size_t(size));
    MPI_Ibcast(text.data(), size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(request);
    return text;
  }

  std::vector<std::string> gather(const std::string& own) override {
    const int size = int(own.size());
    const size_t n = rank_ == 0 ? size_t(size_) : 0;
    std::vector<int> sizes(n), begins(n);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Igather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    wait_for(request);
    int total = 0;
    for (size_t r = 0; r < n; ++r) {
      begins[r] = total;
      total += sizes[r];
    }
    std::string all(size_t(total), ' ');
    MPI_Igatherv(own.data(), size, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(request);
    std::vector<std::string> texts;
    for (size_t r = 0; r < n; ++r) texts.push_back(all.substr(size_t(begins[r]), size_t(sizes[r])));
    return texts;
  }

  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  struct Sent {  // which stays where it is until it has arrived
    Bytes message;
    MPI_Request request;
  };
  void forget_arrived() {
    sent_.remove_if([](Sent& s) {
      int arrived = 0;
      return MPI_Test(&s.request, &arrived, MPI_STATUS_IGNORE) == MPI_SUCCESS && arrived;
    });
  }

  int rank_ = 0, size_ = 1, here_ = 1, rank_here_ = 0;
  std::list<Sent> sent_;
};

}  // namespace
}  // namespace aleator::core

extern "C" __attribute__((visibility("default"))) aleator::core::Ranks* aleator_ranks_module_1() {
  return new aleator::core::MpiRanks();
}
