package org.madcast.client.lease;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.madcast.client.MulticastGroup;

/** Reads fields that another program wrote: what is missing or malformed is an IOException. */
final class JsonFields {

    /** Deeper than any text of ours; the parser calls itself for each object within another. */
    private static final int MOST_DEPTH = 32;

    private final JsonObject object;

    JsonFields(JsonObject object) {
        this.object = object;
    }

    static JsonFields parse(String text) throws IOException {
        requireShallow(text);
        try {
            return new JsonFields(JsonParser.object().from(text));
        } catch (JsonParserException malformed) {
            throw new IOException("not a JSON object: " + malformed.getMessage(), malformed);
        }
    }

    private static void requireShallow(String text) throws IOException {
        int depth = 0;
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted) {
                i += c == '\\' ? 1 : 0;
                quoted = c != '"';
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            }
            if (depth > MOST_DEPTH) {
                throw new IOException("not a JSON object: nested too deeply");
            }
        }
    }

    /** The address as text without its zone, which means something on this host only. */
    static String literal(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }

    /** All of it as text. */
    String json() {
        return JsonWriter.string(object);
    }

    boolean has(String name) {
        return object.has(name);
    }

    boolean isTrue(String name) {
        return object.getBoolean(name, false);
    }

    String text(String name) throws IOException {
        if (object.get(name) instanceof String text) {
            return text;
        }
        throw new IOException("no text '" + name + "'");
    }

    String textOr(String name, String otherwise) {
        return object.get(name) instanceof String text ? text : otherwise;
    }

    int number(String name, int min, int max) throws IOException {
        if (object.get(name) instanceof Number number
                && number.doubleValue() >= min
                && number.doubleValue() <= max) {
            return number.intValue();
        }
        throw new IOException("no number '" + name + "' from " + min + " to " + max);
    }

    /** A 64-bit number as 16 hexadecimal digits. */
    long token(String name) throws IOException {
        try {
            return Long.parseUnsignedLong(text(name), 16);
        } catch (NumberFormatException malformed) {
            throw new IOException("'" + name + "' is not a hexadecimal number", malformed);
        }
    }

    Instant instant(String name) throws IOException {
        try {
            return Instant.parse(text(name));
        } catch (DateTimeException malformed) {
            throw new IOException("'" + name + "' is not a time", malformed);
        }
    }

    /** The address and port in this object. */
    InetSocketAddress socketAddress() throws IOException {
        try {
            return new InetSocketAddress(
                    InetAddress.ofLiteral(text("address")), number("port", 1, 65_535));
        } catch (IllegalArgumentException malformed) {
            throw new IOException("'address' is not an address", malformed);
        }
    }

    /** The multicast address and port in this object. */
    MulticastGroup group() throws IOException {
        InetSocketAddress address = socketAddress();
        try {
            return new MulticastGroup(address.getAddress(), address.getPort());
        } catch (IllegalArgumentException notMulticast) {
            throw new IOException(notMulticast.getMessage(), notMulticast);
        }
    }

    JsonFields child(String name) throws IOException {
        if (object.get(name) instanceof JsonObject child) {
            return new JsonFields(child);
        }
        throw new IOException("no object '" + name + "'");
    }

    /** The texts in an array; none when there is no such array. */
    List<String> texts(String name) throws IOException {
        List<String> texts = new ArrayList<>();
        if (object.get(name) instanceof JsonArray array) {
            for (Object element : array) {
                if (!(element instanceof String text)) {
                    throw new IOException("'" + name + "' has an element that is not a text");
                }
                texts.add(text);
            }
        }
        return texts;
    }

    /** The numbers in an array; none when there is no such array. */
    List<Integer> numbers(String name, int min, int max) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        if (object.get(name) instanceof JsonArray array) {
            for (Object element : array) {
                if (!(element instanceof Number number
                        && number.doubleValue() >= min
                        && number.doubleValue() <= max)) {
                    throw new IOException(
                            "'%s' has an element that is no number from %d to %d"
                                    .formatted(name, min, max));
                }
                numbers.add(number.intValue());
            }
        }
        return numbers;
    }

    /** A rate of a cable, above 0. */
    long bitsPerSecond() throws IOException {
        if (object.get("bitsPerSecond") instanceof Number number && number.longValue() > 0) {
            return number.longValue();
        }
        throw new IOException("no number 'bitsPerSecond' above 0");
    }

    /** The objects in an array; none when there is no such array. */
    List<JsonFields> children(String name) throws IOException {
        List<JsonFields> children = new ArrayList<>();
        if (object.get(name) instanceof JsonArray array) {
            for (Object element : array) {
                if (!(element instanceof JsonObject child)) {
                    throw new IOException("'" + name + "' has an element that is not an object");
                }
                children.add(new JsonFields(child));
            }
        }
        return children;
    }
}
