// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import java.util.List;

/**
 * A guarantee that was not kept.
 *
 * @param rule the broken rule
 * @param queue queue of the task; empty if it concerns no task
 * @param id id of the task; empty if it concerns no task
 * @param what description of what happened
 * @param proof the events that prove it, in order of time
 */
public record Finding(Rule rule, String queue, String id, String what, List<Entry> proof) {}
