// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

@SpringBootTest(
        classes = SecuredEndpointApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "delayqueue.key-prefix=secured-reactive",
            "spring.main.web-application-type=reactive",
            "delayqueue.queues.orders.shards=2",
            "delayqueue.queues.billing.shards=1",
            "management.endpoints.web.exposure.include=delayqueue",
            "management.endpoint.delayqueue.access=unrestricted"
        })
class SecuredReactiveEndpointIntegrationTests extends SecuredEndpointContract {}
