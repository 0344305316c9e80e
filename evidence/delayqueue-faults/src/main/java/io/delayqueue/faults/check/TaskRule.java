// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import java.util.List;

/** Checks the history of one id against some of the {@linkplain Rule rules}. Stateless. */
interface TaskRule {

    List<Finding> judge(TaskHistory task);
}
