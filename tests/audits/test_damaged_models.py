"""A model that was damaged on its way is read, or refused in one sentence: nothing else is raised, whatever it says."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splitcrit.audits import audit
from splitcrit.audits.published_models import published_model
from splitcrit.frozen import is_ours

ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 7, 20_000_000, 2**31, 2**63, -(2**63) - 1, 10**30, 0.5, -0.0, 1e300, float("inf"),
    float("nan"), "", "x", "-1", "1e5", "nan", "20000000", "1" * 5000, "\x00", "é\ud800", [], {}, [[]], [1], [1, 2, 3],
    [None], ["a", 1], {"a": 1}, [[[[[1]]]]],
)  # fmt: skip


def damaged_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    """Bytes of which some are lost, exchanged, repeated or no UTF-8."""
    at, length = int(rng.integers(len(data) + 1)), int(rng.integers(1, 40))
    kind = rng.integers(5)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[at + length :]
    if kind == 2:
        return data[:at] + data[at : at + length] * 2 + data[at + length :]
    put = rng.integers(0, 256, length).astype(np.uint8).tobytes() if kind == 3 else b"\xff\xfe"
    return data[:at] + put + data[at + (kind == 4) :]


def damaged_json(model: Any, rng: np.random.Generator) -> str:
    """The text of a JSON value in which one to three entries are changed, moved or lost."""
    found = copy.deepcopy(model)
    for _ in range(rng.integers(1, 4)):
        _damage(found, rng)
    return json.dumps(found)


def _damage(held: Any, rng: np.random.Generator) -> None:
    """Change a place that is found by a walk down from the top."""
    while True:
        keys = list(held) if isinstance(held, dict) else list(range(len(held)))
        if not keys:
            return
        key = keys[rng.integers(len(keys))]
        below = held[key]
        if not (isinstance(below, dict | list) and len(below)) or rng.random() < 0.15:
            break
        held = below
    kind = rng.integers(8)
    if kind == 0:
        del held[key]
    elif kind == 1:
        held[key] = [below]
    elif kind == 2 and isinstance(below, list):
        held[key] = below[: rng.integers(len(below) + 1)]
    elif kind == 3 and isinstance(below, list):
        held[key] = below * 2
    elif kind == 4 and isinstance(below, int | float):
        held[key] = [-below, below + 1, below - 1, below * 10**6, below + 0.5][rng.integers(5)]
    elif kind == 5:
        held[key] = str(below)
    else:
        held[key] = copy.deepcopy(ODD[rng.integers(len(ODD))])


def damaged_lines(text: str, rng: np.random.Generator) -> str:
    """A text of lines ``name=value value`` in which one to three are lost, repeated or have other values."""
    lines = text.split("\n")
    for _ in range(rng.integers(1, 4)):
        at = int(rng.integers(len(lines)))
        name, sign, values = lines[at].partition("=")
        each, kind = values.split(" "), rng.integers(6)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines[at] = name
        elif kind == 2:
            lines[at] = f"{name}{sign}{' '.join(each[: rng.integers(len(each))])}"
        elif kind == 3:
            lines[at] = f"{name}{sign}{values} {values}"
        else:
            each[rng.integers(len(each))] = f"{ODD[rng.integers(len(ODD))]}"
            lines[at] = f"{name}{sign}{' '.join(each)}"
        lines = lines or [""]
    return "\n".join(lines)


# A model that was damaged on its way is read, or refused in one sentence: nothing else is raised, whatever it says.

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.normal(size=200), RNG.integers(-2, 3, 200), RNG.integers(0, 12, 200)])
Y = ((X[:, 0] > 0) ^ (X[:, 2] % 3 == 0)).astype(int)
LIBRARIES = ["xgboost", "lightgbm"]


def raised(text: Any) -> str:
    """What a text raises that is no sentence of ours; "" if it is audited, or refused by one."""
    try:
        audit(published_model(text), X, Y)
    except Exception as error:
        return "" if is_ours(error) and isinstance(error, ValueError | TypeError) else repr(error)
    return ""


def written(library: str) -> bytes:
    """The text of a model of two trees, by numbers and by a category."""
    module, names = pytest.importorskip(library), ["a", "b", "c"]
    if library == "xgboost":
        options = {"objective": "binary:logistic", "max_depth": 3, "nthread": 1, "max_cat_to_onehot": 2}
        types: Any = {"feature_types": ["q", "q", "c"], "enable_categorical": True, "feature_names": names}
        return bytes(module.train(options, module.DMatrix(X, Y, **types), 2).save_raw("json"))
    options = {"objective": "binary", "verbose": -1, "num_threads": 1, "min_data_in_leaf": 5, "min_data_per_group": 5,
               "cat_smooth": 1, "max_cat_to_onehot": 2, "num_leaves": 6}  # fmt: skip
    rows = module.Dataset(X, Y, categorical_feature=[2], feature_name=names)
    text = module.train(options, rows, 2).model_to_string().partition("\nparameters:")[0]
    return f"{text}\n[bagging_freq: 0]\n[data_sample_strategy: bagging]\npandas_categorical:null\n".encode()


@pytest.mark.parametrize("library", LIBRARIES)
def test_damaged_models_raise_sentences(library: str) -> None:
    data, rng = written(library), np.random.default_rng(1)
    assert not raised(data if library == "xgboost" else data.decode())
    for _ in range(600):
        if library == "xgboost":
            text: Any = damaged_json(json.loads(data), rng) if rng.random() < 0.8 else damaged_bytes(data, rng)
        elif rng.random() < 0.8:
            text = damaged_lines(data.decode(), rng)
        else:
            text = damaged_bytes(data, rng).decode(errors="surrogateescape")
        assert not (other := raised(text)), f"{other}\n{text!r}"


@pytest.mark.parametrize("name", ["two classes", "depthwise"])
def test_damaged_models_of_catboost_raise_sentences(name: str) -> None:
    model = json.loads((Path(__file__).parent / "catboost_models.json").read_text())[name]["model"]
    model["model_info"] = {"class_params": {"class_names": [0, 1]}}
    assert not raised(json.dumps(model))
    rng, data = np.random.default_rng(2), json.dumps(model).encode()
    for _ in range(300):
        text: Any = damaged_json(model, rng) if rng.random() < 0.8 else damaged_bytes(data, rng)
        assert not (other := raised(text)), f"{other}\n{text!r}"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("end", ["of a file", "in a file"])
def test_a_model_that_was_cut_off_is_refused_or_read(library: str, end: str) -> None:
    data = written(library)
    for at in range(0, len(data), 37):
        text = data[:at] if end == "of a file" else data[:at] + data[at + 50 :]
        assert not raised(text if library == "xgboost" else text.decode())
