// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import io.delayqueue.faults.cell.Cell;
import io.delayqueue.faults.cell.Figures;
import io.delayqueue.faults.cell.Outcome;
import io.delayqueue.faults.cell.RoundsRun;
import io.delayqueue.faults.mutant.Mutant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of a page, each between two markers, made of records alone. */
final class RunsPage {

    static final String CELLS = "cells";
    static final String ROUNDS = "rounds";
    static final String MUTANTS = "mutants";

    private static final List<String> HEAD_OF_CELLS = List.of(
            "| cell | what happened | on | library as of | runs | scheduled | delivered | dead | cancelled | lost | duplicates"
                    + " explained / unexplained | early | p99 late | overdue attempted within | p99 late afterwards |"
                    + " verdict |",
            "| --- | --- | --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --- |");

    private static final List<String> HEAD_OF_ROUNDS = List.of(
            "| rounds | library as of | runs | what came of them | verdict |", "| --- | --- | --- | --- | --- |");

    private static final List<String> HEAD_OF_MUTANTS = List.of(
            "| library | cell | made of | runs | delivered | lost | verdict |",
            "| --- | --- | --- | --- | --: | --: | --- |");

    private final Collection<Cell> cells;

    /** @param cells all of them, in their order; records of others are passed over */
    RunsPage(Collection<Cell> cells) {
        this.cells = cells;
    }

    static String begin(String table) {
        return "<!-- written by scripts/faults --page: " + table + " -->";
    }

    static String end(String table) {
        return "<!-- end of " + table + " -->";
    }

    void update(Path page, List<RunRecord> records) throws IOException {
        Files.write(page, updated(Files.readAllLines(page), records));
    }

    /** @throws IllegalArgumentException if the page lacks the markers */
    List<String> updated(List<String> lines, List<RunRecord> records) {
        List<String> withCells = replaced(lines, CELLS, HEAD_OF_CELLS, rowsOfCells(records));
        List<String> withRounds = replaced(withCells, ROUNDS, HEAD_OF_ROUNDS, rowsOfRounds(records));
        return replaced(withRounds, MUTANTS, HEAD_OF_MUTANTS, rowsOfMutants(records));
    }

