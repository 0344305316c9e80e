// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.TaskView;

/** How tasks are written into a file; one of these writes one file. */
public interface ExportFormat {

    String mediaType();

    /** What the name of the file ends with. */
    String suffix();

    String begin();

    String row(TaskView task);

    String end();
}
