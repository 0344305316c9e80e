// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.shapes;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;

/** An entity without an annotation of a store. With two Spring Data modules, its repository would not be a bean. */
public record Customer(@Id @Nullable Long id, String name) {}
