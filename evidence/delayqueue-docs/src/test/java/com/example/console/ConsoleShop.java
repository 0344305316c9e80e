// SPDX-License-Identifier: Apache-2.0
package com.example.console;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application of which docs/console.md shows parts. */
@SpringBootApplication
class ConsoleShop {}
