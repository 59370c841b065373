package org.madcast.lab;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How fast a cable carries bits, each way.
 *
 * @param bitsPerSecond at least 8000 (1 kB/s), at most 400 Gbit/s
 */
public record LinkRate(long bitsPerSecond) {
    private static final Pattern TEXT =
            Pattern.compile("(\\d{1,19}(?:\\.\\d{1,9})?)\\s*(?:(k|m|g|t)?bit(?:/s)?)?");
    private static final long LEAST = 8_000;
    private static final long MOST = 400_000_000_000L;
    private static final long LEAST_BURST_BYTES = 32 * 1024;
    private static final long BURSTS_PER_SECOND = 4_000;

    /** Refuses rates that the shaper cannot keep. */
    public LinkRate {
        if (bitsPerSecond < LEAST || bitsPerSecond > MOST) {
            throw new IllegalArgumentException(
                    "link rate outside 8kbit to 400gbit: " + bitsPerSecond + " bit/s");
        }
    }

    /**
     * Reads {@code 100mbit}, {@code 1.5gbit} or {@code 9600bit}, as tc writes rates, {@code
     * 100Mbit/s}, as the parameters of broadcasts do, and a bare number of bit/s; decimal units.
     */
    public static LinkRate parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "not a rate: '" + text + "'; write it like 100mbit, 1gbit or 100Mbit/s");
        }
        String unit = matcher.group(2) == null ? "" : matcher.group(2);
        int power =
                switch (unit) {
                    case "k" -> 3;
                    case "m" -> 6;
                    case "g" -> 9;
                    case "t" -> 12;
                    default -> 0;
                };
        BigDecimal bits = new BigDecimal(matcher.group(1)).scaleByPowerOfTen(power);
        if (bits.compareTo(BigDecimal.valueOf(MOST)) > 0) {
            throw new IllegalArgumentException("link rate above 400gbit: '" + text + "'");
        }
        return new LinkRate(bits.longValue());
    }

    /** Reads what {@link #parse} reads, or {@code none}: a cable that is not slowed down. */
    public static Optional<LinkRate> parseLimit(String text) {
        return text.equals("none") ? Optional.empty() : Optional.of(parse(text));
    }

    /** What may pass at once: 32 KiB, or 250 microseconds' worth where that is more. */
    long burstBytes() {
        return Math.max(LEAST_BURST_BYTES, bitsPerSecond / 8 / BURSTS_PER_SECOND);
    }

    /** The shortest form that {@link #parse} reads. */
    @Override
    public String toString() {
        if (bitsPerSecond % 1_000_000_000 == 0) {
            return bitsPerSecond / 1_000_000_000 + "gbit";
        }
        if (bitsPerSecond % 1_000_000 == 0) {
            return bitsPerSecond / 1_000_000 + "mbit";
        }
        return bitsPerSecond % 1_000 == 0 ? bitsPerSecond / 1_000 + "kbit" : bitsPerSecond + "bit";
    }
}
