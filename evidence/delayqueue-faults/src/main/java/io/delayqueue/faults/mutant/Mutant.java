// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import static net.bytebuddy.matcher.ElementMatchers.named;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Consumer;
import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.outbox.RoundsCell;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import io.delayqueue.internal.sharding.Sharding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.asm.MemberSubstitution;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * The library with one deliberate fault, the cell that must reveal it, and the rules; the mutant must break at least
 * one of them. An application becomes a mutant if the folder that {@link #writeTo} fills precedes the library on its
 * class path. The library itself is unaware of mutants.
 */
public enum Mutant {
    ACKNOWLEDGE_BEFORE_CONFIRM(
            "rabbit-topology",
            Set.of(Rule.LOST),
            new ClassMutation(
                    "io.delayqueue.internal.rabbit.confirm.ConfirmChannel",
                    List.of("publish"),
                    Advice.to(AcknowledgeBeforeConfirm.class).on(named("publish")))),
    VERDICT_AFTER_DISCARD(
            "quorum-minority",
            Set.of(Rule.UNCOUNTED),
            new ClassMutation(
                    "io.delayqueue.internal.rabbit.confirm.ConfirmTracker",
                    List.of("answers"),
                    Advice.to(VerdictAfterDiscard.class).on(named("answers")))),
    NO_MANDATORY_FLAG(
            "rabbit-topology",
            Set.of(Rule.LOST),
            new ClassMutation(
                    "io.delayqueue.internal.rabbit.confirm.ConfirmChannel", List.of("publish"), unmandatory())),
    POP_WITHOUT_LEASE("application-kill-one", Set.of(Rule.LOST), new ScriptMutation("acquire", """
                      redis.call('HSET', leases, unpack(lease_put))
                      redis.call('ZADD', index, unpack(index_put))
                    """, """
                      for i = 1, taken_count do
                        redis.call('ZREM', index, index_put[2 * i])
                        redis.call('HDEL', tasks, index_put[2 * i])
                        redis.call('HDEL', attempts, index_put[2 * i])
                      end
                    """)),
    EXPIRED_LEASES_NEVER_DUE(
            "application-kill-one",
            Set.of(Rule.LEFT_OVER, Rule.LOST),
            new ScriptMutation(
                    "acquire",
                    "  return records.is_suspect and suspects >= max_suspects\n",
                    "  return records.lease or records.is_suspect and suspects >= max_suspects\n")),
    EXPIRED_LEASES_DUE_LATE(
            "application-kill-all",
            Set.of(Rule.LATE),
            new ScriptMutation(
                    "acquire",
                    "index_put[2 * i - 1], index_put[2 * i] = until_text, id\n",
                    "index_put[2 * i - 1], index_put[2 * i] = text(now + lease + 20000), id\n")),
    STALE_TOKEN_ACCEPTED(
            "application-freeze",
            Set.of(Rule.STALE_SETTLE),
            new ScriptMutation(
                    "settle",
                    "  local is_mine, next_due = record and string.sub(record, 1, #stem) == stem, nil\n",
                    "  local is_mine, next_due = record or ending == 'ACK', nil\n")),
    CANCEL_IGNORES_LEASES(
            "slow-handlers",
            Set.of(Rule.CANCELLED),
            new ScriptMutation("cancel", "return (lease or uncertain) and 'F' or 'C'", "return 'C'")),
    GROUP_LEFT_BEHIND_BY_A_MIGRATION(
            "groups-reshard-switchover",
            Set.of(Rule.CANCELLED),
            new ScriptMutation("migration_take_in", "  regroup(groups, live, DEAD, LIVE)\n", "")),
    DELIVERED_TOO_LATE(
            "clock-hours",
            Set.of(Rule.UNTIMELY),
            new ScriptMutation(
                    "acquire",
                    "  return due < now - (own and string.find(own, '^%d+$') and tonumber(own) or expires_after)\n",
                    "  return false\n"),
            new ClassMutation(
                    "io.delayqueue.internal.engine.DeliveryTiming",
                    List.of("isInTime"),
                    Advice.to(AlwaysInTime.class).on(named("isInTime")))),
    DELIVERED_OUTSIDE_OF_HOURS(
            "clock-hours",
            Set.of(Rule.UNTIMELY),
            new ClassMutation(
                    "io.delayqueue.internal.engine.DeliveryTiming",
                    List.of("isDueHere"),
                    Advice.to(AlwaysInTime.class).on(named("isDueHere")))),
    RATE_OF_KEYS_IGNORED(
            "limits-kill-one",
            Set.of(Rule.OVER_LIMIT),
            new ScriptMutation(
                    "pop_due_limited",
                    "  if own.every > 0 then own.tat = math.max(own.tat, micros) + own.every end\n",
                    "")),
    BURST_OF_A_KEY_EXCEEDED(
            "limits-kill-one",
            Set.of(Rule.OVER_LIMIT),
            new ScriptMutation(
                    "pop_due_limited",
                    "at_once > 0 and (at_once - 1) * every or",
                    "at_once > 0 and at_once * every or")),
    SLOT_OF_A_KEY_GIVEN_TWICE(
            "limits-kill-one",
            Set.of(Rule.OVER_LIMIT),
            new ScriptMutation(
                    "pop_due_limited",
                    "    most = math.min(most, own.most - #own.ids)\n",
                    "    most = math.min(most, own.most + 1 - #own.ids)\n")),
    WRONG_SHARD_AFTER_RESHARD(
            "reshard",
            Set.of(Rule.CANCELLED, Rule.REPLACED),
            new ClassMutation(
                    "io.delayqueue.internal.sharding.ShardedTasks", List.of("commonHome", "byId"), wrongHomes()),
            new ClassMutation("io.delayqueue.internal.sharding.TaskLookup", List.of("under"), wrongHomes())),
    TOKEN_NOT_CARRIED_OVER(
            "reshard-fenced",
            Set.of(Rule.TOKEN_ORDER, Rule.FENCED),
            new ScriptMutation("migration_take_in", "raise_token(token, last_token, least_token)\n", ""),
            new ScriptMutation("schedule", "    raise_token(token, last_token, tonumber(least_token))\n", ""),
            new ScriptMutation("token_raise", "if least_token > last_token then\n", "if false then\n")),
    PERIODIC_TASK_ENDS_WITH_AN_ERROR(
            "handler-errors",
            Set.of(Rule.DUPLICATE),
            new ClassMutation(
                    "io.delayqueue.internal.engine.LeaseRenewer",
                    List.of("renewAll"),
                    Advice.to(PeriodicTaskEnds.ByAnError.class).on(named("renewAll"))),
            new ClassMutation(
                    "io.delayqueue.internal.concurrent.Scheduler",
                    List.of("run"),
                    Advice.to(PeriodicTaskEnds.Unguarded.class).on(named("run")))),
    STAGES_ON_FEW_THREADS(
            "client-callbacks-block",
            Set.of(Rule.HELD_UP),
            new ClassMutation(
                    "io.delayqueue.internal.calls.StageThreads",
                    List.of("look"),
                    Advice.to(FewThreads.class).on(named("look")))),
    RETRIED_UNDER_NEW_ID(
            "redis-client-kill",
            Set.of(Rule.UNEXPECTED),
            new ClassMutation(
                    "io.delayqueue.internal.redis.ScriptCall",
                    List.of("failed"),
                    Advice.to(RetriedUnderNewId.class).on(named("failed")))),
    INTAKE_ACKNOWLEDGES_BEFORE_STORING(
            "intake-kill",
            Set.of(Rule.LOST, Rule.COMMIT_ORDER),
            new ClassMutation(
                    "io.delayqueue.internal.rabbit.intake.Intake",
                    List.of("consume", "takeIn"),
                    MemberSubstitution.strict()
                            .method(named("basicConsume"))
                            .replaceWith(method(
                                    IntakeMutations.class,
                                    "consumeAcknowledged",
                                    Channel.class,
                                    String.class,
                                    boolean.class,
                                    Consumer.class))
                            .method(named("basicAck"))
                            .replaceWith(
                                    method(IntakeMutations.class, "collect", Channel.class, long.class, boolean.class))
                            .on(named("consume").or(named("takeIn"))))),
    OUTBOX_DELETES_BEFORE_SENDING(
            RoundsCell.NAME,
            Set.of(Rule.LOST, Rule.COMMIT_ORDER),
            new ClassMutation(
                    "io.delayqueue.internal.jdbc.relay.FreshRows",
                    List.of("take"),
                    MemberSubstitution.strict()
                            .method(named("read"))
                            .replaceWith(
                                    method(OutboxMutations.class, "readAndDelete", OutboxTable.class, Collection.class))
                            .on(named("take")))),
    OUTBOX_SENDS_IN_ITS_TRANSACTION(
            RoundsCell.NAME,
            Set.of(Rule.HELD_UP),
            new ClassMutation(
                    "io.delayqueue.internal.jdbc.relay.Sweep",
                    List.of("hold"),
                    Advice.to(OutboxMutations.SendInTransaction.class).on(named("hold"))),
            new ClassMutation(
                    "io.delayqueue.internal.jdbc.relay.RelayWorker",
                    List.of("send"),
                    Advice.to(OutboxMutations.RememberSender.class).on(named("send")))),
    OUTBOX_WAITS_FOR_LOCKED_ROWS(
            RoundsCell.NAME,
            Set.of(Rule.HELD_UP),
            new ClassMutation(
                    OutboxTable.class.getName(),
                    List.of("available"),
                    MemberSubstitution.strict()
                            .method(named("query"))
                            .replaceWith(method(
                                    OutboxMutations.class,
                                    "queryHeldRowsToo",
                                    JdbcTemplate.class,
                                    String.class,
                                    RowMapper.class,
                                    Object[].class))
                            .on(named("available")))),
    OUTBOX_ORDERS_BY_ROWS(
            RoundsCell.NAME,
            Set.of(Rule.COMMIT_ORDER, Rule.LOST),
            new ClassMutation(
                    RowKey.class.getName(),
                    List.of("of"),
                    MemberSubstitution.strict()
                            .method(named("digest"))
                            .replaceWith(
                                    method(OutboxMutations.class, "digestOfItsOwn", MessageDigest.class, byte[].class))
                            .on(named("of"))));

    private final String cell;
    private final Set<Rule> rules;
    private final List<Mutation> mutations;

    Mutant(String cell, Set<Rule> rules, Mutation... mutations) {
        this.cell = cell;
        this.rules = rules;
        this.mutations = List.of(mutations);
    }

    /** Returns its name, such as {@code pop-without-lease}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the name of the cell that must reveal the fault. */
    public String cell() {
        return cell;
    }

    /** Returns the rules. The mutant must break at least one of them. */
    public Set<Rule> rules() {
        return rules;
    }

    /**
     * Writes the changed files.
     *
     * @param folder folder that precedes the library on a class path
     * @throws IllegalStateException if the library no longer contains the code to change
     */
    public void writeTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Mutation mutation : mutations) {
            mutation.writeTo(folder);
        }
    }

    private static AsmVisitorWrapper unmandatory() {
        Class<?>[] parameters = {String.class, String.class, boolean.class, AMQP.BasicProperties.class, byte[].class};
        return MemberSubstitution.strict()
                .method(named("basicPublish"))
                .replaceWith(method(Unmandatory.class, "basicPublish", before(Channel.class, parameters)))
                .on(named("publish"));
    }

    private static AsmVisitorWrapper wrongHomes() {
        return MemberSubstitution.strict()
                .method(named("homeOf"))
                .replaceWith(method(WrongShard.class, "homeOf", Sharding.class, String.class))
                .method(named("homesOf"))
                .replaceWith(method(WrongShard.class, "homesOf", Sharding.class, String.class))
                .on(named("commonHome").or(named("byId")).or(named("under")));
    }

    private static Class<?>[] before(Class<?> first, Class<?>[] others) {
        Class<?>[] all = new Class<?>[others.length + 1];
        all[0] = first;
        System.arraycopy(others, 0, all, 1, others.length);
        return all;
    }

    private static java.lang.reflect.Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException ex) {
            throw new IllegalStateException(type + " has no " + name + Arrays.toString(parameters), ex);
        }
    }
}
