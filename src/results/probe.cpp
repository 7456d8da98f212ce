#include "results/probe.hpp"

#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "results/read.hpp"

namespace aleator::core::results {
namespace {

constexpr unsigned most_seconds = 60;
constexpr std::size_t most_bytes = std::size_t(64)
                                   << 20;  // of one object: the sizes of larger ones are checked before they are read

// Reads one attribute or dataset; what HDF5 refuses is no harm.
template <class Read, class Reclaim>
void read_whole(hid_t type, hid_t space, const Read& read, const Reclaim& reclaim) {
  const hid_t memory = H5Tget_native_type(type, H5T_DIR_ASCEND);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const std::size_t size = memory >= 0 ? H5Tget_size(memory) : 0;
  if (memory >= 0 && size > 0 && count > 0 && std::size_t(count) <= most_bytes / size) {
    std::vector<unsigned char> bytes(std::size_t(count) * size);
    if (read(memory, bytes.data()) >= 0 && H5Tdetect_class(memory, H5T_VLEN) + H5Tis_variable_str(memory) > 0) {
      if (H5Tis_variable_str(memory) > 0)
        for (std::size_t i = 0; i < bytes.size(); i += sizeof(char*)) {  // where texts point to must be readable
          char* text = nullptr;
          std::memcpy(&text, &bytes[i], sizeof text);
          [[maybe_unused]] volatile std::size_t length = text ? std::strlen(text) : 0;
        }
      reclaim(memory, bytes.data());
    }
  }
  if (memory >= 0) H5Tclose(memory);
}

herr_t read_attribute(hid_t object, const char* name, const H5A_info_t*, void*) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return 0;
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  read_whole(
      type, space, [&](hid_t as, void* to) { return H5Aread(attribute, as, to); },
      [&](hid_t as, void* what) { H5Dvlen_reclaim(as, space, H5P_DEFAULT, what); });
  H5Sclose(space), H5Tclose(type), H5Aclose(attribute);
  return 0;
}

herr_t read_object(hid_t file, const char* name, const H5O_info_t* info, void*) {
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  if (object < 0) return 0;
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, read_attribute, nullptr);
  if (info->type == H5O_TYPE_DATASET) {
    const hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    read_whole(
        type, space, [&](hid_t as, void* to) { return H5Dread(object, as, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); },
        [&](hid_t as, void* what) { H5Dvlen_reclaim(as, space, H5P_DEFAULT, what); });
    H5Sclose(space), H5Tclose(type);
  }
  H5Oclose(object);
  return 0;
}

// In the child. It leaves no core, and ends by itself.
[[noreturn]] void read_all(const std::string& path) {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  alarm(most_seconds);
  try {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file >= 0) H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, read_object, nullptr);
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

}  // namespace

void probe(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5Lunregister(H5L_TYPE_EXTERNAL);
  H5PLset_loading_state(0);
  const pid_t child = fork();
  if (child == 0) read_all(path);
  if (child < 0) throw ReadError(path, fmt::format("it cannot be tried: {}", std::strerror(errno)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    throw ReadError(path, fmt::format("it is damaged: the HDF5 library does not finish reading it within {} s", most_seconds));
  throw ReadError(path, "it is damaged: the HDF5 library fails to read it");
}

}  // namespace aleator::core::results
