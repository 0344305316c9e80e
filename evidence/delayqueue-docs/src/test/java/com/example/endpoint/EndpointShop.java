// SPDX-License-Identifier: Apache-2.0
package com.example.endpoint;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application for the code in docs/security.md. */
@SpringBootApplication
class EndpointShop {}
