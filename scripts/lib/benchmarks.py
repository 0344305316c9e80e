"""Writes the page of the benchmarks: the measurements, compared with the targets."""

import json
import math
from collections import namedtuple
from decimal import ROUND_HALF_UP, Context, Decimal

SUFFIXES = {"none": "", "everysec": ", AOF everysec", "cluster": ", cluster", "postgres": ", PostgreSQL", "mariadb": ", MariaDB"}
WITH_OUTBOX = ("W12", "W13", "W14", "W15")
IN_TURNS = ("W1", "W16", "W17")  # all subjects run at the same time, so values of the same turn are compared
OWN = "delayqueue"
HAD_PROBLEMS = "had problems"
NOT_MEASURED = "not measured"

# at_least: whether the bound is a minimum. peer: the subject to compare with; None to judge the value alone. difference:
# whether to subtract the peer's value instead of dividing by it. bound: None to show the ratio without a judgement.
Target = namedtuple("Target", "workload metric bound at_least subject peer peer_metric difference",
                    defaults=(False, OWN, None, "", False))
Summary = namedtuple("Summary", "median min max lower upper")
Verdict = namedtuple("Verdict", "target own base measured")
Measured = namedtuple("Measured", "value turns")


def at_most(workload, metric, bound):
    return Target(workload, metric, bound)


def at_least_value(workload, metric, bound):
    return Target(workload, metric, bound, at_least=True)


def at_least(workload, metric, ratio, peer, subject=OWN):
    return Target(workload, metric, ratio, True, subject, peer, metric)


def no_more_than(workload, metric, ratio, peer):
    return Target(workload, metric, ratio, False, OWN, peer, metric)


def at_most_above(workload, metric, above, peer):
    return Target(workload, metric, above, False, OWN, peer, metric, True)


def at_least_of_own(workload, metric, ratio, base):
    return Target(workload, metric, ratio, True, OWN, OWN, base)


def at_most_of_own(workload, metric, ratio, base):
    return Target(workload, metric, ratio, False, OWN, OWN, base)


