// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.mutant.Mutant;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Makes one run in a separate JVM, which ends with the JVM that started it. */
public final class OneRun {

    private static final JsonMapper JSON = new JsonMapper();

    private OneRun() {}

    /**
     * Writes the {@link Outcome}, good or bad.
     *
     * @param arguments the file with the {@link RunOrder}, and the file to write
     */
    public static void main(String[] arguments) {
        ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().thenRun(() -> System.exit(1)));
        RunOrder order = JSON.readValue(Path.of(arguments[0]), RunOrder.class);
        JSON.writeValue(Path.of(arguments[1]), make(order));
        System.exit(0);
    }

    /** Makes the run in this JVM. */
    private static Outcome make(RunOrder order) {
        Cells cells = new Cells();
        CellRunner runner = new CellRunner(order.options());
        try {
            if (RoundsRun.names().contains(order.cell()) && order.mutant() == null) {
                return rounds(order);
            }
            if (order.mutant() == null) {
                Cell cell = cells.named(List.of(order.cell())).get(0);
                return Outcome.of(runner.run(cell));
            }
            Mutant mutant = MutantRun.named(List.of(order.mutant())).get(0);
            return new MutantRun(runner, cells, order.options().seed()).outcome(mutant);
        } catch (Exception ex) {
            ex.printStackTrace(System.err);
            return Outcome.failed(order.name(), ex.toString());
        }
    }

    private static Outcome rounds(RunOrder order) throws Exception {
        RunOptions options = order.options();
        RunFolder folder = new RunFolder(options.folder().resolve(order.cell()));
        folder.empty();
        int rounds = Math.toIntExact(options.length().toSeconds());
        return Outcome.of(
                order.cell(), RoundsRun.make(folder, RoundsRun.database(order.cell()), rounds, options.seed()));
    }
}
