package org.madcast.madcap;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * The golden bytes: files of lines {@code offset hexadecimal digits # meaning}, written by hand
 * from the tables of the RFCs. Offsets are checked, so that they can be relied on when reading.
 */
public final class GoldenFiles {

    /** The names of all files. */
    public static final List<String> NAMES =
            List.of(
                    "discover",
                    "offer",
                    "request",
                    "ack-to-request",
                    "ack-retry-after",
                    "renew",
                    "ack-to-renew-future",
                    "release",
                    "ack-to-release",
                    "getinfo",
                    "ack-to-getinfo",
                    "getinfo-unknown-option",
                    "nak-could-not-be-completed",
                    "nak-invalid-request",
                    "nak-excessive-clock-skew",
                    "nak-lease-not-recognized",
                    "nak-feature-not-supported",
                    "discover-ipv6",
                    "ack-to-request-ipv6");

    private GoldenFiles() {}

    /** The bytes of a file. */
    public static byte[] read(String name) {
        StringBuilder digits = new StringBuilder();
        for (String line : text(name).lines().toList()) {
            String data = line.split("#", 2)[0];
            if (data.isBlank()) {
                continue;
            }
            int offset = Integer.parseInt(data.substring(0, 4), 16);
            if (offset * 2 != digits.length()) {
                throw new IllegalStateException(name + ": wrong offset in " + line);
            }
            digits.append(data.substring(4).replace(" ", ""));
        }
        return HexFormat.of().parseHex(digits);
    }

    private static String text(String name) {
        String path = "/golden/" + name + ".hex";
        try (InputStream in = GoldenFiles.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("No " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
