"""Writes the page of the soak from the record of a run."""

import json
from collections import namedtuple

BEGIN, END = "<!-- written by scripts/soak: begin -->", "<!-- written by scripts/soak: end -->"
P99_MILLIS = 250  # the limit for attempts outside of faults
MINUTE = 60_000_000

# A metric may grow by percent and more. For processes it is the value of the first application, which is never killed.
Metric = namedtuple("Metric", "text is_bytes percent more value")


def of_first(name):
    return lambda sample: next((process[name] for process in sample["processes"] if process["place"] == 0), None)


def of_redis(name):
    return lambda sample: sample["redis"] and sample["redis"][name]


METRICS = [
    Metric("heap after a full collection", True, 10, 2 << 20, of_first("liveHeap")),
    Metric("threads", False, 5, 3, of_first("threads")),
    Metric("open files", False, 5, 5, of_first("files")),
    Metric("memory of Redis", True, 10, 2 << 20, of_redis("usedMemory")),
    Metric("keys in Redis", False, 5, 20, of_redis("keys")),
    Metric("waiting and leased tasks", False, 10, 200, of_redis("live")),
]


def show(metric, value):
    return "-" if value is None else f"{value / 1048576:.1f} MiB" if metric.is_bytes else str(value)


def allowance(metric):
    return f"{metric.percent}% and {show(metric, metric.more)}"


class Run:
    """The record of a run, which may have been aborted at any time."""

    def __init__(self, folder):
        def read(name):
            path = folder / f"{name}.jsonl"
            text = path.read_text() if path.exists() else ""
            # the process may have ended within the last line
            return [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]
        self.samples, self.slices = read("samples"), read("lateness")
        self.facts, self.judgement = (read("run") or [None])[-1], (read("judgement") or [None])[-1]
        if not self.facts or not self.samples:
            raise SystemExit("soak: there is no run")
        self.faults = list({fault["from"]: fault for fault in read("faults")}.values())
        self.begin = self.facts["from"]
        self.end = min(self.begin + self.facts["seconds"] * 1_000_000, self.samples[-1]["micros"])

    def minutes(self, micros):
        return (micros - self.begin) // MINUTE

    def trends(self):
        """Returns each metric with its medians in the second quarter, after the warm-up, and in the last quarter."""
        quarter = (self.end - self.begin) // 4

        def median(metric, start, stop):
            values = sorted(value for value in (metric.value(sample) for sample in self.samples
                                                if start <= sample["micros"] < stop) if value is not None)
            return values[len(values) // 2] if values else None
        return [(metric, median(metric, self.begin + quarter, self.begin + 2 * quarter),
                 median(metric, self.end - quarter, self.end + 1)) for metric in METRICS]

    def problems(self):
        if self.judgement is None:
            yield f"the run was aborted after {self.minutes(self.end)} minutes; lost tasks were not checked"
        else:
            yield from (f"the checker found {rule}" for rule in self.judgement["broken"])
        yield from filter(None, (problem(*trend) for trend in self.trends()))
        for number, one in enumerate(self.slices, 1):
            part = f"slice {number} of {one['seconds'] // 60} minutes"
            if one["calm"]["count"] == 0:
                yield f"{part}: no attempt outside of faults"
            elif one["calm"]["p99Micros"] > P99_MILLIS * 1000:
                yield f"{part}: p99 of {one['calm']['p99Micros'] // 1000} ms outside of faults, more than {P99_MILLIS} ms"
        yield from (f"{fault['name']} did not end" for fault in self.faults if fault["to"] is None)


def problem(metric, second, last):
    """Returns the problem, or None if the metric is flat. A metric without measurements is a problem."""
    if second is None or last is None:
        return f"{metric.text}: not measured in the {'second' if second is None else 'last'} quarter"
    if last <= second + second * metric.percent // 100 + metric.more:
        return None
    return (f"{metric.text} grew from {show(metric, second)} in the second quarter to {show(metric, last)} in the last; allowed are"
            f" {allowance(metric)}")


def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def lateness(one):
    return [one["count"], *(round(one[name] / 100) / 10 for name in ("p50Micros", "p99Micros", "maxMicros"))]


def section(run):
    facts, problems = run.facts["facts"], list(run.problems())
    yield (f"A run of {run.facts['seconds'] // 60} minutes with {len(run.faults)} faults, started at {facts['begun']} on commit"
           f" `{facts['commit']}`: " + ("**failed**." if problems else "**passed**."))
    yield ""
    if problems:
        yield from (f"- {each}" for each in problems)
        yield ""
    if run.judgement:
        yield ("| scheduled | unknown outcome | delivered | dead | cancelled | lost | early | duplicates explained / unexplained |")
        yield "| --: | --: | --: | --: | --: | --: | --: | --: |"
        yield row(*(run.judgement[name] for name in ("scheduled", "unknown", "delivered", "dead", "cancelled", "lost", "early")),
                  f"{run.judgement['explained']} / {run.judgement['unexplained']}")
        yield ""
    yield from ("### Resources", "", "| median | second quarter | last quarter | allowed growth | |",
                "| --- | --: | --: | --: | --- |")
    for metric, second, last in run.trends():
        yield row(metric.text, show(metric, second), show(metric, last), allowance(metric),
                  "**not flat**" if problem(metric, second, last) else "flat")
    yield from ("", "### Lateness", "",
                f"First attempts, in milliseconds. Outside of faults, 99% must start within {P99_MILLIS} ms.", "",
                "| minutes | attempts outside of faults | p50 | p99 | max | all attempts | p50 | p99 | max |",
                "| --- | --: | --: | --: | --: | --: | --: | --: | --: |")
    for number, one in enumerate(run.slices):
        minutes = one["seconds"] / 60
        yield row(f"{number * minutes:g} to {(number + 1) * minutes:g}", *lateness(one["calm"]), *lateness(one["all"]))
    yield from ("", "### Faults", "", "| minute | fault | description | seconds |", "| --: | --- | --- | --: |")
    for fault in run.faults:
        yield row(run.minutes(fault["from"]), f"`{fault['name']}`", fault["description"],
                  "-" if fault["to"] is None else (fault["to"] - fault["from"]) // 1_000_000)
    yield from ("", "### Measured on", "")
    yield from (f"- {name}: {value}" for name, value in facts.items())
    yield f"- to repeat the same faults: `--seed {run.facts['seed']}`"


def page(lines, run):
    return lines[:lines.index(BEGIN) + 1] + ["", *section(run), ""] + lines[lines.index(END):]
