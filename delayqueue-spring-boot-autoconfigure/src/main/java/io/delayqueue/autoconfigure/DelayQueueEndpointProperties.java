// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the endpoint, beside those that Spring Boot has for all endpoints.
 *
 * @param hosts Host names under which the endpoint answers callers who have not signed in, such as "orders.internal".
 *     localhost and IP addresses always count.
 */
@ConfigurationProperties("management.endpoint.delayqueue")
record DelayQueueEndpointProperties(@DefaultValue Set<String> hosts) {}
