// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

/** What is done to the servers and applications of a cell while they work. */
@FunctionalInterface
public interface Fault {

    /** Does nothing, for the given time. */
    Fault NONE = scene -> scene.pause(scene.length());

    /**
     * Does it, for about {@link Scene#length()}, and mends what it has broken: when this returns, servers and
     * applications are whole and the recovery is timed from then on. Called once, on the runner's thread.
     *
     * @throws Exception if it could not be done; the cell then counts as failed
     */
    void happen(Scene scene) throws Exception;
}
