// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** All pages about jobs and migrations in one application, so that their tests share it. */
@SpringBootApplication
public class GuideApplication {}
