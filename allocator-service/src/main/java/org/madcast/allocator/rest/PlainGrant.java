package org.madcast.allocator.rest;

import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.statistics.PlainReport;
import org.madcast.allocator.web.Limits;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.ObjectMapper;

/**
 * Reads what asks for a lease of some groups from now on, in one pass and without reflection. What
 * such a request may say is told by {@link LeaseBodies.Grant} alone: as with {@link PlainReport},
 * this takes only what is plainly right by that, and of anything else it says nothing.
 */
final class PlainGrant {

    private final JsonParser in;

    private PlainGrant(JsonParser in) {
        this.in = in;
    }

    /** The request; null when it is not plain, be it right or wrong. */
    static @Nullable GrantRequest read(ObjectMapper json, byte[] body) {
        try (JsonParser parser = json.createParser(body)) {
            return new PlainGrant(parser).grant().toRequest();
        } catch (PlainReport.NotPlain | JacksonException left) {
            return null;
        }
    }

    private LeaseBodies.Grant grant() {
        String job = null;
        String communicator = null;
        String user = null;
        String scope = null;
        Integer count = null;
        Integer seconds = null;
        PlainReport.require(in.nextToken() == JsonToken.START_OBJECT);
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            switch (name) {
                case "job" -> job = text(job, Limits.NAME_LENGTH);
                case "communicator" -> communicator = text(communicator, Limits.NAME_LENGTH);
                case "user" -> user = text(user, Limits.NAME_LENGTH);
                case "scope" -> scope = text(scope, Limits.LABEL_KEY_LENGTH);
                case "count" -> count = number(count, Limits.GROUPS);
                case "durationSeconds" -> seconds = number(seconds, Limits.LEASE_SECONDS);
                default -> throw new PlainReport.NotPlain();
            }
        }
        PlainReport.require(in.currentToken() == JsonToken.END_OBJECT && in.nextToken() == null);
        return new LeaseBodies.Grant(
                PlainReport.required(job),
                communicator,
                user,
                null,
                scope,
                count,
                null,
                seconds,
                null);
    }

    private String text(@Nullable String before, int most) {
        PlainReport.require(before == null && in.nextToken() == JsonToken.VALUE_STRING);
        return PlainReport.plain(in.getString(), most);
    }

    private Integer number(@Nullable Integer before, int most) {
        PlainReport.require(before == null && in.nextToken() == JsonToken.VALUE_NUMBER_INT);
        long value = in.getLongValue();
        PlainReport.require(value >= 1 && value <= most);
        return (int) value;
    }
}