    private static List<String> replaced(List<String> lines, String table, List<String> head, List<String> rows) {
        int begin = lines.indexOf(begin(table));
        int end = lines.indexOf(end(table));
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("The page lacks the markers of the table of " + table);
        }
        List<String> updated = new ArrayList<>(lines.subList(0, begin + 1));
        updated.add("");
        updated.addAll(head);
        updated.addAll(rows);
        updated.add("");
        updated.addAll(lines.subList(end, lines.size()));
        return updated;
    }

    private List<String> rowsOfCells(List<RunRecord> records) {
        List<String> rows = new ArrayList<>();
        for (Cell cell : cells) {
            List<RunRecord> runs =
                    records.stream().filter(run -> run.isOf(cell.name(), null)).toList();
            rows.add(row(runs.isEmpty() ? notRun(cell) : fields(cell, runs)));
        }
        return rows;
    }

    private static List<String> notRun(Cell cell) {
        List<String> fields = new ArrayList<>(List.of(code(cell.name()), cell.description(), "not run"));
        while (fields.size() < 16) {
            fields.add("");
        }
        return fields;
    }

    private static List<String> fields(Cell cell, List<RunRecord> runs) {
        List<Figures> figures = figures(runs);
        int allowed = sum(figures, Figures::lossAllowed);
        return List.of(
                code(cell.name()),
                cell.description(),
                distinct(runs.stream().map(run -> run.outcome().servers()).filter(Objects::nonNull)),
                libraries(runs),
                lengths(runs),
                "" + sum(figures, Figures::scheduled),
                "" + sum(figures, Figures::delivered),
                "" + sum(figures, Figures::dead),
                "" + sum(figures, Figures::cancelled),
                sum(figures, Figures::lost) + (allowed > 0 ? " (+" + allowed + ": " + cell.loss() + ")" : ""),
                sum(figures, Figures::explained) + " / " + sum(figures, Figures::unexplained),
                "" + sum(figures, Figures::early),
                most(figures, Figures::p99),
                most(figures, Figures::recovery),
                most(figures, Figures::afterwardsP99),
                verdict(runs));
    }

    private static List<String> rowsOfRounds(List<RunRecord> records) {
        List<String> rows = new ArrayList<>();
        for (String name : RoundsRun.names()) {
            List<RunRecord> runs =
                    records.stream().filter(run -> run.isOf(name, null)).toList();
            rows.add(row(
                    runs.isEmpty()
                            ? List.of(code(name), "not run", "", "", "")
                            : List.of(code(name), libraries(runs), lengths(runs), lines(runs), verdict(runs))));
        }
        return rows;
    }

    /** Without its name and its verdict. */
    private static String lines(List<RunRecord> runs) {
        return runs.stream()
                .map(run -> run.outcome()
                        .line()
                        .replaceFirst("^\\S+ +(ok|FAIL) +", "")
                        .replaceFirst(", broken .*$", ""))
                .collect(Collectors.joining("; "));
    }

    private static List<String> rowsOfMutants(List<RunRecord> records) {
        List<String> rows = new ArrayList<>();
        for (Mutant mutant : Mutant.values()) {
            List<RunRecord> runs = records.stream()
                    .filter(run -> mutant.label().equals(run.mutant()))
                    .toList();
            List<Figures> figures = figures(runs);
            List<String> start = List.of(code(mutant.label()), code(mutant.cell()));
            List<String> rest = runs.isEmpty()
                    ? List.of("not run", "", "", "", "")
                    : List.of(
                            libraries(runs),
                            lengths(runs),
                            figures.isEmpty() ? "-" : "" + sum(figures, Figures::delivered),
                            figures.isEmpty() ? "-" : "" + sum(figures, Figures::lost),
                            verdict(runs));
            rows.add(row(Stream.concat(start.stream(), rest.stream()).toList()));
        }
        return rows;
    }

    private static String row(List<String> fields) {
        return "| " + String.join(" | ", fields) + " |";
    }

    private static List<Figures> figures(List<RunRecord> runs) {
        return runs.stream()
                .map(run -> run.outcome().figures())
                .filter(Objects::nonNull)
                .toList();
    }

    private static int sum(List<Figures> figures, ToIntFunction<Figures> field) {
        return figures.stream().mapToInt(field).sum();
    }

    private static String most(List<Figures> figures, Function<Figures, @Nullable Long> field) {
        return figures.stream()
                .map(field)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .map(millis -> millis + " ms")
                .orElse("-");
    }

    private static String libraries(List<RunRecord> runs) {
        return distinct(runs.stream().map(run -> run.library() == null ? "-" : code(run.library())));
    }

    /** As {@code 2 of 120 s, 2026-11-23}. */
    private static String lengths(List<RunRecord> runs) {
        String seconds = runs.stream()
                .map(RunRecord::seconds)
                .distinct()
                .sorted()
                .map(Object::toString)
                .collect(Collectors.joining(" and "));
        return runs.size() + " of " + seconds + " s, "
                + distinct(runs.stream().map(RunRecord::day).sorted());
    }

    private static String distinct(Stream<String> values) {
        return values.distinct().collect(Collectors.joining(", "));
    }

    private static String verdict(List<RunRecord> runs) {
        List<String> said = runs.stream().map(RunsPage::inWords).distinct().toList();
        String all = said.size() == 1
                ? said.get(0)
                : runs.stream()
                        .map(run -> "seed " + run.seed() + " " + inWords(run))
                        .collect(Collectors.joining("; "));
        String notes = runs.stream()
                .flatMap(run -> run.notes().stream()
                        .map(note -> run.seed() == null ? note : "seed " + run.seed() + ": " + note))
                .collect(Collectors.joining("; "));
        return notes.isEmpty() ? all : all + " (" + notes + ")";
    }

    private static String inWords(RunRecord run) {
        Outcome outcome = run.outcome();
        String rules = outcome.broken().stream().map(rule -> code(rule.name())).collect(Collectors.joining(", "));
        return switch (outcome.ending()) {
            case KEPT -> "kept";
            case BROKEN -> "**broken**: " + rules;
            case CONVICTED -> "convicted by " + rules;
            case ACQUITTED -> "**acquitted**" + (rules.isEmpty() ? "" : ", though it broke " + rules);
            case FAILED -> "**could not be run**";
        };
    }

    private static String code(String text) {
        return "`" + text + "`";
    }
}
