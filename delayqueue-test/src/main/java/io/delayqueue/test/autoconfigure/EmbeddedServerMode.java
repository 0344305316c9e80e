// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.autoconfigure;

/** The values of {@code delayqueue.test.embedded.*}. */
enum EmbeddedServerMode {
    /** Always. */
    TRUE,
    /** Only if the application names no server of its own. */
    AUTO,
    /** Never. */
    FALSE
}
