package org.madcast.madcap;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The errors of RFC 2730, section 3.17, with their extra data read. Extra data that is not of its
 * error's format makes the error {@link Other}: that it is a refusal is clear nevertheless.
 */
public sealed interface MadcapError {

    /** The number on the wire. */
    int code();

    /** Error 0: valid, but not possible now; which option stands in the way, or 0xffff. */
    record CouldNotBeCompleted(int optionCode) implements MadcapError {
        @Override
        public int code() {
            return 0;
        }
    }

    /** Error 1: not as RFC 2730 demands; which option is at fault, or 0xffff. */
    record InvalidRequest(int optionCode) implements MadcapError {
        @Override
        public int code() {
            return 1;
        }
    }

    /** Error 2: the clocks differ by too much; what the server's clock shows, since 1970. */
    record ExcessiveClockSkew(long serverEpochSeconds) implements MadcapError {
        @Override
        public int code() {
            return 2;
        }
    }

    /** Error 3: the server knows no such lease. */
    record LeaseNotRecognized() implements MadcapError {
        @Override
        public int code() {
            return 3;
        }
    }

    /** Error 4: these features were required and are not supported. */
    record FeatureNotSupported(Set<Feature> features) implements MadcapError {
        public FeatureNotSupported {
            features = Set.copyOf(features);
        }

        @Override
        public int code() {
            return 4;
        }
    }

    /** Any other error, or one whose extra data is not as it should be. */
    record Other(int code, Octets extraData) implements MadcapError {}

    /** The option that says this. */
    default Option.ErrorOption toOption() {
        return new Option.ErrorOption(
                code(),
                switch (this) {
                    case CouldNotBeCompleted(int option) -> u16(option);
                    case InvalidRequest(int option) -> u16(option);
                    case ExcessiveClockSkew(long seconds) ->
                            Octets.of(
                                    ByteBuffer.allocate(4)
                                            .putInt((int) Unsigned.u32("time", seconds))
                                            .array());
                    case LeaseNotRecognized() -> Octets.EMPTY;
                    case FeatureNotSupported(Set<Feature> features) -> listed(features);
                    case Other(int _, Octets extraData) -> extraData;
                });
    }

    /** What an option says. */
    static MadcapError of(Option.ErrorOption option) {
        Octets extra = option.extraData();
        int lengthBytes = extra.lengthBytes();
        int code = option.errorCode();
        if (code == 0 && lengthBytes == 2) {
            return new CouldNotBeCompleted(u16At(extra, 0));
        }
        if (code == 1 && lengthBytes == 2) {
            return new InvalidRequest(u16At(extra, 0));
        }
        if (code == 2 && lengthBytes == 4) {
            return new ExcessiveClockSkew((long) u16At(extra, 0) << 16 | u16At(extra, 2));
        }
        if (code == 3 && lengthBytes == 0) {
            return new LeaseNotRecognized();
        }
        if (code == 4 && lengthBytes % 2 == 0) {
            return new FeatureNotSupported(features(extra));
        }
        return new Other(code, extra);
    }

    private static Octets u16(int value) {
        Unsigned.u16("option code", value);
        return Octets.of((byte) (value >> 8), (byte) value);
    }

    private static int u16At(Octets octets, int index) {
        return octets.at(index) << 8 | octets.at(index + 1);
    }

    private static Octets listed(Collection<Feature> features) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * features.size());
        new TreeSet<>(features).forEach(feature -> bytes.putShort((short) feature.code()));
        return Octets.of(bytes.array());
    }

    private static Set<Feature> features(Octets extra) {
        return IntStream.range(0, extra.lengthBytes() / 2)
                .mapToObj(i -> new Feature(u16At(extra, 2 * i)))
                .collect(Collectors.toUnmodifiableSet());
    }
}
