"""Builds the wheel for pip (PEP 517), with CMake and nothing else: the module is compiled in build/release, where ./aleator compiles too."""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build", "release")


def _version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(Aleator VERSION ([0-9.]+)", file.read()).group(1)


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _metadata():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    extras = ["xarray", "pandas", "matplotlib", "scipy", "openturns"]
    head = ["Metadata-Version: 2.1", "Name: aleator", f"Version: {_version()}", "Summary: Multibody dynamics with uncertain bodies",
            "Requires-Python: >=3.9", "Requires-Dist: numpy", "Provides-Extra: all",
            *(f"Requires-Dist: {name}; extra == 'all'" for name in extras), "Description-Content-Type: text/markdown"]
    return "\n".join(head) + "\n\n" + readme


def _wheel():
    return f"Wheel-Version: 1.0\nGenerator: aleator\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _compile():
    """The module for this interpreter; the launcher's own build is gone on with."""
    base = os.path.realpath(getattr(sys, "_base_executable", sys.executable) or sys.executable)
    subprocess.run(["cmake", "-S", ROOT, "--preset", "release", "-DALEATOR_PYTHON=ON", f"-DPython_EXECUTABLE={base}"], cwd=ROOT, check=True)
    jobs = os.environ.get("ALEATOR_JOBS", "")
    subprocess.run(["cmake", "--build", BUILD, "--target", "aleator_python", *(["-j", jobs] if jobs else [])], check=True)


def _files():
    """Name in the wheel and bytes of every file of the package."""
    folder = os.path.join(BUILD, "python", "aleator")
    tagged = "_aleator" + sysconfig.get_config_var("EXT_SUFFIX")  # it serves this interpreter alone
    for name in sorted(os.listdir(folder)):
        if name.endswith((".py", ".pyi", ".typed", ".so")):
            with open(os.path.join(folder, name), "rb") as file:
                yield f"aleator/{tagged if name == '_aleator.so' else name}", file.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _compile()
    info = f"aleator-{_version()}.dist-info"
    name = f"aleator-{_version()}-{_tag()}.whl"
    files = list(_files()) + [(f"{info}/METADATA", _metadata().encode()), (f"{info}/WHEEL", _wheel().encode())]
    record = ""
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files:
            wheel.writestr(path, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    """What git has, as it is in the working copy."""
    import tarfile

    name = f"aleator-{_version()}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz") as archive:
        for path in filter(None, listed):
            archive.add(os.path.join(ROOT, path), f"{name}/{path}", recursive=False)
    return name + ".tar.gz"
