// SPDX-License-Identifier: Apache-2.0
/** The API for applications: operations, requests, outcomes and exceptions. */
@NullMarked
package io.delayqueue;

import org.jspecify.annotations.NullMarked;
