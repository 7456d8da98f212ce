# shellcheck shell=bash disable=SC2034,SC2154  # variables of the launcher
# The Python package instead of the program: its module is built, and python3 is started with it on its path. Sourced by ./aleator.
what="the Python package" target=aleator_python try="python -V"
lists+=(packages-python)
options=(-DALEATOR_PYTHON=ON)
more_sources=("$root/python" "$root/pyproject.toml" "$root/scripts/packages-python.txt")
stamp=$build/python/up-to-date
program=$build/python/aleator/_aleator.so

start() {
  export PYTHONPATH=$build/python${PYTHONPATH:+:$PYTHONPATH}
  exec /usr/bin/python3 "$@"
}
