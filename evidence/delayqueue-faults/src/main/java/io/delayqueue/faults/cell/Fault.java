// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

/** The fault of a cell. It affects servers and applications while they work. */
@FunctionalInterface
public interface Fault {

    /** Does nothing, for the given time. */
    Fault NONE = scene -> scene.pause(scene.length());

    /**
     * Injects the fault for about {@link Scene#length()}, and then repairs everything. The recovery time starts when
     * this method returns. Called once, on the runner's thread.
     *
     * @throws Exception if the fault could not be injected; the cell then counts as failed
     */
    void happen(Scene scene) throws Exception;
}
