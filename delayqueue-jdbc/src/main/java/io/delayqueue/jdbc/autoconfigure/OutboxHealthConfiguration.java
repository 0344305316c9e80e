// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.internal.jdbc.relay.OutboxStart;
import io.delayqueue.jdbc.DelayQueueOutbox;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds the outbox as the health contributor {@code delayqueueOutbox}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("delayqueueOutbox")
class OutboxHealthConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "delayqueueOutboxHealthContributor", search = SearchStrategy.CURRENT)
    HealthIndicator delayqueueOutboxHealthContributor(
            OutboxStart start, ObjectProvider<DelayQueueOutbox> outbox, DelayQueueJdbcProperties properties) {
        return new OutboxHealth(start, outbox, JdbcSettings.maxOverdue(properties), JdbcSettings.maxAge(properties));
    }
}
