// SPDX-License-Identifier: Apache-2.0
/** Binds the properties: inheritance, validation, and the origin of invalid values. */
@NullMarked
package io.delayqueue.internal.autoconfigure.settings;

import org.jspecify.annotations.NullMarked;
