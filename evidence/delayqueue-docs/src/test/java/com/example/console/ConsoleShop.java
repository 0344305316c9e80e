// SPDX-License-Identifier: Apache-2.0
package com.example.console;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application for the code in docs/console.md. */
@SpringBootApplication
class ConsoleShop {}