def targets():
    """Yields the targets of this library."""
    yield at_least("W1", "1 thread", 0.9, "bare-script")
    yield at_least("W1", "8 threads", 1, "bare-script")
    yield at_least("W1", "batches of 500", 0.7, "bare-script")
    for call in ("1 thread", "8 threads", "batches of 500"):
        yield at_least("W1", call, 1, "redisson")
    for flood in ("30,000", "50,000"):
        yield at_least("W2a", f"{flood} due at once", 50, "redisson")
        yield at_least("W2a", f"{flood} due at once", 6, "bullmq")
    for flood in ("30,000", "50,000"):
        for subject in ("metrics", "traced", "history", "observed"):
            yield at_least("W16", f"{flood} due at once", 0.95, "delayqueue-plain", f"delayqueue-{subject}")
    yield at_most("W4", "1 queue: commands", 1.5)._replace(subject="delayqueue-observed")
    yield at_least_of_own("W2b", "100,000 due at once", 0.95, "30,000 due at once")
    yield at_least_of_own("W2b", "200,000 due at once", 0.95, "50,000 due at once")
    yield at_least_of_own("W2b", "1,000,000 due at once", 0.95, "50,000 due at once")
    for flood in ("50,000", "200,000"):
        classic = f"{flood} due at once, classic queue"
        yield at_least("W2c", classic, 0.65, "bare-confirms-told")
        yield at_least("W2c", f"{classic} with a consumer", 1, "loop")
        yield at_least("W2c", f"{flood} due at once, quorum queue", 0.6, "bare-confirms")
    for percentile in ("p50", "p99"):
        yield no_more_than("W3", percentile, 1.8, "bare-timer-script")
    for peer in ("loop", "loop-100ms", "redisson", "bullmq", "db-scheduler", "ttl-dlx", "rqueue-tuned"):
        yield no_more_than("W3", "p99", 1, peer)
    yield at_most_above("W3", "max", 15, "bare-timer")
    yield at_most("W3", "early", 0)
    for variant in ("", ", empty"):
        yield at_most("W4", f"1 queue{variant}: commands", 0.5)
        yield at_most("W4", f"20 queues{variant}: commands", 5)
        yield no_more_than("W4", f"1 queue{variant}: CPU", 1, "redisson")
        yield no_more_than("W4", f"20 queues{variant}: CPU", 1, "redisson")
    yield at_most("W5", "bytes a task", 430)
    yield at_least("W6", "100,000 pending", 0.9, "loop")
    for rate in ("schedule", "cancel", "drain"):
        yield at_least_of_own("W7", f"{rate}, 10,000,000 pending", 0.7, f"{rate}, 10,000 pending")
    for shards in (1, 4, 8):
        for processes in (1, 2, 4):
            yield at_most("W8", f"empty acquires a task, {processes} processes, {shards} shards", 0.05)
        spent = "CPU of all a task, {} processes, " + f"{shards} shards"
        yield at_most_of_own("W8", spent.format(4), 1.4, spent.format(1))
        spent = "CPU of all but the compilers a task, {} processes, " + f"{shards} shards"
        yield at_most_of_own("W8", spent.format(4), None, spent.format(1))
    yield at_most("W9", "p99", 20)
    yield at_most("W9", "early", 0)
    yield at_most("W9", "threads", 99)
    for flood in ("200,000", "1,000,000"):
        name = f"{flood} beside another queue: "
        yield at_least_of_own("W10", f"{name}rate", 0.95, "50,000 beside another queue: rate")
        yield at_most("W10", f"{name}scripts over 10 ms", 0)
        yield at_most("W10", f"{name}other queue's p99", 20)
        yield at_most_of_own("W10", f"{name}heap, most", 2, f"{name}heap, before")
    yield at_most("W11", "start, to that of its parts", 1.1)
    yield at_most("W11", "first task late", 20)
    for threads in ("1 thread", "8 threads"):
        yield at_least("W12", threads, 0.8, "plain-inserts")
    yield at_most("W13", "p99", 10)
    yield at_least_value("W14", "rate", 20_000)
    yield at_least_of_own("W14", "rate, last tenth", 0.8, "rate, second tenth")
    yield at_most("W15", "queries", 1)
    for flood in ("30,000", "50,000"):
        for subject, ratio in (("key-rate", 0.7), ("key-concurrency", 0.7), ("key-both", 0.55)):
            yield at_least("W17", f"{flood} due at once", ratio, "delayqueue-keyed", f"delayqueue-{subject}")
    yield at_most("W18", "others' p99 beside a large key, to that without", 2)
    yield at_most("W18", "others' p99 per 100,000 tasks that are put aside", 1_000)
    yield at_least_value("W18", "put aside a second", 100_000)
    yield at_most("W18", "other clinics' p99", 4_800)
    for processes in ("1 process", "2 processes"):
        yield Target("W19", f"intake, {processes}", 0.7, True, OWN, "bare-intake", "intake, 1 process")
    yield at_least_of_own("W19", "publish", 0.9, "publish to a plain quorum queue")


def rounded(value, decimals):
    """Returns the rounded value with thousands separators. Rounds halves up."""
    return f"{Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):,}"


def text(value):
    """Returns the value with its significant digits."""
    size = abs(value)
    if size >= 100 or value == round(value):
        return rounded(value, 0)
    if size < 0.1:
        return format(Context(prec=2, rounding=ROUND_HALF_UP).plus(Decimal(repr(float(value)))), "f")
    return rounded(value, 1 if size >= 10 else 2)


def beside(bound, value):
    """Returns the value with enough digits to show on which side of the bound it is."""
    def side(number):
        return (number > bound) - (number < bound)
    shown = text(value)
    decimals = len(shown.partition(".")[2])
    while bound is not None and decimals < 17 and side(float(shown.replace(",", ""))) != side(value):
        decimals += 1
        shown = rounded(value, decimals)
    return shown


def unit_of(workload, metric):
    for start, unit in (("empty acquires", "calls a task"), ("CPU of ", "us a task"), ("compilers' part", "us a task"),
                        ("processors busy", "processors")):
        if metric.startswith(start):
            return unit
    if "sent a second" in metric:
        return "tasks/s"
    if workload in ("W3", "W9"):
        return "tasks" if metric.startswith("early") else "threads" if metric.startswith("threads") else "ms"
    if workload == "W10":
        return ("tasks/s" if metric.endswith("rate") else "MiB" if "heap" in metric
                else "calls" if "scripts over" in metric else "ms")
    if workload == "W4":
        return "ms of CPU/s" if "CPU" in metric else "commands/s"
    if workload == "W19":
        return "ms" if metric.startswith("lateness") else "bytes" if metric.startswith("bytes") else "messages/s"
    if workload == "W15":
        return "ms of CPU/s" if metric.startswith("CPU") else "queries/s"
    if workload == "W11" and "to that" in metric:
        return "times"
    if workload == "W18":
        return "tasks/s" if metric.endswith("a second") else "times" if "to that" in metric else "ms"
    return {"W11": "ms", "W5": "bytes", "W12": "transactions/s", "W13": "ms"}.get(workload, "tasks/s")


