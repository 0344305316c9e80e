"""Writes the tables of evidence/docs/fault-runs.md from the records beside it."""

import json
import re

HEADS = {
    "cells": ["| cell | fault | servers | library | runs | scheduled | delivered | dead | cancelled | lost | duplicates"
              " explained / unexplained | early | p99 late | overdue attempted within | p99 late afterwards | verdict |",
              "| --- | --- | --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --- |"],
    "rounds": ["| rounds | library | runs | result | verdict |", "| --- | --- | --- | --- | --- |"],
    "mutants": ["| mutant | cell | library | runs | delivered | lost | verdict |",
                "| --- | --- | --- | --- | --: | --: | --- |"],
}


def code(value):
    return f"`{value}`"


def distinct(values):
    return ", ".join(dict.fromkeys(value for value in values if value is not None))


def figures(runs):
    return [run["outcome"]["figures"] for run in runs if run["outcome"].get("figures")]


def total(runs, name):
    return sum(figure[name] for figure in figures(runs))


def most(runs, name):
    values = [figure[name] for figure in figures(runs) if figure[name] is not None]
    return f"{max(values)} ms" if values else "-"


def libraries(runs):
    return distinct("-" if run["library"] is None else code(run["library"]) for run in runs)


def lengths(runs):
    """Returns, for example: 2 of 120 s, 2026-11-23."""
    seconds = " and ".join(str(length) for length in sorted({run["seconds"] for run in runs}))
    return f"{len(runs)} of {seconds} s, {distinct(sorted(run['day'] for run in runs))}"


def in_words(run):
    outcome = run["outcome"]
    rules = ", ".join(code(rule) for rule in outcome["broken"])
    return {"KEPT": "kept", "BROKEN": f"**broken**: {rules}", "CONVICTED": f"convicted by {rules}", "FAILED": "**could not be run**",
            "ACQUITTED": "**acquitted**" + (f", though it broke {rules}" if rules else "")}[outcome["ending"]]


def verdict(runs):
    said = list(dict.fromkeys(in_words(run) for run in runs))
    words = said[0] if len(said) == 1 else "; ".join(f"seed {run['seed']} {in_words(run)}" for run in runs)
    notes = "; ".join(note if run["seed"] is None else f"seed {run['seed']}: {note}" for run in runs for note in run["notes"])
    return f"{words} ({notes})" if notes else words


def cell_row(name, runs):
    allowed = total(runs, "lossAllowed")
    return [code(name), distinct(run["description"] for run in runs), distinct(run["outcome"]["servers"] for run in runs),
            libraries(runs), lengths(runs), *(str(total(runs, what)) for what in ("scheduled", "delivered", "dead", "cancelled")),
            f"{total(runs, 'lost')}" + (f" (+{allowed}: {distinct(run['loss'] for run in runs)})" if allowed else ""),
            f"{total(runs, 'explained')} / {total(runs, 'unexplained')}", str(total(runs, "early")),
            most(runs, "p99"), most(runs, "recovery"), most(runs, "afterwardsP99"), verdict(runs)]


def rounds_row(name, runs):
    """Shows the output lines of rounds without name and verdict."""
    lines = (re.sub(r", broken .*$", "", re.sub(r"^\S+ +(ok|FAIL) +", "", run["outcome"]["line"])) for run in runs)
    return [code(name), libraries(runs), lengths(runs), "; ".join(lines), verdict(runs)]


def mutant_row(name, runs):
    there = figures(runs)
    return [code(name), code(runs[0]["cell"]), libraries(runs), lengths(runs),
            str(total(runs, "delivered")) if there else "-", str(total(runs, "lost")) if there else "-", verdict(runs)]


def tables(records):
    """Returns the rows of each table, in the order of the records."""
    grouped = {}
    for run in records:
        kind = "mutants" if run["mutant"] else "rounds" if run["description"] is None else "cells"
        grouped.setdefault((kind, run["mutant"] or run["cell"]), []).append(run)
    rows = {"cells": cell_row, "rounds": rounds_row, "mutants": mutant_row}
    return {table: head + ["| " + " | ".join(rows[table](name, runs)) + " |"
                           for (kind, name), runs in grouped.items() if kind == table]
            for table, head in HEADS.items()}


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def page(lines, records):
    for table, rows in tables(records).items():
        begin, end = f"<!-- written by scripts/report faults: {table} -->", f"<!-- end of {table} -->"
        first, last = lines.index(begin), lines.index(end)
        lines = lines[:first + 1] + ["", *rows, ""] + lines[last:]
    return lines
