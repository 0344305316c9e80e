// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.control.TaskView;

/** The format of a file of tasks. Each file needs its own instance. */
public interface ExportFormat {

    String mediaType();

    /** The extension of the file. */
    String suffix();

    String begin();

    String row(TaskView task);

    String end();
}
