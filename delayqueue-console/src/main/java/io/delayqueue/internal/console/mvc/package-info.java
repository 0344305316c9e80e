// SPDX-License-Identifier: Apache-2.0
/** The console in an application with Spring MVC. */
@NullMarked
package io.delayqueue.internal.console.mvc;

import org.jspecify.annotations.NullMarked;
