// SPDX-License-Identifier: Apache-2.0
package com.example.extensions

import io.delayqueue.CancelOutcome
import io.delayqueue.DelayQueueOperations
import io.delayqueue.ScheduleRequest
import io.delayqueue.TypedQueue
import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration
import io.delayqueue.test.server.RedisServer
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration
import org.springframework.boot.test.context.runner.ApplicationContextRunner

/** The code of docs/kotlin.md, on a real Redis. */
class KotlinPageIntegrationTests {

    class Orders(private val delayQueue: DelayQueueOperations) {

        private val orders: TypedQueue<List<String>> = delayQueue.queue("orders")

        fun placed(order: String, lines: List<String>) {
            delayQueue.schedule("orders", lines) {
                id(order)
                header("country", "de")
                dueIn(15.minutes)
            }
        }

        suspend fun changed(order: String, lines: List<String>) {
            delayQueue.scheduleAwait(ScheduleRequest.to("orders", lines).id(order).dueIn(30.minutes).build())
        }

        fun paid(order: String): CancelOutcome = orders.cancel(order)

        fun lines(order: String): List<String>? = delayQueue.findOrNull<List<String>>("orders", order)?.payload()
    }

    @Test
    fun extensionsWhenUsedScheduleFindAndCancel() {
        RedisServer.embedded().start().use { redis ->
            ApplicationContextRunner()
                .withConfiguration(
                    AutoConfigurations.of(JacksonAutoConfiguration::class.java, DelayQueueAutoConfiguration::class.java)
                )
                .withPropertyValues("delayqueue.redis.url=" + redis.uri(), "delayqueue.queues.orders=")
                .run { context ->
                    val delayQueue = context.getBean(DelayQueueOperations::class.java)
                    val shop = Orders(delayQueue)

                    shop.placed("order-42", listOf("book", "pen"))
                    assertThat(shop.lines("order-42")).containsExactly("book", "pen")
                    val first = delayQueue.findOrNull<List<String>>("orders", "order-42")
                    assertThat(first?.headers()).containsEntry("country", "de")

                    runBlocking { shop.changed("order-42", listOf("book")) }
                    assertThat(shop.lines("order-42")).containsExactly("book")
                    val second = delayQueue.findOrNull<List<String>>("orders", "order-42")
                    assertThat(second?.dueAt()).isAfter(first?.dueAt())
                    assertThat(shop.paid("order-42")).isEqualTo(CancelOutcome.CANCELLED)
                    assertThat(shop.lines("order-42")).isNull()
                }
        }
    }

    @Test
    fun pageWhenReadHasTheCodeOfTheseFiles() {
        val folder = Path.of("src/test/kotlin/com/example/extensions")
        val sources = listOf("Extensions.kt", "KotlinPageIntegrationTests.kt")
            .map { dense(Files.readString(folder.resolve(it))) }
        val blocks = Regex("(?ms)^```kotlin\n(.*?)^```$").findAll(Files.readString(Path.of("../docs/kotlin.md")))
            .map { dense(it.groupValues[1]) }
            .toList()

        assertThat(blocks).hasSize(2)
        assertThat(blocks.filterNot { block -> sources.any { it.contains(block) } }).isEmpty()
    }

    private fun dense(text: String) = text.filterNot(Char::isWhitespace)
}
