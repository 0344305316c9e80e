// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import java.util.List;

/** Holds what happened to one id to some of the {@linkplain Rule rules}. Has no state. */
interface TaskRule {

    List<Finding> judge(TaskHistory task);
}
