// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

/**
 * Which library is run, by the last commits that changed it, each with a plus where something is not committed. Only
 * cells and rounds with an outbox run the module of the outbox, so a change of it leaves the records of all others as
 * they are.
 *
 * @param others of all modules but that of the outbox
 * @param outbox of the module of the outbox
 */
record LibraryCommits(String others, String outbox) {

    private static final String OUTBOX = "outbox-";

    /** Returns what is run in a cell or in rounds: {@code 6758fe65}, or with an outbox {@code 6758fe65/9e6f9b7d}. */
    String in(String cell) {
        return cell.startsWith(OUTBOX) ? all() : others;
    }

    /** Of both. */
    String all() {
        return others + "/" + outbox;
    }
}
