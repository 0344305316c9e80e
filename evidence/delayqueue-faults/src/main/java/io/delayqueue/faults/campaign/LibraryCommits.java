// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

/**
 * The library under test, named by the last commits that changed it, each with a plus if there are uncommitted changes.
 * Only cells and rounds with an outbox use the outbox module, so a change of this module does not invalidate the
 * records of other cells.
 *
 * @param others last commit that changed any module except the outbox
 * @param outbox last commit that changed the outbox module
 */
record LibraryCommits(String others, String outbox) {

    private static final String OUTBOX = "outbox-";

    /**
     * Returns the library that a cell or rounds use, for example {@code 6758fe65}, or with an outbox {@code
     * 6758fe65/9e6f9b7d}.
     */
    String in(String cell) {
        return cell.startsWith(OUTBOX) ? all() : others;
    }

    String all() {
        return others + "/" + outbox;
    }
}
