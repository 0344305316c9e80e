// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import io.delayqueue.control.BulkOperations;
import io.delayqueue.control.TaskFilter;
import org.springframework.stereotype.Component;

@Component
record Support(BulkOperations bulk) {

    void redrive(String customer) {
        bulk.redrive("webhooks", TaskFilter.ALL.withHeader("customer", customer), 100);
    }
}
