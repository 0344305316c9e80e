// SPDX-License-Identifier: Apache-2.0
/** Servers of this project's own tests, made of what the test kit starts its embedded ones with. */
@NullMarked
package io.delayqueue.test.server;

import org.jspecify.annotations.NullMarked;
