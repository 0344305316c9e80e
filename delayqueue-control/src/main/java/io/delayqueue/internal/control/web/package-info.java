// SPDX-License-Identifier: Apache-2.0
/** What the endpoint and the console share: reading parameters, making changes, and telling why a request failed. */
@NullMarked
package io.delayqueue.internal.control.web;

import org.jspecify.annotations.NullMarked;
