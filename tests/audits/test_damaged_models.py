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
    head, some, rest = data[:at], data[at : at + length], data[at + length :]
    put = rng.integers(0, 256, length).astype(np.uint8).tobytes()
    ways = [head, head + rest, head + some * 2 + rest, head + put + some + rest, head + b"\xff\xfe" + data[at + 1 :]]
    return ways[rng.integers(len(ways))]


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
    ways = [[below], str(below), *(copy.deepcopy(ODD[place]) for place in rng.integers(len(ODD), size=3))]
    if isinstance(below, list):
        ways += [below[: rng.integers(len(below) + 1)], below * 2]
    elif isinstance(below, int | float):
        ways.append([-below, below + 1, below - 1, below * 10**6, below + 0.5][rng.integers(5)])
    held[key] = ways[rng.integers(len(ways))]
    if rng.random() < 0.15:
        del held[key]


def damaged_lines(text: str, rng: np.random.Generator) -> str:
    """A text of lines ``name=value value`` in which one to three are lost, repeated or have other values."""
    lines = text.split("\n")
    for _ in range(rng.integers(1, 4)):
        at = int(rng.integers(len(lines)))
        name, sign, values = lines[at].partition("=")
        each = values.split(" ")
        fewer, odd = each[: rng.integers(len(each))], [*each]
        odd[rng.integers(len(each))] = f"{ODD[rng.integers(len(ODD))]}"
        ways = [[], [name], *([f"{name}{sign}{' '.join(some)}"] for some in (fewer, each * 2, odd, odd))]
        lines[at : at + 1] = ways[rng.integers(len(ways))]
        lines = lines or [""]
    return "\n".join(lines)


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
    """The text of a model of two trees, by numbers and by a category; or a recorded one of CatBoost."""
    if library not in LIBRARIES:
        model = json.loads((Path(__file__).parent / "catboost_models.json").read_text())[library]["model"]
        model["model_info"] = {"class_params": {"class_names": [0, 1]}}
        return json.dumps(model).encode()
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


@pytest.mark.parametrize(
    ("library", "times"), [("xgboost", 300), ("lightgbm", 300), ("two classes", 150), ("depthwise", 150)]
)
def test_damaged_models_raise_sentences(library: str, times: int) -> None:
    data, rng = written(library), np.random.default_rng(1)
    lines = library == "lightgbm"
    assert not raised(data.decode() if lines else data)
    for _ in range(times):
        if rng.random() < 0.8:
            text: Any = damaged_lines(data.decode(), rng) if lines else damaged_json(json.loads(data), rng)
        else:
            text = damaged_bytes(data, rng)
            text = text.decode(errors="surrogateescape") if lines else text
        assert not (other := raised(text)), f"{other}\n{text!r}"


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("end", ["of a file", "in a file"])
def test_a_model_that_was_cut_off_is_refused_or_read(library: str, end: str) -> None:
    data = written(library)
    for at in range(0, len(data), 37):
        text = data[:at] if end == "of a file" else data[:at] + data[at + 50 :]
        assert not raised(text if library == "xgboost" else text.decode())
