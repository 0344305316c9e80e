// SPDX-License-Identifier: Apache-2.0
/** What a user of delayed queues touches: operations, requests, outcomes and errors. */
@NullMarked
package io.delayqueue;

import org.jspecify.annotations.NullMarked;
