"""The published OpenAPI description, and what it says of a line, a body or a request.

It is read where it lies, beside the project; nothing of it is copied. What is peculiar about it:

- OpenAPI 3.1 is JSON Schema 2020-12: what may be null says so by its type, so nothing is made of `nullable`. The one
  `discriminator` stands beside a `oneOf` that says the same, and outside what is spoken here.
- It is YAML 1.2, in which `yes` is a word and not true (`const: yes` of the draw offer), and a date a text.
- Where a request may be real-time, correspondence or unlimited, "unlimited" fits everything, so exactly one of the
  three never fits what is not unlimited. In requests `oneOf` is therefore read as `anyOf`.
- A description of an answer says nothing of fields that it does not name, so neither does this. In requests a field
  that it does not name is a fault of the client.
- Of some endpoints only the schemas of what is answered lie there (`_SCHEMA_ALONE`). That of a challenge which is kept
  alive describes its second line in prose. Errors that stand at no endpoint (401, 403, 429) are errors like others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from urllib.request import url2pathname

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

Json = dict[str, Any]
Schema = bool | Mapping[str, Any]

FOLDER = Path(os.environ.get("VOICECHESS_SHARED", Path(__file__).parents[3].parent / "shared")) / "lichess-api"
"""Where the description lies, if it does."""

NDJSON = "application/x-ndjson"
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


_SCHEMA_ALONE = {
    ("/api/rel/following", NDJSON): "UserExtended",
    ("/api/users/status", JSON): "LightUserOnline",
    ("/api/user/{username}", JSON): "UserExtended",
    ("/api/crosstable/{user1}/{user2}", JSON): "Crosstable",
    ("/api/challenge/{username}", NDJSON): "ChallengeJson",
    ("/api/puzzle/daily", JSON): "PuzzleAndGame",
    ("/api/puzzle/batch/{angle}", JSON): "PuzzleBatchSelect",
    ("/api/broadcast/top", JSON): "BroadcastTop",
    ("/api/stream/game/{id}", NDJSON): "MoveStreamEntry",
}
"""What is answered, by path and type, where only its schema lies there and not the endpoint; and the lines of a game's
stream, which is described as the list of them."""


class Invalid(Exception):
    """Something does not fit the description; the text says what and where."""


class _Yaml12(yaml.SafeLoader):
    """YAML as OpenAPI means it: only true and false are booleans, and dates are texts."""


_NOT_YAML12 = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")
_Yaml12.yaml_implicit_resolvers = {
    first: [rule for rule in rules if rule[0] not in _NOT_YAML12]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Yaml12.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))


@cache
def _read(path: Path) -> Json:
    document = yaml.load(path.read_text(encoding="utf-8"), Loader=_Yaml12)
    assert isinstance(document, dict), path
    return document


def _retrieve(uri: str) -> Resource[Schema]:
    return DRAFT202012.create_resource(_read(Path(url2pathname(urlparse(uri).path))))


def _pointer(*steps: str) -> str:
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def _one_of_is_any_of(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {"anyOf" if key == "oneOf" else key: _one_of_is_any_of(value) for key, value in schema.items()}
    return [_one_of_is_any_of(value) for value in schema] if isinstance(schema, list) else schema


class Description:
    """What may be asked and answered. Operations are named by method and path template ("GET", "/api/account")."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        # It has no types for what is retrieved by a function of one's own.
        self._registry: Registry[Schema] = Registry(retrieve=_retrieve)  # type: ignore[call-arg]
        self._paths: Json = _read(folder / "lichess-api.yaml")["paths"]
        self._validators: dict[str, Draft202012Validator] = {}
        self._seen: dict[str, str] = {}
        self.checked = 0

    def operation(self, method: str, template: str) -> Json | None:
        """The description of an operation; None if it is not there."""
        path = self._file(template)
        found: Json | None = _read(path).get(method.lower()) if path else None
        return found

    def answer(self, method: str, template: str, status: int, mime: str, body: object) -> None:
        """Check a body, or one line of a stream. Raises Invalid."""
        uri = self._schema(method, template, status, mime)
        self.checked += 1
        # Both players are sent the same line.
        text = f"{body!r}"
        if self._seen.get(uri) != text:
            self._check(uri, body, f"{method} {template} {status}")
            self._seen[uri] = text

    def schema(self, name: str, body: object) -> None:
        """Check against one schema by its name. Raises Invalid."""
        self._check((self._folder / "schemas" / f"{name}.yaml").as_uri(), body, name)

    def request(self, method: str, template: str, query: Mapping[str, str], form: Mapping[str, str]) -> None:
        """Check what a client sends, and that it sends nothing that is not described. Raises Invalid."""
        operation = self.operation(method, template)
        if operation is None:
            return
        where = f"{method} {template}"
        told = {one["name"]: one for one in operation.get("parameters", ()) if one["in"] == "query"}
        for name, text in query.items():
            if name not in told:
                raise Invalid(f"{where}: query {name} is not described")
            self._check_inline(template, told[name]["schema"], _value(text), f"{where} query {name}")
        for name, parameter in told.items():
            if parameter.get("required") and name not in query:
                raise Invalid(f"{where}: query {name} is missing")
        if FORM not in operation.get("requestBody", {"content": {}})["content"]:
            if form:
                raise Invalid(f"{where}: no body is described, but {sorted(form)} came")
            return
        if not form and not operation["requestBody"].get("required"):
            return
        schema = _one_of_is_any_of(operation["requestBody"]["content"][FORM]["schema"])
        known = set(_properties(schema))
        for name in form:
            if name not in known:
                raise Invalid(f"{where}: field {name} is not described")
        texts = {"text", "code", "code_verifier", "fen", "client_id", "redirect_uri"}
        body = {name: text if name in texts else _value(text) for name, text in form.items()}
        self._check_inline(template, schema, body, where)

    def _file(self, template: str) -> Path | None:
        reference = self._paths.get(template)
        path = (self._folder / reference["$ref"]).resolve() if reference else None
        return path if path and path.is_file() else None

    def _schema(self, method: str, template: str, status: int, mime: str) -> str:
        schemas = self._folder / "schemas"
        if status == 200 and (template, mime) in _SCHEMA_ALONE:
            return (schemas / f"{_SCHEMA_ALONE[template, mime]}.yaml").as_uri()
        operation = self.operation(method, template) or {}
        content = operation.get("responses", {}).get(str(status), {}).get("content", {})
        path = self._file(template)
        if path and mime in content:
            steps = (method.lower(), "responses", str(status), "content", mime, "schema")
            return f"{path.as_uri()}#{_pointer(*steps)}"
        if status >= 400:
            return (schemas / "Error.yaml").as_uri()
        raise Invalid(f"{method} {template}: an answer {status} of type {mime} is not described")

    def _check(self, uri: str, body: object, where: str) -> None:
        if uri not in self._validators:
            self._validators[uri] = Draft202012Validator({"$ref": uri}, registry=self._registry)
        self._raise(self._validators[uri], body, where)

    def _check_inline(self, template: str, schema: object, body: object, where: str) -> None:
        path = self._file(template)
        assert path
        base = {"$id": path.as_uri(), "allOf": [schema]}
        self._raise(Draft202012Validator(base, registry=self._registry), body, where)

    @staticmethod
    def _raise(validator: Draft202012Validator, body: object, where: str) -> None:
        if validator.is_valid(body):
            return
        error = best_match(validator.iter_errors(body))
        assert error is not None
        raise Invalid(f"{where}: {error.json_path}: {error.message} in {body!r}")


def _value(text: str) -> object:
    """What a field of a form stands for."""
    if text in ("true", "false"):
        return text == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _properties(schema: object) -> Iterator[str]:
    """The names of all fields that a schema of a form has in any of its parts."""
    if isinstance(schema, dict):
        properties = schema.get("properties", {})
        yield from properties
        for part in ("allOf", "anyOf", "oneOf"):
            for one in schema.get(part, ()):
                yield from _properties(one)
