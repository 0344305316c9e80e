// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure

import io.delayqueue.DelayQueueException
import io.delayqueue.DelayQueueOperations
import io.delayqueue.FoundTask
import io.delayqueue.ScheduleRequest
import io.delayqueue.TaskState
import io.delayqueue.annotation.DelayQueueListener
import io.delayqueue.handler.DelayedTask
import io.delayqueue.test.server.RedisServer
import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Future
import java.util.function.Supplier
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.future.await
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration
import org.springframework.boot.test.context.FilteredClassLoader
import org.springframework.boot.test.context.assertj.AssertableApplicationContext
import org.springframework.boot.test.context.runner.ApplicationContextRunner

/** Listeners as the Kotlin compiler makes them, suspending ones with the parameter that it adds, on a real Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KotlinListenersIntegrationTests {

    private val patience = Duration.ofSeconds(10)
    private lateinit var redis: RedisServer
    private lateinit var runner: ApplicationContextRunner

    @BeforeAll
    fun start() {
        redis = RedisServer.embedded().start()
        runner = ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    DataRedisAutoConfiguration::class.java,
                    JacksonAutoConfiguration::class.java,
                    DelayQueueAutoConfiguration::class.java
                )
            )
            .withPropertyValues(
                "spring.data.redis.url=" + redis.uri(),
                "delayqueue.defaults.retry.delay=20ms",
                "delayqueue.defaults.retry.max-retries=1",
                "delayqueue.queues.orders.shards=1",
                "delayqueue.queues.orders.lease=600ms"
            )
    }

    @AfterAll
    fun stop() {
        redis.close()
    }

    abstract class Work {
        val end = CompletableFuture<String>()
        val seen: MutableList<String> = CopyOnWriteArrayList()
    }

    class Suspending : Work() {
        @DelayQueueListener(queue = "orders")
        suspend fun handle(text: String, task: DelayedTask<String>) {
            seen.add(text + task.payload())
            end.await()
        }
    }

    class OfAFlow : Work() {
        @DelayQueueListener(queue = "orders")
        fun handle(text: String): Flow<Int> = flow {
            seen.add(text + text)
            emit(1)
            end.await()
            emit(2)
        }
    }

    class SuspendingToAFlow : Work() {
        @DelayQueueListener(queue = "orders")
        suspend fun handle(text: String): Flow<Int> = flow {
            seen.add(text + text)
            end.await()
        }
    }

    @ParameterizedTest
    @ValueSource(classes = [Suspending::class, OfAFlow::class, SuspendingToAFlow::class])
    fun taskWhenTheFunctionSuspendsStaysLeasedUntilItEnds(type: Class<out Work>) {
        val listener = type.getDeclaredConstructor().newInstance()
        with(listener).run { context ->
            val id = schedule(context)
            await().atMost(patience).until { listener.seen.contains("xx") }
            await().during(Duration.ofMillis(900)).atMost(patience)
                .until { find(context, id)?.state() == TaskState.LEASED }
            listener.end.complete("done")
            await().atMost(patience).until { find(context, id) == null }
            assertThat(listener.seen).containsExactly("xx")
        }
    }

    @ParameterizedTest
    @ValueSource(classes = [Suspending::class, OfAFlow::class, SuspendingToAFlow::class])
    fun taskWhenTheFunctionFailsAfterSuspendingIsTriedAgainAndDeadAfterTheLastAttempt(type: Class<out Work>) {
        val listener = type.getDeclaredConstructor().newInstance()
        with(listener).run { context ->
            val id = schedule(context)
            await().atMost(patience).until { listener.seen.contains("xx") }
            listener.end.completeExceptionally(IllegalStateException("no luck"))
            await().atMost(patience).until { find(context, id)?.state() == TaskState.DEAD }
            val dead = find(context, id)!!
            assertThat(dead.failures()).isEqualTo(2)
            assertThat(dead.lastReason()).hasValue("java.lang.IllegalStateException: no luck")
        }
    }

    class OfBatches {
        val seen: MutableList<List<String>> = CopyOnWriteArrayList()

        @DelayQueueListener(queue = "orders", batchSize = "2", maxWait = "5s")
        fun handle(tasks: List<DelayedTask<List<String>>>) {
            seen.add(tasks.flatMap { it.payload() })
        }
    }

    @Test
    fun listWhenTheCompilerMakesItAListOfAWildcardIsABatch() {
        val listener = OfBatches()
        with(listener).run { context ->
            context.getBean(DelayQueueOperations::class.java).scheduleAll(
                listOf("x", "y").map { ScheduleRequest.to("orders").payload(listOf(it)).dueIn(Duration.ZERO).build() }
            )
            await().atMost(patience).until { listener.seen.isNotEmpty() }
            assertThat(listener.seen.single()).containsExactlyInAnyOrder("x", "y")
        }
    }

    class NeverEnding : Work() {
        @DelayQueueListener(queue = "orders", shutdownTimeout = "50ms")
        suspend fun handle(text: String) {
            seen.add(text)
            try {
                awaitCancellation()
            } catch (ex: CancellationException) {
                seen.add("cancelled")
                throw ex
            }
        }
    }

    @Test
    fun coroutineWhenTheApplicationStopsIsCancelledAndTheTaskGivenBack() {
        val listener = NeverEnding()
        var id = ""
        with(listener).run { context ->
            id = schedule(context)
            await().atMost(patience).until { listener.seen.contains("x") }
        }
        assertThat(listener.seen).containsExactly("x", "cancelled")
        runner.run { context ->
            assertThat(find(context, id)?.state()).isEqualTo(TaskState.SCHEDULED)
            assertThat(find(context, id)?.failures()).isZero()
            context.getBean(DelayQueueOperations::class.java).cancel("orders", id)
        }
    }

    class SuspendingToAFuture {
        @DelayQueueListener(queue = "orders")
        suspend fun handle(text: String): Future<String> = CompletableFuture.completedFuture(text)
    }

    @Test
    fun startWhenASuspendingFunctionReturnsAFutureFails() {
        runner.withBean(SuspendingToAFuture::class.java).run { context ->
            assertThat(context.startupFailure)
                .isInstanceOf(DelayQueueException::class.java)
                .hasMessageContaining("before its work has ended")
        }
    }

    @Test
    fun startWhenWhatCallsCoroutinesIsNotThereFailsAndNamesIt() {
        with(Suspending()).withClassLoader(FilteredClassLoader("kotlinx.coroutines.reactor")).run { context ->
            assertThat(context.startupFailure)
                .isInstanceOf(DelayQueueException::class.java)
                .hasMessageContaining("kotlinx-coroutines-reactor")
        }
    }

    private fun with(listener: Any): ApplicationContextRunner =
        runner.withBean(listener.javaClass, Supplier { listener })

    private fun schedule(context: AssertableApplicationContext): String =
        context.getBean(DelayQueueOperations::class.java)
            .schedule(ScheduleRequest.to("orders").payload("x").dueIn(Duration.ZERO).build())
            .id()

    private fun find(context: AssertableApplicationContext, id: String): FoundTask<String>? =
        context.getBean(DelayQueueOperations::class.java).find("orders", id, String::class.java).orElse(null)
}
