// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.sagas;

record StepTimeout(String trip, String step) {}
