// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

/** A fault of a cell, which happens to servers and applications while they work. */
@FunctionalInterface
public interface Fault {

    /** Does nothing, for the given time. */
    Fault NONE = scene -> scene.pause(scene.length());

    /**
     * Makes the fault happen for about {@link Scene#length()}, and then repairs everything. The recovery time counts
     * from the return of this method. Called once, on the runner's thread.
     *
     * @throws Exception if the fault could not happen; the cell then counts as failed
     */
    void happen(Scene scene) throws Exception;
}