def better(unit):
    return {"tasks/s": "more", "messages/s": "more", "transactions/s": "more", "processors": ""}.get(unit, "less")


def summary(values):
    values = sorted(values)
    if not values:
        return None

    def at(share):
        place = share * (len(values) - 1)
        below = int(place)
        return values[below] + (place - below) * (values[min(below + 1, len(values) - 1)] - values[below])
    return Summary(at(0.5), at(0), at(1), at(0.25), at(0.75))


def metrics_of(run):
    """Adds the processor time without the compilers, because their share is large in short runs."""
    metrics = run["outcome"]["metrics"]
    if run["workload"] != "W8":
        return metrics
    more = {}
    for name, value in metrics.items():
        more[name] = value
        if name.startswith("CPU of all a task"):
            flood = name[len("CPU of all a task"):]
            jvms, compilers = metrics.get("CPU of the JVMs a task" + flood), metrics.get("compilers' part of it" + flood)
            if is_number(jvms) and is_number(compilers) and compilers < jvms:
                more["CPU of all but the compilers a task" + flood] = value - compilers
    return more


def is_number(value):
    return isinstance(value, (int, float)) and math.isfinite(value)


class Results:
    """Finds values in runs."""

    def __init__(self, runs):
        self.runs = runs

    def of(self, workload, subject=None):
        return [run for run in self.runs if run["workload"] == workload and subject in (None, run["subject"])]

    def variant(self, variant):
        return Results([run for run in self.runs if run["variant"] == variant])

    def workloads(self):
        return list(dict.fromkeys(run["workload"] for run in self.runs))

    def subjects(self, workload):
        return list(dict.fromkeys(run["subject"] for run in self.of(workload)))

    def metrics(self, workload, subject=None):
        subjects = self.subjects(workload) if subject is None else [subject]
        return list(dict.fromkeys(metric + SUFFIXES[run["variant"]] for each in subjects for run in self.of(workload, each)
                                  for metric in metrics_of(run)))

    def measured(self, workload, subject, metric):
        """Returns the values by round. Omits runs with problems, and values that are not numbers."""
        measured = {}
        for run in self.of(workload, subject):
            if not run["outcome"]["problems"]:
                for name, value in metrics_of(run).items():
                    if name + SUFFIXES[run["variant"]] == metric and is_number(value):
                        samples = run["outcome"].get("samples") or {}
                        measured[run["round"]] = Measured(value, samples.get(name, []) if workload in IN_TURNS else [])
        return dict(sorted(measured.items()))

    def values(self, workload, subject, metric):
        return [measured.value for measured in self.measured(workload, subject, metric).values()]

    def pairs(self, workload, own, own_metric, peer, peer_metric):
        """Pairs values of the same turn, or else of the same round, because a disturbance affects both."""
        pairs, theirs = [], self.measured(workload, peer, peer_metric)
        for round_, measured in self.measured(workload, own, own_metric).items():
            other = theirs.get(round_)
            if other and measured.turns and len(measured.turns) == len(other.turns):
                pairs += zip(measured.turns, other.turns)
            elif other:
                pairs.append((measured.value, other.value))
        return pairs

    def problems(self, own):
        return [f"{run['workload']}, {run['subject']}, round {run['round']}: {problem}" for run in self.runs
                if run["subject"].startswith(OWN) == own for problem in run["outcome"]["problems"]]

    def judge(self):
        verdicts = (judged(target._replace(metric=target.metric + suffix, peer_metric=target.peer and target.peer_metric + suffix),
                           self.variant(variant)) for target in targets() for variant, suffix in SUFFIXES.items())
        return [verdict for verdict in verdicts if verdict]


def ratios(pairs):
    """Omits pairs whose second value is 0, because a time, rate or cost of 0 was not measured."""
    return [own / theirs for own, theirs in pairs if theirs > 0]


