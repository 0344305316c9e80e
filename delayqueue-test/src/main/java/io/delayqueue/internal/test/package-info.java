// SPDX-License-Identifier: Apache-2.0
/** Connection details of servers that the test kit starts. */
@NullMarked
package io.delayqueue.internal.test;

import org.jspecify.annotations.NullMarked;
