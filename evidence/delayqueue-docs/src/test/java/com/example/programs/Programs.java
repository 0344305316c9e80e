// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class Programs {}
