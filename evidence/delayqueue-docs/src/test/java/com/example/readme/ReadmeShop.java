// SPDX-License-Identifier: Apache-2.0
package com.example.readme;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application that README.md shows. */
@SpringBootApplication
class ReadmeShop {}
