// SPDX-License-Identifier: Apache-2.0
package com.example.endpoint;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application of which docs/security.md shows parts. */
@SpringBootApplication
class EndpointShop {}
