// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** An application without components; each test names its own. */
@SpringBootConfiguration
@EnableAutoConfiguration
class KitApplication {}
