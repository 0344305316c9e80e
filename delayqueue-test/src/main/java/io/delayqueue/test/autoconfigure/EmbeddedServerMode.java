// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.autoconfigure;

/** The values of {@code delayqueue.test.embedded.*}. */
enum EmbeddedServerMode {
    /** Always. */
    TRUE,
    /** Only if the application sets no server address. */
    AUTO,
    /** Never. */
    FALSE
}
