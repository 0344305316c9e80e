// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import java.util.List;

/**
 * A word that was not kept.
 *
 * @param rule which
 * @param queue of the task; empty where it is about no task
 * @param id of the task; empty where it is about no task
 * @param what happened
 * @param proof the events that show it, in the order of their time
 */
public record Finding(Rule rule, String queue, String id, String what, List<Entry> proof) {}
