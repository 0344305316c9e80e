// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.internal.console.page.ExportPlaces.Place;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ExportPlacesTests {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
    private final ExportPlaces places = new ExportPlaces(nanos::get);

    @Test
    void placeWhenNothingWasTakenForAMinuteIsGivenToTheNext() {
        Place gone = places.take();
        nanos.addAndGet(ExportPlaces.IDLE_NANOS / 2);
        Place read = places.take();
        places.take();
        places.take();
        assertThatExceptionOfType(TooManyExportsException.class).isThrownBy(places::take);

        nanos.addAndGet(ExportPlaces.IDLE_NANOS / 2 + 1);
        places.take();

        assertThatExceptionOfType(TooManyExportsException.class).isThrownBy(gone::use);
        assertThatCode(read::use).doesNotThrowAnyException();
        gone.leave();
        assertThatExceptionOfType(TooManyExportsException.class).isThrownBy(places::take);
    }
}
