// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Additional configuration properties of the endpoint.
 *
 * @param hosts Host names that the endpoint accepts from anonymous callers, besides localhost and IP addresses.
 */
@ConfigurationProperties("management.endpoint.delayqueue")
record DelayQueueEndpointProperties(@DefaultValue Set<String> hosts) {}
