#include "results/hdf5_driver.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace aleator::core::results {
namespace {

struct DriverInfo {
  Hdf5Target* target;
};

// A file as HDF5 sees it: first what all drivers have.
struct DrivenFile {
  H5FD_t common{};
  Hdf5Target* target = nullptr;
  haddr_t end = 0;         // of what is allocated
  haddr_t written_to = 0;  // of what is there
};

DrivenFile& own(H5FD_t* file) { return *reinterpret_cast<DrivenFile*>(file); }
const DrivenFile& own(const H5FD_t* file) { return *reinterpret_cast<const DrivenFile*>(file); }

H5FD_t* driver_open(const char*, unsigned, hid_t access, haddr_t) {
  const auto* const info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (!info) return nullptr;
  auto file = std::make_unique<DrivenFile>();
  file->target = info->target;
  return &file.release()->common;
}

herr_t driver_close(H5FD_t* file) {
  delete &own(file);
  return 0;
}

herr_t driver_query(const H5FD_t*, unsigned long* features) {
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t driver_get_end(const H5FD_t* file, H5FD_mem_t) { return own(file).end; }

herr_t driver_set_end(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  own(file).end = address;
  return 0;
}

haddr_t driver_written_to(const H5FD_t* file, H5FD_mem_t) { return own(file).written_to; }

// What was never written is zero.
herr_t driver_read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  auto* to = static_cast<unsigned char*>(buffer);
  while (size > 0) {
    const ssize_t n = pread(own(file).target->descriptor, to, size, off_t(address));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    to += n, address += haddr_t(n), size -= std::size_t(n);
  }
  std::memset(to, 0, size);
  return 0;
}

herr_t driver_write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  DrivenFile& f = own(file);
  f.written_to = std::max(f.written_to, address + size);
  write_at(*f.target, address, buffer, size);
  return 0;
}

herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
  DrivenFile& f = own(file);
  if (f.end == f.written_to) return 0;
  f.written_to = f.end;
  if (f.target->error == 0 && ftruncate(f.target->descriptor, off_t(f.end)) != 0) f.target->error = errno;
  return 0;
}

hid_t register_driver() {
  static H5FD_class_t c{};  // HDF5 keeps its address; members by name, as their order differs between versions
#if H5_VERSION_GE(1, 13, 0)
  c.version = H5FD_CLASS_VERSION;
  c.value = H5FD_class_value_t(511);  // not registered with the HDF Group: of ours alone
#endif
  c.name = "aleator";
  c.maxaddr = haddr_t(1) << 62;
  c.fc_degree = H5F_CLOSE_WEAK;
  c.fapl_size = sizeof(DriverInfo);
  c.open = driver_open;
  c.close = driver_close;
  c.query = driver_query;
  c.get_eoa = driver_get_end;
  c.set_eoa = driver_set_end;
  c.get_eof = driver_written_to;
  c.read = driver_read;
  c.write = driver_write;
  c.truncate = driver_truncate;
  const H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;  // numbers apart from what describes them
  std::copy(std::begin(kinds), std::end(kinds), c.fl_map);
  return H5FDregister(&c);
}

}  // namespace

void write_at(Hdf5Target& target, std::uint64_t at, const void* from, std::size_t size) {
  const auto* next = static_cast<const unsigned char*>(from);
  while (size > 0 && target.error == 0) {
    const ssize_t n = pwrite(target.descriptor, next, size, off_t(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      int none = 0;
      target.error.compare_exchange_strong(none, n < 0 ? errno : ENOSPC);
      return;
    }
    next += n, at += std::uint64_t(n), size -= std::size_t(n);
  }
}

Handle access_through(Hdf5Target& target) {
  static const hid_t driver = register_driver();
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const DriverInfo info{&target};
  H5Pset_driver(access, driver, &info);
  // What describes the numbers stays in memory until the file is closed: it would have to be read back otherwise, which fails where
  // it could not be written.
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(access, &cache);
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(access, &cache);
  return access;
}

}  // namespace aleator::core::results
