// SPDX-License-Identifier: Apache-2.0
package com.example.handlers;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.ListenerRetry;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.core.annotation.AliasFor;

@DelayQueueListener(concurrency = "1", retry = @ListenerRetry(maxRetries = "0"))
@Retention(RetentionPolicy.RUNTIME)
@interface OnceListener {

    @AliasFor(annotation = DelayQueueListener.class, attribute = "queue")
    String value();
}
