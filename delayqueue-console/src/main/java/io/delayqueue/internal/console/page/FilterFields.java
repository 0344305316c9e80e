// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.control.web.Parameters;
import java.util.Map;

/** The fields of a filter, for the template {@code filter}. */
final class FilterFields {

    private FilterFields() {}

    static void into(View view, String state, Map<String, String> filter) {
        view.with("isWaiting", state.equals("waiting"))
                .with("isLeased", state.equals("leased"))
                .with("isDead", state.equals("dead"));
        for (String name : Parameters.FILTER) {
            view.with(name, filter.get(name));
        }
    }
}
