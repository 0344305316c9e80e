// SPDX-License-Identifier: Apache-2.0
/** Shared by the endpoint and the console: reads parameters, makes changes and explains failures. */
@NullMarked
package io.delayqueue.internal.control.web;

import org.jspecify.annotations.NullMarked;