def judged(target, results):
    """Judges the runs of one variant. Returns None if they do not measure the target."""
    subjects = results.subjects(target.workload)
    if target.subject not in subjects or target.peer and target.peer not in subjects:
        return None
    # If all runs of a subject failed, the metrics of its peer show whether these runs measure this size. If the peer has none
    # either, judges the target, so that it is not forgotten.
    there, name = results.metrics(target.workload, target.subject), target.metric
    if not there and target.peer:
        there, name = results.metrics(target.workload, target.peer), target.peer_metric
    if there and name not in there:
        return None
    own = summary(results.values(target.workload, target.subject, target.metric))
    if not target.peer:
        return Verdict(target, own, None, own)
    pairs = results.pairs(target.workload, target.subject, target.metric, target.peer, target.peer_metric)
    return Verdict(target, own, summary(results.values(target.workload, target.peer, target.peer_metric)),
                   summary([one - other for one, other in pairs] if target.difference else ratios(pairs)))


def is_met(verdict):
    """Returns whether the target is met. A target without a measurement is missed."""
    target, measured = verdict.target, verdict.measured
    if target.bound is None:
        return True
    return bool(measured) and (measured.median >= target.bound if target.at_least else measured.median <= target.bound)


def undecided(verdict):
    """Marks a target if its bound is between the quartiles, so another run may have the other verdict."""
    target, measured = verdict.target, verdict.measured
    between = target.bound is not None and measured and measured.lower < target.bound < measured.upper
    return " (undecided)" if between else ""


def what(target):
    return target.metric if target.subject == OWN else f"{target.metric}, {target.subject}"


def bounded(target):
    sign = ">=" if target.at_least else "<="
    if target.difference:
        return f"{sign} {target.peer} + {text(target.bound)}"
    bound = "none," if target.bound is None else f"{sign} {text(target.bound)}"
    return f"{bound} x {f'its own {target.peer_metric}' if target.peer == OWN else target.peer}" if target.peer else bound


def target_row(verdict, is_judged):
    target, measured = verdict.target, verdict.measured
    cells = [target.workload, what(target), text(verdict.own.median) if verdict.own else NOT_MEASURED,
             text(verdict.base.median) if verdict.base else ""]
    cells += [beside(target.bound, value) for value in (measured.median, measured.min, measured.max)] if measured \
        else [NOT_MEASURED, "", ""]
    word = ("pass" if is_met(verdict) else "**miss**") + undecided(verdict)
    return cells + [bounded(target), "" if target.bound is None else word if is_judged else "not judged"]


def missed(results):
    """Describes the missed targets and the problems in runs of this library."""
    others = libraries(results.runs)[1]
    judged_now = [verdict for verdict in results.judge()
                  if not is_met(verdict) and not any(verdict.target.workload in workloads for workloads in others.values())]
    return results.problems(True) + [
        f"{verdict.target.workload}, {what(verdict.target)}: "
        f"{beside(verdict.target.bound, verdict.measured.median) if verdict.measured else NOT_MEASURED}, must be "
        f"{bounded(verdict.target)}{undecided(verdict)}" for verdict in judged_now]


def unmeasured(results):
    """Returns the targets whose metric is in no run of their workload, for example after the metric was renamed. Omits
    floods of short runs, which are not published."""
    short = {"W2a": "30,000 ", "W2b": "100,000 ", "W10": "200,000 ", "W16": "30,000 ", "W17": "30,000 "}
    return [target for target in targets()
            if not (target.workload in short and target.metric.startswith(short[target.workload]))
            and not any(results.variant(variant).values(target.workload, target.subject, target.metric + suffix)
                        for variant, suffix in SUFFIXES.items())]


def libraries(runs):
    """Returns the last measured library, and by library the workloads that were measured on others. For workloads with an
    outbox, the name has its commit as well, as in 6758fe65/9e6f9b7d."""
    def last_of(some):
        return max(some, key=lambda run: run["at"])["library"] if some else ""
    without = last_of(runs).split("/")[0]
    with_outbox = last_of([run for run in runs if run["workload"] in WITH_OUTBOX])
    last = with_outbox if with_outbox.startswith(without + "/") else without
    others = {}
    for run in runs:
        if run["library"] != (last if run["workload"] in WITH_OUTBOX else without):
            workloads = others.setdefault(run["library"], [])
            if run["workload"] not in workloads:
                workloads.append(run["workload"])
    return last, others


