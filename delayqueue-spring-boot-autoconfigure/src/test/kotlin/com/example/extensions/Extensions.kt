// SPDX-License-Identifier: Apache-2.0
package com.example.extensions

import io.delayqueue.DelayQueueOperations
import io.delayqueue.FoundTask
import io.delayqueue.ScheduleRequest
import io.delayqueue.ScheduleResult
import io.delayqueue.TypedQueue
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.future.await
import org.springframework.core.ParameterizedTypeReference

/** Returns the operations on a queue; the call names the payload type. */
inline fun <reified T : Any> DelayQueueOperations.queue(name: String): TypedQueue<T> =
    queue(name, object : ParameterizedTypeReference<T>() {})

/** Returns a task, or null if the queue has none with this id. */
inline fun <reified T : Any> DelayQueueOperations.findOrNull(queue: String, id: String): FoundTask<T>? =
    find(queue, id, object : ParameterizedTypeReference<T>() {}).orElse(null)

/** Schedules a task; the block completes the request. */
fun <T : Any> DelayQueueOperations.schedule(
    queue: String,
    payload: T,
    request: ScheduleRequest.Builder<T>.() -> Unit
): ScheduleResult = schedule(ScheduleRequest.to(queue, payload).apply(request).build())

/** Schedules a task and suspends until Redis has replied. */
suspend fun DelayQueueOperations.scheduleAwait(request: ScheduleRequest<*>): ScheduleResult =
    async().schedule(request).await()

/** Makes the task due after a duration of Kotlin. */
fun <T : Any> ScheduleRequest.Builder<T>.dueIn(delay: Duration): ScheduleRequest.Builder<T> =
    dueIn(delay.toJavaDuration())
