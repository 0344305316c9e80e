// SPDX-License-Identifier: Apache-2.0
package com.example.operations;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application of which docs/operations.md shows parts. */
@SpringBootApplication
class OperationsShop {}