def measurement_rows(all_results):
    for workload in all_results.workloads():
        for variant, suffix in SUFFIXES.items():
            results = all_results.variant(variant)
            subjects = results.subjects(workload)
            for metric in results.metrics(workload):
                for subject in subjects:
                    if metric in results.metrics(workload, subject):
                        yield measurement_row(results, workload, metric, subject)
            for subject in subjects:
                if not results.metrics(workload, subject):
                    yield [workload, "everything" + suffix, subject, HAD_PROBLEMS, "", "", "", "",
                           rounds(results, workload, subject, 0), ""]


def measurement_row(results, workload, metric, subject):
    values = results.values(workload, subject, metric)
    bad = any(run["outcome"]["problems"] for run in results.of(workload, subject))
    spread = summary(values)
    shown = [text(spread.median), text(spread.min), text(spread.max)] if values else [HAD_PROBLEMS if bad else NOT_MEASURED, "", ""]
    unit = unit_of(workload, metric)
    compared = [] if subject == OWN else ratios(results.pairs(workload, OWN, metric, subject, metric))
    return [workload, metric, subject, *shown, unit, better(unit), rounds(results, workload, subject, len(values)),
            text(summary(compared).median) if compared else ""]


def rounds(results, workload, subject, measured):
    problems = sum(bool(run["outcome"]["problems"]) for run in results.of(workload, subject))
    return f"{measured}; {problems} {HAD_PROBLEMS}" if problems else str(measured)


def processors(runs):
    rounds_of = {}
    for run in runs:
        rounds_of.setdefault(run["processor"], set()).add(run["round"])
    if len(rounds_of) == 1:
        return runs[0]["processor"]
    return "; ".join(f"{processor} (round {', '.join(map(str, sorted(of)))})" for processor, of in rounds_of.items())


def measured_on(results):
    for workload in results.workloads():
        runs = results.of(workload)
        yield [workload, ", ".join(dict.fromkeys(run["library"] for run in runs)),
               ", ".join(sorted({run["at"][:10] for run in runs})), processors(runs),
               text(summary([run["load"] for run in runs]).median)]


def table(head, columns, rows):
    return [head, columns] + ["| " + " | ".join(row) + " |" for row in rows]


def read(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    machine = next((line["machine"] for line in lines if "machine" in line), {})
    return machine, Results([line for line in lines if "machine" not in line])


def page(title, machine, results):
    """Returns the summary page. The records have all measurements."""
    last, others = libraries(results.runs)
    judged_rows = [target_row(verdict, not any(verdict.target.workload in workloads for workloads in others.values()))
                   for verdict in results.judge()]
    lines = [f"# {title}", "",
             "Written by `scripts/report benchmarks`. [Benchmarks](README.md) explains the rows. Compare ratios only: they come"
             " from runs at the same time on the same machine.",
             f"`{title.lower().replace(', ', '-')}.jsonl` has every run. `scripts/report benchmarks --print` prints the median,"
             " least and greatest of each measurement.", "", "## Targets", ""]
    lines += table("| workload | what | delayqueue | peer | measured | least | greatest | target | |",
                   "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- |", judged_rows)
    if others:
        listed = "; ".join(f"{', '.join(workloads)} ({library})" for library, workloads in others.items())
        lines += ["", f"Not measured on the last library ({last}), and therefore not judged: {listed}."]
    problems = results.problems(True) + results.problems(False)
    if problems:
        lines += ["", "## Problems", ""] + [f"- {problem}" for problem in problems]
    else:
        lines += ["", "Every subject delivered each task once in every run."]
    lines += ["", "## Measured on", ""]
    lines += table("| workload | library | begun | processor | load when runs began |", "| --- | --- | --- | --- | ---: |",
                   measured_on(results))
    lines += [""] + [f"- {name}: {value}" for name, value in machine.items()]
    return "\n".join(lines) + "\n"


def measurements(results):
    lines = ["## Measurements", ""]
    lines += table("| workload | what | subject | median | min | max | unit | better is | rounds | delayqueue / subject |",
                   "| --- | --- | --- | ---: | ---: | ---: | --- | --- | ---: | ---: |", measurement_rows(results))
    return "\n".join(lines) + "\n"
