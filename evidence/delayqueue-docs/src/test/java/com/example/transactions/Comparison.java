// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

import io.delayqueue.jdbc.DelayQueueReconciler;
import io.delayqueue.jdbc.ReconcileDifference;
import io.delayqueue.jdbc.ReconcileRequest;
import io.delayqueue.jdbc.ReconcileResult;
import java.util.EnumSet;
import org.springframework.stereotype.Component;

@Component
class Comparison {

    private final DelayQueueReconciler reconciler;
    private final OpenOrders openOrders;

    Comparison(DelayQueueReconciler reconciler, OpenOrders openOrders) {
        this.reconciler = reconciler;
        this.openOrders = openOrders;
    }

    ReconcileResult run() {
        ReconcileResult result = reconciler.reconcile(ReconcileRequest.of("orders", openOrders)
                .mend(EnumSet.of(ReconcileDifference.Kind.MISSING))
                .perSecond(500)
                .build());
        return result;
    }
}
