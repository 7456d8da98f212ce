"""Results files as h5py and xarray read them: named dimensions, coordinates, units."""
import os
import unittest
import warnings

import h5py
import numpy as np
import xarray as xr

from studies import OSCILLATOR, Folder

ENGINES = ("h5netcdf", "netcdf4")
EXAMPLE = os.path.join(os.path.dirname(__file__), "../../examples/five-body.yaml")
METHODS = {
    "monte-carlo": ("--sensitivity",),
    "polynomial-chaos": (),
    "morris": (),
    "latin-hypercube": (),
}


def groups_of(file):
    found = [""]
    with h5py.File(file) as f:
        f.visititems(lambda name, o: found.append(name) if isinstance(o, h5py.Group) else None)
    return found


def is_scale(dataset):
    return dataset.attrs.get("CLASS") == b"DIMENSION_SCALE"


class ResultsFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.files = {m: cls.folder("run", "--method", m, *options) for m, options in METHODS.items()}
        with open(EXAMPLE, encoding="utf-8") as f:
            cls.five_body = Folder(f.read())
        cls.files["nominal"] = cls.folder("simulate")
        cls.statistics_alone = Folder(OSCILLATOR.replace("seed: 5", "seed: 5, keep: statistics"))
        cls.files["statistics alone"] = cls.statistics_alone("run")
        cls.study = cls.files["monte-carlo"]

    def open(self, group, engine, file=None):
        return xr.open_dataset(file or self.study, group=group, engine=engine)

    def test_statistics_have_their_time(self):
        with h5py.File(self.study) as f:
            time, mean = f["time"][:], f["statistics/x/mean"][:]
        for engine in ENGINES:
            with self.open("statistics/x", engine) as x:
                self.assertEqual(x["mean"].dims, ("time",))
                self.assertEqual(x["time"].attrs["units"], "s")
                self.assertEqual(x["mean"].attrs["units"], "m")
                np.testing.assert_array_equal(x["time"], time)
                np.testing.assert_array_equal(x["mean"], mean)
                self.assertEqual(float(x["upper"].sel(time=0.1, method="nearest")), float(x["upper"][5]))

    def test_responses_are_sample_by_time(self):
        for engine in ENGINES:
            with self.open("responses", engine) as y:
                self.assertEqual(set(y.data_vars), {"x", "p.x", "p.y", "p.z"})
                self.assertEqual(set(y.coords), {"sample", "time"})
                self.assertEqual(y["x"].dims, ("sample", "time"))
                np.testing.assert_array_equal(y["sample"], np.arange(20))
                self.assertEqual(y["x"].mean("sample").dims, ("time",))

    def test_samples_have_the_names_of_their_columns(self):
        for engine in ENGINES:
            with self.open("samples", engine) as s:
                self.assertEqual(list(s["quantity"].values), ["k", "a.mass"])
                self.assertEqual(s["inputs"].dims, ("sample", "quantity"))
                k = s["inputs"].sel(quantity="k")
                self.assertTrue(bool(((k > 80) & (k < 120)).all()))
                self.assertEqual(s["status"].dims, ("sample",))

    def test_causes_have_names(self):
        for engine in ENGINES:
            with self.open("sobol/x", engine) as s:
                self.assertEqual(s["first"].dims, ("group", "time"))
                self.assertEqual(list(s["group"].values), ["k", "a.mass"])
            with self.open("screening/x", engine, self.files["morris"]) as s:
                self.assertEqual(s["mu_star"].dims, ("variable", "time"))
                self.assertEqual(len(s["variable"]), 2)
            with self.open("chaos/outputs/x", engine, self.files["polynomial-chaos"]) as c:
                self.assertEqual(c["coefficients"].dims, ("term", "time"))

    def test_motions_have_bodies_and_poses(self):
        for engine in ENGINES:
            with self.open("motion", engine) as m:
                self.assertEqual(m["nominal"].dims, ("time", "body", "pose"))
                self.assertEqual(list(m["pose"].values), ["x", "y", "z", "qw", "qx", "qy", "qz"])
                self.assertEqual(list(m["bodies"].values), ["a"])
                self.assertIn("bodies", m.coords)

    def test_densities_lie_over_their_places(self):
        for engine in ENGINES:
            with self.open("laws/columns/k", engine) as d:
                self.assertIn("x", d.coords)
                self.assertAlmostEqual(float(np.trapz(d["density"], d["x"])), 1, places=6)  # uniform: exact but for round-off

    def test_distributions_have_their_parameters_as_numbers(self):
        for engine in ENGINES:
            with self.open("laws/quantities/k/parameters", engine) as p:
                self.assertEqual({n: float(v) for n, v in p.data_vars.items()}, {"a": 80.0, "b": 120.0})
            with self.open("laws/quantities/k", engine) as q:
                self.assertEqual(q.attrs["distribution"], "Uniform")
                self.assertEqual(float(q["mean"]), 100)
                self.assertAlmostEqual(float(q["std"]), 40 / 12**0.5, places=12)
        file = self.five_body("run", "--samples", "2")
        for engine in ENGINES:
            with self.open("laws/quantities/rb5.inertia", engine, file) as q:
                mu = q["mu"]
                self.assertEqual(mu.dims, ("row", "column"))
                self.assertEqual(list(mu["row"].values), ["x", "y", "z"])
                np.testing.assert_allclose(mu, mu.values.T, rtol=1e-12)  # symmetric but for round-off
                self.assertEqual(q["z_max"].attrs["units"], "m^2")
            with self.open("laws/quantities/rb5.center_of_mass", engine, file) as q:
                self.assertEqual(q["lambda"].dims, ("axis",))
                self.assertEqual(q["covariance"].shape, (3, 3))

    def test_every_group_of_every_file_opens(self):
        for name, file in self.files.items():
            for group in groups_of(file):
                for engine in ENGINES:
                    with self.subTest(file=name, group=group, engine=engine), warnings.catch_warnings():
                        warnings.simplefilter("error")
                        with self.open(group or None, engine, file) as x:
                            x.load()
                            self.assertFalse([d for d in x.dims if "phony" in d])

    def test_every_dataset_has_scales_and_labels(self):
        for name, file in self.files.items():
            with h5py.File(file) as f:
                datasets = []
                f.visititems(lambda path, o: datasets.append(path) if isinstance(o, h5py.Dataset) else None)
                for path in datasets:
                    if is_scale(f[path]):
                        continue
                    with self.subTest(file=name, dataset=path):
                        for dimension in f[path].dims:
                            self.assertNotEqual(dimension.label, "")
                            self.assertEqual(len(dimension), 1)
                            scale = dimension[0].name.rsplit("/", 1)[-1]
                            self.assertTrue(scale == dimension.label or scale.startswith(dimension.label + "_"))
                            self.assertTrue(is_scale(f[path].parent[scale]))

    def test_one_time_is_in_all_groups(self):
        with h5py.File(self.study) as f:
            for group in ("responses", "statistics/x", "motion", "sobol/x"):
                self.assertEqual(f[group]["time"], f["time"])  # the same object


if __name__ == "__main__":
    unittest.main()
