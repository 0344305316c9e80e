// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import io.delayqueue.rabbit.RabbitMessageCustomizer;
import io.delayqueue.rabbit.RabbitRouter;
import java.util.List;

/** The beans with which an application extends triggers, in their order. */
public record TriggerExtensions(List<RabbitMessageCustomizer> customizers, List<RabbitRouter> routers) {

    public static final TriggerExtensions NONE = new TriggerExtensions(List.of(), List.of());
}
