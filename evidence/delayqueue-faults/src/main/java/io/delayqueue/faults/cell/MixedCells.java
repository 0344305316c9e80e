// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Cells with random faults of other cells, one or two at a time. */
final class MixedCells {

    private static final Duration ROUND = Duration.ofSeconds(20);
    private static final int ROUNDS = 6;

    /** Duration of a fault. The rest of a round is for the repair. */
    private static final Duration FAULT = ROUND.multipliedBy(3).dividedBy(5);

    private MixedCells() {}

    static List<Cell> all() {
        return List.of(ApplicationCells.atWork(Cell.of(
                        "mixed",
                        "Random faults of other cells, chosen every 20 s; a quarter of the rounds have none",
                        MixedCells::happen))
                .on(ProxiedServers::new)
                .lasting(ROUND.multipliedBy(ROUNDS)));
    }

    private static void happen(Scene scene) throws Exception {
        Random random = scene.chance().random("mixed");
        scene.repeat(Duration.ZERO, () -> {
            long begin = System.nanoTime();
            List<Cell> round = random.nextInt(4) == 0 ? List.of() : choose(random);
            say(round.isEmpty() ? "nothing" : round.stream().map(Cell::name).collect(Collectors.joining(" and ")));
            perform(round, scene.ofLength(FAULT));
            Duration left = ROUND.minusNanos(System.nanoTime() - begin);
            scene.pause(left.isNegative() ? Duration.ZERO : left);
        });
    }

    private static void say(String what) {
        System.err.println("mixed: " + what);
    }

    /**
     * Returns two faults of different kinds, or one fault of the applications, which cannot start while a server is
     * down.
     */
    private static List<Cell> choose(Random random) {
        List<List<Cell>> kinds = new ArrayList<>(
                List.of(possible(RedisCells.all()), possible(RabbitCells.all()), possible(NetworkCells.all())));
        int applications = random.nextInt(kinds.size() + 1);
        if (applications == kinds.size()) {
            return List.of(anyOf(possible(ApplicationCells.all()), random));
        }
        List<Cell> first = kinds.remove(random.nextInt(kinds.size()));
        List<Cell> second = kinds.remove(random.nextInt(kinds.size()));
        return random.nextBoolean()
                ? List.of(anyOf(first, random))
                : List.of(anyOf(first, random), anyOf(second, random));
    }

    private static Cell anyOf(List<Cell> cells, Random random) {
        return cells.get(random.nextInt(cells.size()));
    }

    /** Returns the cells whose faults fit into a round, on servers of this kind. */
    private static List<Cell> possible(List<Cell> cells) {
        return cells.stream()
                .filter(cell -> cell.fault() != Fault.NONE)
                .filter(cell -> cell.atLeast().compareTo(ROUND) < 0)
                .filter(cell -> !cell.name().equals("rabbit-node-kill"))
                .toList();
    }

    private static void perform(List<Cell> cells, Scene scene) throws Exception {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (Cell cell : cells) {
            CompletableFuture<Void> fault = new CompletableFuture<>();
            running.add(fault);
            new Thread(() -> perform(cell, scene, fault), cell.name()).start();
        }
        for (CompletableFuture<Void> fault : running) {
            fault.get();
        }
    }

    private static void perform(Cell cell, Scene scene, CompletableFuture<Void> end) {
        try {
            cell.fault().happen(scene);
            end.complete(null);
        } catch (Exception ex) {
            end.completeExceptionally(ex);
        }
    }
}
