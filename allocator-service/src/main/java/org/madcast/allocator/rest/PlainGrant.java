package org.madcast.allocator.rest;

import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.web.Limits;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.ObjectMapper;

/**
 * Reads what asks for a lease of some groups from now on, in one pass and without reflection. What
 * such a request may say is told by {@link LeaseBodies.Grant} alone: this takes only what is
 * plainly right by that, and of anything else it says nothing.
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
        } catch (NotPlain | JacksonException left) {
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
        require(in.nextToken() == JsonToken.START_OBJECT);
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            switch (name) {
                case "job" -> job = text(job, Limits.NAME_LENGTH);
                case "communicator" -> communicator = text(communicator, Limits.NAME_LENGTH);
                case "user" -> user = text(user, Limits.NAME_LENGTH);
                case "scope" -> scope = text(scope, Limits.LABEL_KEY_LENGTH);
                case "count" -> count = number(count, Limits.GROUPS);
                case "durationSeconds" -> seconds = number(seconds, Limits.LEASE_SECONDS);
                default -> throw new NotPlain();
            }
        }
        require(in.currentToken() == JsonToken.END_OBJECT && in.nextToken() == null);
        return new LeaseBodies.Grant(
                required(job), communicator, user, null, scope, count, null, seconds, null);
    }

    private String text(@Nullable String before, int most) {
        require(before == null && in.nextToken() == JsonToken.VALUE_STRING);
        return plain(in.getString(), most);
    }

    private Integer number(@Nullable Integer before, int most) {
        require(before == null && in.nextToken() == JsonToken.VALUE_NUMBER_INT);
        long value = in.getLongValue();
        require(value >= 1 && value <= most);
        return (int) value;
    }

    private static void require(boolean plain) {
        if (!plain) {
            throw new NotPlain();
        }
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new NotPlain();
        }
        return value;
    }

    private static String plain(String text, int most) {
        require(!text.isEmpty() && text.length() <= most);
        for (int i = 0; i < text.length(); i++) {
            require(text.charAt(i) > ' ' && text.charAt(i) < 0x7f);
        }
        return text;
    }

    /** Ends the short way. */
    private static final class NotPlain extends RuntimeException {

        private static final long serialVersionUID = 1;

        NotPlain() {
            super(null, null, false, false);
        }
    }
}
