// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All cells by their names. */
public final class Cells {

    private static final List<String> SHORT = List.of("short");

    private final Map<String, Cell> byName = new LinkedHashMap<>();

    public Cells() {
        add(ApplicationCells.all());
        add(LoadCells.all());
        add(RedisCells.all());
        add(ClockCells.all());
        add(FailoverCells.all());
        add(GroupCells.all());
        add(RabbitCells.all());
        add(NetworkCells.all());
        add(MixedCells.all());
        add(OutboxCells.all());
        add(IntakeCells.all());
        add(ServerCells.all());
    }

    private void add(List<Cell> cells) {
        for (Cell cell : cells) {
            if (byName.put(cell.name(), cell) != null) {
                throw new IllegalStateException("Two cells are called " + cell.name());
            }
        }
    }

    /** Returns all cells, in the order of their runs. */
    public Collection<Cell> all() {
        return byName.values();
    }

    /** Returns all names, in that order. */
    public Collection<String> names() {
        return byName.keySet();
    }

    /** Returns the cells of the short run. */
    public List<Cell> ofShortRun() {
        return named(SHORT);
    }

    /**
     * Returns the cells with these names, in this order.
     *
     * @throws IllegalArgumentException if a name is unknown
     */
    public List<Cell> named(Collection<String> names) {
        List<Cell> cells = new ArrayList<>();
        for (String name : names) {
            Cell cell = byName.get(name);
            if (cell == null) {
                throw new IllegalArgumentException(
                        "There is no cell called '" + name + "'. There are: " + String.join(", ", byName.keySet()));
            }
            cells.add(cell);
        }
        return cells;
    }
}
