// SPDX-License-Identifier: Apache-2.0
package com.example.operations;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application for the code in docs/operations.md. */
@SpringBootApplication
class OperationsShop {}
