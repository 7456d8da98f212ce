"""`aleator serve` as UM-Bridge's clients use it (protocol 1.0): what its Python client sends, and the checks of its conformity test; the
numbers are those of a study; wrong, slow and many requests."""

import http.client
import json
import math
import re
import signal
import socket
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.request

import h5py
import jsonschema

from studies import PROGRAM, Folder

ERROR = {"type": "object", "additionalProperties": False, "required": ["error"], "properties": {"error": {
    "type": "object", "additionalProperties": False, "required": ["type", "message"],
    "properties": {"type": {"type": "string"}, "message": {"type": "string"}}}}}


class Server:
    def __init__(self, *arguments):
        self.folder = Folder()
        self.process = subprocess.Popen([PROGRAM, "serve", self.folder.model, "--port", "0", *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.lines = [self.process.stdout.readline() for _ in range(4)]
        found = re.match(r"http://([\d.]+):(\d+) ", self.lines[0])
        self.address, self.port = found.group(1), int(found.group(2))

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.close()

    def ask(self, path, data=None, raw=None):
        """Status and object."""
        body = raw if raw is not None else None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=body)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as e:
            with e:
                return e.code, json.load(e)


class HTTPModel:
    """The calls of UM-Bridge's client, in its order and with its members."""

    def __init__(self, server):
        self.server = server
        info = server.ask("/Info")[1]
        if info["protocolVersion"] != 1.0:
            raise RuntimeError("Model has unsupported protocol version!")
        self.name = info["models"][0]
        self.support = server.ask("/ModelInfo", {"name": self.name})[1]["support"]

    def sizes(self, which, config=None):
        return self.server.ask(f"/{which}Sizes", {"name": self.name, "config": config or {}})[1][which.lower() + "Sizes"]

    def call(self, path, parameters, config, **more):
        answer = self.server.ask(path, {"name": self.name, **more, "input": parameters, "config": config or {}})[1]
        if "error" in answer:
            raise RuntimeError(answer["error"]["type"] + ": " + answer["error"]["message"])
        return answer["output"]

    def __call__(self, parameters, config=None):
        return self.call("/Evaluate", parameters, config)

    def gradient(self, parameters, sens, config=None):
        return self.call("/Gradient", parameters, config, outWrt=0, inWrt=0, sens=sens)

    def apply_jacobian(self, parameters, vec, config=None):
        return self.call("/ApplyJacobian", parameters, config, outWrt=0, inWrt=0, vec=vec)


class UmBridge(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)

    def refused(self, status, kind, path, data=None, raw=None):
        found, answer = self.server.ask(path, data, raw)
        self.assertEqual(found, status, answer)
        jsonschema.validate(answer, ERROR)
        self.assertEqual(answer["error"]["type"], kind)
        return answer["error"]["message"]

    def test_says_where_it_is_and_what_it_has(self):
        self.assertEqual(self.server.address, "127.0.0.1")
        self.assertEqual(self.server.lines[1:], ["inputs: k a.mass\n", "outputs: peak\n", "Ctrl-C ends\n"])

    def test_client_finds_the_model(self):
        status, info = self.server.ask("/Info")
        self.assertEqual((status, info), (200, {"protocolVersion": 1.0, "models": ["forward"]}))
        model = HTTPModel(self.server)
        self.assertEqual(model.support, {"Evaluate": True, "Gradient": True, "ApplyJacobian": True, "ApplyHessian": False})
        self.assertEqual(model.sizes("Input"), [2])
        self.assertEqual(model.sizes("Output"), [1])
        self.assertEqual(model.sizes("Output", {"outputs": ["x", "peak"], "times": [0.1, 0.2]}), [3])
        self.assertEqual(model.sizes("Output", {"outputs": ["p.x"], "times": "all"}), [21])

    def test_numbers_are_those_of_a_study(self):
        model = HTTPModel(self.server)
        with h5py.File(self.server.folder("run")) as f:
            samples, responses = f["samples/inputs"][:], f["responses/x"][:]
        for k in (0, 7):
            x = model([list(samples[k])], {"outputs": ["x"], "times": "all"})
            self.assertEqual(x, [list(responses[k])])  # bit for bit
            self.assertEqual(model([list(samples[k])], {"outputs": ["x@0.1", "x"]}), [[responses[k][5], responses[k][20]]])

    def test_derivatives_are_those_of_the_closed_form(self):
        # x(t) = v/w sin wt with w = sqrt(k/m); t = 0.2.
        model = HTTPModel(self.server)
        k, m, t = 100.0, 1.0, 0.2
        w = (k / m) ** 0.5
        x_w = t * math.cos(w * t) / w - math.sin(w * t) / w ** 2
        exact = [x_w * w / (2 * k), -x_w * w / (2 * m)]
        config = {"outputs": ["x@0.2", "x@0.4"]}
        gradient = model.gradient([[k, m]], [1, 0], config)
        # The integrator: (w h)^4 w t = 5e-6 of the amplitude.
        for found, right in zip(gradient, exact):
            self.assertAlmostEqual(found, right, delta=1e-5 * abs(right) + 1e-9)
        applied = model.apply_jacobian([[k, m]], [2, 3], config)
        self.assertEqual(len(applied), 2)
        self.assertAlmostEqual(applied[0], 2 * gradient[0] + 3 * gradient[1], delta=1e-12)

    def test_conformity(self):
        name = {"name": "forward"}
        for path in ("/ModelInfo", "/InputSizes", "/OutputSizes", "/Evaluate", "/Gradient", "/ApplyJacobian", "/ApplyHessian"):
            self.refused(400, "ModelNotFound", path, {"name": "wrong_model_name"})
        self.refused(400, "UnsupportedFeature", "/ApplyHessian", name)
        right = {**name, "input": [[100, 1]], "config": {}, "outWrt": 0, "inWrt": 0, "sens": [1], "vec": [1, 1]}
        for path in ("/Evaluate", "/Gradient", "/ApplyJacobian"):
            status, answer = self.server.ask(path, right)
            self.assertEqual(status, 200)
            self.assertEqual(list(answer), ["output"])
            for wrong in ([[100, 1, 1]], [[100]], [[100, 1], [1]], [], [[]], [100, 1], "x", [["a", 1]], [[None, 1]], {}):
                self.refused(400, "InvalidInput", path, {**right, "input": wrong})
        for path in ("/Gradient", "/ApplyJacobian"):
            for index in (1, -1, 0.5, "0", None):
                self.refused(400, "InvalidInput", path, {**right, "outWrt": index})
                self.refused(400, "InvalidInput", path, {**right, "inWrt": index})
        self.refused(400, "InvalidInput", "/Gradient", {**right, "sens": [1, 2]})
        self.refused(400, "InvalidInput", "/ApplyJacobian", {**right, "vec": [1]})

    def test_malformed_requests_get_an_error(self):
        for raw in (b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"name": "forward", "input": [[NaN, 1]]}',
                    b'{"name": "forward", "input": [[1e999, 1]]}', b'{"name": "forward", "name": "forward"}', b"[" * 100000):
            self.refused(400, "InvalidInput", "/Evaluate", raw=raw)
        message = self.refused(400, "InvalidInput", "/Evaluate", {"name": "forward", "input": [[1]]})
        self.assertIn("2 numbers (k, a.mass), found 1", message)
        for config, words in (({"output": ["x"]}, "unknown key 'output' (known: outputs, times)"),
                              ({"outputs": ["y"]}, "no output 'y' (scalars: peak; outputs: x, p.x"),
                              ({"outputs": ["x"], "times": [0.21]}, "between two output times, 0.2 s and 0.22 s"),
                              ({"outputs": ["x"], "times": [-1]}, "from 0 to 0.4 s"),
                              ({"outputs": []}, "asks for nothing"), ({"outputs": "x"}, "array of names"), ([], "an object")):
            self.assertIn(words, self.refused(400, "InvalidInput", "/Evaluate",
                                              {"name": "forward", "input": [[100, 1]], "config": config}))
        self.refused(404, "UnsupportedFeature", "/EvaluateShMem", {"name": "forward"})
        self.refused(405, "InvalidInput", "/Evaluate")
        self.refused(405, "InvalidInput", "/Info", {"name": "forward"})
        self.assertIn("must be positive", self.refused(500, "InvalidOutput", "/Evaluate", {"name": "forward", "input": [[100, -1]]}))
        self.assertEqual(self.server.ask("/Info")[0], 200)

    def test_bodies_without_end(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        connection.request("POST", "/Evaluate", body=b" " * (17 << 20))
        answer = connection.getresponse()
        self.assertEqual(answer.status, 413)
        self.assertIn("at most", json.loads(answer.read())["error"]["message"])
        connection.close()
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        connection.request("POST", "/Evaluate", body=iter([b"{}"]), headers={"Transfer-Encoding": "chunked"}, encode_chunked=True)
        self.assertEqual(connection.getresponse().status, 411)
        connection.close()

    def test_parallel_requests_get_their_own_answers(self):
        model = HTTPModel(self.server)
        alone = {k: model([[k, 1]]) for k in range(80, 120)}
        found, wrong = {}, []

        def ask(k):
            try:
                found[k] = model([[k, 1]]) if k % 5 else model.gradient([[k, 1]], [1])
            except Exception as e:  # pylint: disable=broad-except
                wrong.append(e)

        threads = [threading.Thread(target=ask, args=(k,)) for k in alone]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])
        self.assertEqual(len(found), len(alone))
        for k, y in found.items():
            if k % 5:
                self.assertEqual(y, alone[k])

    def test_slow_clients_and_those_that_leave_hold_up_nobody(self):
        slow = []
        for k in range(40):
            s = socket.create_connection(("127.0.0.1", self.server.port))
            slow.append(s)
            body = json.dumps({"name": "forward", "input": [[100, 1]]})
            head = f"POST /Evaluate HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nContent-Length: {len(body)}\r\n\r\n"
            s.sendall((head + body)[:-1 if k % 2 else None].encode())  # one byte is missing, or nobody listens
            if k % 4 == 0:
                s.close()
        begin = time.monotonic()
        self.assertEqual(HTTPModel(self.server)([[100, 1]])[0][0] > 0, True)
        self.assertLess(time.monotonic() - begin, 5)
        for s in slow:
            s.close()

    def test_other_names_and_pages_are_not_answered(self):
        for headers in ({"Host": "evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
            connection.request("GET", "/Info", headers=headers)
            self.assertEqual(connection.getresponse().status, 403)
            connection.close()


class Serve(unittest.TestCase):
    def test_inputs_and_outputs_by_name(self):
        server = Server("--inputs", "a.mass", "--outputs", "x@0.2,peak", "-j", "1")
        self.addCleanup(server.close)
        self.assertEqual(server.lines[1:3], ["inputs: a.mass\n", "outputs: x@0.2 peak\n"])
        model = HTTPModel(server)
        self.assertEqual((model.sizes("Input"), model.sizes("Output")), ([1], [2]))
        x, peak = model([[1.2]])[0]
        w = (100 / 1.2) ** 0.5
        self.assertAlmostEqual(peak, 1 / w, delta=1e-5)
        self.assertLess(x, peak)

    def test_ends_with_a_signal_while_it_computes(self):
        server = Server()
        self.addCleanup(server.close)
        s = socket.create_connection(("127.0.0.1", server.port))
        self.addCleanup(s.close)
        body = json.dumps({"name": "forward", "input": [[100, 1]], "outWrt": 0, "inWrt": 0, "sens": [1]})
        s.sendall(f"POST /Gradient HTTP/1.1\r\nHost: localhost:{server.port}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        begin = time.monotonic()
        server.process.send_signal(signal.SIGINT)
        self.assertEqual(server.process.wait(20), 0)
        self.assertLess(time.monotonic() - begin, 10)

    def test_what_cannot_be_served(self):
        folder = Folder()
        self.addCleanup(folder.close)

        def refused(*arguments):
            done = subprocess.run([PROGRAM, "serve", folder.model, *arguments], capture_output=True, text=True, timeout=60, check=False)
            return done.returncode, done.stderr

        self.assertEqual(refused("--inputs", "kk")[0], 3)
        self.assertIn("did you mean 'k'?", refused("--inputs", "kk")[1])
        code, err = refused("--outputs", "y")
        self.assertEqual(code, 2)
        self.assertIn("no output 'y'", err)
        code, err = refused("--host", "example")
        self.assertEqual(code, 2)
        self.assertIn("no IPv4 address", err)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            code, err = refused("--port", str(taken.getsockname()[1]))
            self.assertEqual(code, 2)
            self.assertIn("cannot be used", err)

    def test_other_addresses_are_warned_of(self):
        server = Server("--host", "0.0.0.0")
        server.process.send_signal(signal.SIGINT)
        server.process.wait(20)
        self.assertIn("warning", server.process.stderr.read())
        server.close()


if __name__ == "__main__":
    unittest.main()
