// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Excludes all scanned components, except those that the filters of {@link DelayQueueTest} include. */
final class DelayQueueTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<DelayQueueTest> {

    DelayQueueTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
    }
}
