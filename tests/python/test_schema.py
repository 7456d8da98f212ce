"""The JSON Schemas as another program uses them: they are valid, every example validates, and wrong models do not."""

import glob
import json
import os
import unittest

import jsonschema
import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors and Aleator read it: only true and false are truth values, and dates are texts."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers
            if tag != "tag:yaml.org,2002:timestamp" and (tag != "tag:yaml.org,2002:bool" or first in "tTfF")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def schema(name):
    with open(os.path.join(ROOT, "schema", name), encoding="utf-8") as file:
        return json.load(file)


def model(text):
    return yaml.load(text, Loader)


def document(path):
    with open(path, encoding="utf-8") as file:
        return model(file.read())


def examples():
    """All YAML files of examples/, with the schema they are written for."""
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "**", "*.yaml"), recursive=True)):
        keys = document(path)
        yield path, ("aleator" if {"bodies", "templates", "urdf", "mjcf"} & set(keys) else "design" if "choose" in keys else "identification") + ".schema.json"


def validator(name):
    return jsonschema.Draft202012Validator(schema(name))


ROD = """
gravity: [0, 0, -9.81]
bodies:
  rod: {shape: {box: [1, 0.1, 0.1]}, mass: 2, at: [0.5, 0, 0]}
joints:
  pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0], spring: {stiffness: 3}}
outputs:
  angle: {coordinate: pin, limits: {above: 1}}
simulation: {duration: 0.1, step: 1e-3}
uncertain:
  rod: {mass: {cov: 0.1}}
study: {method: monte-carlo, samples: 10}
"""

BEAM = """
plane: xy
bodies:
  rod: {beam: [[0, 0], [1, 0]], section: {circle: {radius: 0.01}}, material: steel}
simulation: {duration: 0.1, step: 1e-3}
uncertain:
  rod: {E: {cov: 0.1, correlation: {exponential: 0.3}}}
"""


class Schemas(unittest.TestCase):
    def test_are_schemas_of_the_draft_they_name(self):
        for name in ("aleator.schema.json", "identification.schema.json", "design.schema.json"):
            with self.subTest(name):
                self.assertEqual(schema(name)["$schema"], "https://json-schema.org/draft/2020-12/schema")
                jsonschema.Draft202012Validator.check_schema(schema(name))

    def test_references_lead_somewhere(self):
        def references(value):
            if isinstance(value, dict):
                if isinstance(value.get("$ref"), str):
                    yield value["$ref"]
                value = list(value.values())
            if isinstance(value, list):
                for element in value:
                    yield from references(element)

        for name in ("aleator.schema.json", "identification.schema.json", "design.schema.json"):
            known = {f"#/$defs/{key}" for key in schema(name)["$defs"]}
            with self.subTest(name):
                self.assertEqual(set(references(schema(name))) - known, set())


class Examples(unittest.TestCase):
    def test_validate(self):
        found = list(examples())
        self.assertGreater(len(found), 20)
        for path, name in found:
            with self.subTest(path):
                validator(name).validate(document(path))


class WrongModels(unittest.TestCase):
    def expect_wrong(self, text, old, new):
        """`old` stands in the text once; with `new` in its place it is refused."""
        self.assertEqual(text.count(old), 1, old)
        self.assertFalse(validator("aleator.schema.json").is_valid(model(text.replace(old, new))), new)

    def test_what_they_are_made_from_is_right(self):
        for text in (ROD, BEAM):
            validator("aleator.schema.json").validate(model(text))

    def test_keys(self):
        self.expect_wrong(ROD, "joints:", "joint:")
        self.expect_wrong(ROD, "mass: 2", "mas: 2")
        self.expect_wrong(ROD, "duration: 0.1, ", "")
        self.expect_wrong(ROD, "stiffness: 3", "stiffnes: 3")

    def test_values(self):
        self.expect_wrong(ROD, "mass: 2", "mass: -2")
        self.expect_wrong(ROD, "mass: 2", "mass: [2]")
        self.expect_wrong(ROD, "[ground, rod]", "[ground]")
        self.expect_wrong(ROD, "axis: y", "axis: {y: 1}")
        self.expect_wrong(ROD, "method: monte-carlo", "method: monte-karlo")

    def test_kinds(self):
        self.expect_wrong(ROD, "revolute:", "revolut:")
        self.expect_wrong(ROD, "{box: [1, 0.1, 0.1]}", "{box: [1, 0.1, 0.1], sphere: {radius: 1}}")
        self.expect_wrong(BEAM, "{circle: {radius: 0.01}}", "{circle: {diameter: 0.01}}")

    def test_what_is_shared_in_the_schema(self):
        self.expect_wrong(ROD, "limits: {above: 1}", "limits: {abov: 1}")
        self.expect_wrong(ROD, "spring: {stiffness: 3}", "spring: {rz: {stiff: 3}}")
        self.expect_wrong(BEAM, "E: {cov: 0.1", "E: {cof: 0.1")
        self.expect_wrong(BEAM, "{exponential: 0.3}", "{exponentiel: 0.3}")


if __name__ == "__main__":
    unittest.main()
