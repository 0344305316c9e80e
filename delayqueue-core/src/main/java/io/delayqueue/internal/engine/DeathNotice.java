// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDeath;

/**
 * What is to be told when the store has confirmed that a task is dead.
 *
 * @param death the task
 * @param logged whether its destination has logged why, so that another error would say the same again
 * @param deaths tells the application
 */
record DeathNotice(TaskDeath death, boolean logged, Deaths deaths) {

    void give() {
        deaths.tell(death);
    }
}
