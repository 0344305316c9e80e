// SPDX-License-Identifier: Apache-2.0
package com.example.testing;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application that docs/testing.md tests. What handles tasks is named by each test. */
@SpringBootApplication
class TestedShop {}
