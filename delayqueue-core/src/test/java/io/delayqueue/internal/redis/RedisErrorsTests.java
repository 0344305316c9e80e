// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.models.partitions.Partitions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisErrorsTests {

    private static final String IN_6_2 = "ERR Error running script (call to f_0a): @user_script:71: ";

    private static DelayQueueException translate(Throwable error, boolean mayHaveRunBefore) {
        return RedisErrors.translate("Queue 'q'", error, mayHaveRunBefore);
    }

    @ParameterizedTest
    @CsvSource({
        "OOM command not allowed when used memory > 'maxmemory'.,TaskStoreFullException",
        "WRONGTYPE Operation against a key holding the wrong kind of value,TaskStoreCorruptException",
        "NEWER the format of a record,NewerTaskException",
        "READONLY You can't write against a read only replica.,TaskStoreUnavailableException",
        "LOADING Redis is loading the dataset in memory,TaskStoreUnavailableException",
        "CLUSTERDOWN The cluster is down,TaskStoreUnavailableException",
        "TRYAGAIN Multiple keys request during rehashing of slot,TaskStoreUnavailableException",
        "MOVED 3999 127.0.0.1:6381,TaskStoreUnavailableException",
        "ASK 3999 127.0.0.1:6381,TaskStoreUnavailableException",
        "NOPERM this user has no permissions,TaskStoreException",
        "ERR ACL failure in script: User delayqueue has no permissions,TaskStoreException",
    })
    void translateWhenTheServerRefusedGivesTheTypeAndSaysThatNothingRan(String reply, String type) {
        for (String form : new String[] {"", IN_6_2, IN_6_2 + "-"}) {
            DelayQueueException translated = translate(new RedisCommandExecutionException(form + reply), false);

            assertThat(translated.getClass().getSimpleName()).isEqualTo(type);
            assertThat(translated)
                    .isInstanceOfSatisfying(
                            TaskStoreException.class,
                            ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WRONGPASS invalid username-password pair or user is disabled.",
                "NOAUTH HELLO must be called with the client already authenticated",
                "ERR invalid password"
            })
    void translateWhenTheServerRefusesThePasswordNamesThePassword(String reply) {
        DelayQueueException translated = translate(
                new RedisConnectionException(
                        "Cannot connect to Redis: Unable to connect to localhost:6379",
                        new RedisConnectionException(
                                "Unable to connect to localhost:6379", new RedisCommandExecutionException(reply))),
                false);

        assertThat(translated)
                .isInstanceOf(TaskStoreUnavailableException.class)
                .hasMessageContaining("refuses the user name or the password")
                .hasMessageContaining("nothing was sent")
                .hasMessageNotContainingAny("cannot be reached");
    }

    @Test
    void translateWhenAnEarlierTryMayHaveRunSaysSo() {
        for (String reply : new String[] {"OOM x", "WRONGTYPE x", "READONLY x", "ERR x"}) {
            assertThat(translate(new RedisCommandExecutionException(reply), true))
                    .isInstanceOfSatisfying(
                            TaskStoreException.class,
                            ex -> assertThat(ex.mayHaveBeenApplied()).isTrue());
        }
        assertThat(translate(new RedisConnectionException("refused"), true))
                .isInstanceOfSatisfying(
                        TaskStoreUnavailableException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Request queue size exceeded: 10. Commands are not accepted until the queue size drops.",
                "Command buffer size exceeded: 10. Commands are not accepted until the queue size drops.",
                "Internal stack size exceeded: 10. Commands are not accepted until the stack size drops."
            })
    void translateWhenTooManyCommandsWaitSaysSoAndThatNothingWasSent(String message) {
        RedisException overflow = new RedisException(message);

        assertThat(RedisErrors.isNotSent(overflow)).isTrue();
        assertThat(RedisErrors.isConnectionLost(overflow)).isFalse();
        assertThat(translate(overflow, false))
                .hasMessageContaining("too many calls are in progress")
                .isInstanceOfSatisfying(
                        TaskStoreBusyException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
        assertThat(translate(overflow, true))
                .isInstanceOfSatisfying(
                        TaskStoreBusyException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isTrue());
    }

    @Test
    void translateWhenConnectingTimedOutSaysThatNothingWasSent() {
        assertThat(translate(
                        new RedisCommandTimeoutException("Connection initialization timed out after 1 second(s)"),
                        false))
                .isInstanceOfSatisfying(
                        TaskStoreUnavailableException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
    }

    @Test
    void translateWhenNoNodeServesTheSlotSaysThatNothingWasSent() {
        assertThat(translate(new PartitionSelectorException("Cannot determine a partition", new Partitions()), false))
                .isInstanceOfSatisfying(
                        TaskStoreUnavailableException.class,
                        ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
    }

    @Test
    void translateWhenAReplyOnlyMentionsACodeDoesNotTakeItForOne() {
        assertThat(translate(new RedisCommandExecutionException("ERR unknown command: OOM x"), false))
                .isExactlyInstanceOf(TaskStoreException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOPERM this user has no permissions to run the 'wait' command",
                "ERR ACL failure in script: User delayqueue has no permissions",
                "ERR The user executing the script can't run this command or subcommand",
                "WRONGTYPE Operation against a key holding the wrong kind of value",
                "ERR anything else",
            })
    void isRefusalWhenARepetitionCannotHelp(String reply) {
        for (String form : new String[] {"", IN_6_2, IN_6_2 + "-"}) {
            assertThat(RedisErrors.isRefusal(new RedisCommandExecutionException(form + reply)))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MOVED 3999 127.0.0.1:6381",
                "READONLY You can't write against a read only replica.",
                "CLUSTERDOWN The cluster is down",
                "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
                "ERR WAIT cannot be used with replica instances. Please also note that",
            })
    void replicasUnknownWhenTheMasterIsAnotherByNowAreAskedForAgain(String reply) {
        ReplicasUnknownException unknown = new ReplicasUnknownException(new RedisCommandExecutionException(reply));

        assertThat(RedisErrors.isRefusal(unknown.reason())).isFalse();
        assertThat(RedisErrors.isConnectionLost(unknown)).isTrue();
        assertThat(translate(unknown, false))
                .isInstanceOf(TaskStoreUnavailableException.class)
                .hasMessageContaining(reply);
    }
}
