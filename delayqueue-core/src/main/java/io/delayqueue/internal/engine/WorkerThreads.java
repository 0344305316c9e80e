// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

/**
 * The threads that deliver the tasks of a queue; how many there are at most is in its settings.
 *
 * @param namePrefix how their names begin
 * @param idle how many are kept while there is nothing to do
 * @param virtual whether they are virtual, which a JDK from 21 on has; none is kept then
 */
public record WorkerThreads(String namePrefix, int idle, boolean virtual) {}
