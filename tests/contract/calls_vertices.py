"""How to call vertices: the best splits of a node."""

from __future__ import annotations

from contract.arguments import choice, integer, number, rng, size, thing
from contract.entries import Entry
from contract.inputs import ANSWER
from contract.roles import few_odd, shares, weights
from splitcrit import impurities, losses, vertices
from splitcrit.criteria.facts import Facts
from splitcrit.noise import symmetric

CRITERION = thing(impurities.gini, losses.square, symmetric(0.25))
LIMIT = number(1.0)

P = shares(odd=few_odd, a_single_one="either")
ENTRIES = {
    "vertices.optimal_vertex": Entry(
        vertices.optimal_vertex,
        {
            "p": weights(4),
            "p/shares": shares(),
            "criterion": CRITERION,
            "method": choice("auto", "closed_form", "bitset", "meet_in_the_middle", "karmarkar_karp", "brute_force"),
            "most_ties": integer(4),
            "steps": size(50),
            "limit": LIMIT,
            "facts": thing(Facts((("vertex-optimal split", "all", "holds"),)), none=ANSWER),
        },
        needed=("p", "criterion"),
        rounds=2,
    ),
    "vertices.vertex_landscape": Entry(
        vertices.vertex_landscape,
        {
            "p": weights(4),
            "p/shares": shares(),
            "criterion": CRITERION,
            "best": integer(2, none="either"),
            "limit": LIMIT,
        },
        ("p", "criterion"),
        lambda found: (found.share, found.value),
        rounds=2,
    ),
    "vertices.fractional_optimum": Entry(
        lambda p, criterion=impurities.gini, starts=20, rng=3: vertices.fractional_optimum(
            p, criterion, starts=starts, rng=rng
        ),
        {"p": weights(3, odd=few_odd), "criterion": CRITERION, "starts": size(5), "rng": rng()},
        needed=("p",),
        rounds=1,
        tolerance=1e-5,
    ),
    "vertices.near_ties": Entry(
        lambda classes=4, nodes=20, width=0.05, rng=3: vertices.near_ties(classes, nodes, width=width, rng=rng),
        {"classes": integer(4), "nodes": size(20), "width": number(), "rng": rng()},
        nan=True,
        rounds=1,
    ),
    "vertices.Landscape": Entry(
        lambda width: vertices.vertex_landscape([5, 3, 2], impurities.gini).within(width), {"width": number()}, rounds=1
    ),
    "vertices.Vertex": Entry(lambda p: vars(vertices.optimal_vertex(p, impurities.gini)), {"p": weights(3)}, rounds=1),
    "vertices.NearTies": Entry(
        lambda width: vars(vertices.near_ties(4, 20, width=width)), {"width": number()}, nan=True, rounds=1
    ),
    "vertices.FractionalSplit": Entry(
        lambda p: vertices.fractional_optimum(p, impurities.gini, starts=5).value, {"p": P}, rounds=1, tolerance=1e-5
    ),
}
