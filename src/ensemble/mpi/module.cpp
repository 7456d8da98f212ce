// Ranks by MPI. Any MPI of the C interface; only the thread that made it calls it.
#include <mpi.h>

#include <algorithm>
#include <cstdlib>

#include "ensemble/distributed/ranks.hpp"

namespace aleator::core {
namespace {

constexpr int tag = 1;

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // a rank that is gone is not the end of the others
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &here_);
    MPI_Comm_free(&here);
  }
  ~MpiRanks() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int on_this_machine() const override { return here_; }

  void send(int to, const Bytes& message) override {
    MPI_Send(message.data(), int(message.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD);
  }

  int receive(Bytes& message) override {
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
    MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    text.resize(size_t(size));
    MPI_Bcast(text.data(), size, MPI_BYTE, 0, MPI_COMM_WORLD);
    return text;
  }

  std::vector<std::string> gather(const std::string& own) override {
    const int size = int(own.size());
    const size_t n = rank_ == 0 ? size_t(size_) : 0;
    std::vector<int> sizes(n), begins(n);
    MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    int total = 0;
    for (size_t r = 0; r < n; ++r) {
      begins[r] = total;
      total += sizes[r];
    }
    std::string all(size_t(total), ' ');
    MPI_Gatherv(own.data(), size, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (size_t r = 0; r < n; ++r) texts.push_back(all.substr(size_t(begins[r]), size_t(sizes[r])));
    return texts;
  }

  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  int rank_ = 0, size_ = 1, here_ = 1;
};

}  // namespace
}  // namespace aleator::core

extern "C" __attribute__((visibility("default"))) aleator::core::Ranks* aleator_ranks_module_1() {
  return new aleator::core::MpiRanks();
}
