// SPDX-License-Identifier: Apache-2.0
/** Servers for this project's own tests, built on the classes with which the test kit starts its embedded servers. */
@NullMarked
package io.delayqueue.test.server;

import org.jspecify.annotations.NullMarked;
