// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.handler.TaskLease;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * An update that cannot overwrite that of a later delivery. It writes the {@linkplain TaskLease#token() fencing
 * token} of its delivery with the row, and changes nothing where the row has the same token or a higher one. So a
 * handler that was left behind, such as one whose process stood still for longer than its lease, does no harm, whether
 * or not the delivery after it has ended.
 *
 * <pre>{@code
 * boolean closed = FencedUpdate.of("orders")
 *         .set("status", "CLOSED")
 *         .where("id", order.id())
 *         .fence("fence", task.lease().token())
 *         .run(jdbc);
 * }</pre>
 *
 * <p>That is {@code UPDATE orders SET status = ?, fence = ? WHERE id = ? AND (fence IS NULL OR fence < ?)}. The column
 * of the token holds integers of 64 bits; rows that no delivery has written have null or 0 there. A delivery writes each
 * row once: its second update of a row is refused as one of an equal token. Tokens are comparable within one queue and
 * one task id only, so all tasks that write a row need the same queue and id.
 *
 * <p>Immutable; each method gives back another one. Names of tables and columns are letters, digits and underscores, and
 * dots in those of tables; values travel as parameters.
 */
public final class FencedUpdate {

    private static final Pattern COLUMN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern TABLE = Pattern.compile(COLUMN + "(\\." + COLUMN + "){0,2}");

    private final String table;
    private final Map<String, @Nullable Object> values;
    private final Map<String, Object> conditions;
    private final @Nullable String fenceColumn;
    private final long token;

    private FencedUpdate(
            String table,
            Map<String, @Nullable Object> values,
            Map<String, Object> conditions,
            @Nullable String fenceColumn,
            long token) {
        this.table = table;
        this.values = values;
        this.conditions = conditions;
        this.fenceColumn = fenceColumn;
        this.token = token;
    }

    /** Begins an update of a table. */
    public static FencedUpdate of(String table) {
        return new FencedUpdate(checked(table, TABLE), Map.of(), Map.of(), null, 0);
    }

    /** The same, which gives a column a value. */
    public FencedUpdate set(String column, @Nullable Object value) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(values);
        more.put(checked(column, COLUMN), value);
        return new FencedUpdate(table, more, conditions, fenceColumn, token);
    }

    /** The same, of rows only whose column has this value. */
    public FencedUpdate where(String column, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(conditions);
        more.put(checked(column, COLUMN), Objects.requireNonNull(value, column));
        return new FencedUpdate(table, values, more, fenceColumn, token);
    }

    /**
     * The same, for the delivery that has this token.
     *
     * @param column holds the token of the delivery that has written the row
     * @param token {@link TaskLease#token()}, {@link Delivery#token()} or the header {@code dq-token}
     */
    public FencedUpdate fence(String column, long token) {
        return new FencedUpdate(table, values, conditions, checked(column, COLUMN), token);
    }

    /**
     * Updates the row, in the current transaction where there is one.
     *
     * @return whether a row was changed; false when there is none, or when a delivery with this token or a higher one has
     *     written it
     * @throws IllegalStateException if the update has no fence, or no condition and so would change every row
     * @throws org.springframework.dao.DataAccessException if the database refuses
     */
    public boolean run(JdbcOperations jdbc) {
        if (fenceColumn == null || conditions.isEmpty()) {
            throw new IllegalStateException("The fenced update of " + table
                    + " needs fence(column, token), and where(column, value) at least once");
        }
        Map<String, @Nullable Object> written = new LinkedHashMap<>(values);
        written.put(fenceColumn, token);
        String sql = "UPDATE " + table + " SET "
                + written.keySet().stream().map(column -> column + " = ?").collect(Collectors.joining(", "))
                + " WHERE "
                + conditions.keySet().stream().map(column -> column + " = ?").collect(Collectors.joining(" AND "))
                + " AND (" + fenceColumn + " IS NULL OR " + fenceColumn + " < ?)";
        List<@Nullable Object> parameters = new ArrayList<>(written.values());
        parameters.addAll(conditions.values());
        parameters.add(token);
        return jdbc.update(sql, parameters.toArray()) > 0;
    }

    private static String checked(String name, Pattern form) {
        if (!form.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Names of tables and columns are letters, digits and underscores, and begin with no digit; one with "
                            + name.length() + " characters is none");
        }
        return name;
    }
}
