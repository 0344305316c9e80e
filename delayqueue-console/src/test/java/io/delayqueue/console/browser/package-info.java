/** A real browser for tests of pages: Chromium without a window, on the loopback interface only. */
@NullMarked
package io.delayqueue.console.browser;

import org.jspecify.annotations.NullMarked;
