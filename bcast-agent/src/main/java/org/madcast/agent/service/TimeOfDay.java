package org.madcast.agent.service;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time as people write it: with or without seconds, with a zone or in universal time. */
final class TimeOfDay implements ITypeConverter<Instant> {

    private static final List<Function<String, Instant>> WAYS =
            List.of(
                    text -> OffsetDateTime.parse(text).toInstant(),
                    text -> LocalDateTime.parse(text).toInstant(ZoneOffset.UTC),
                    text -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));

    @Override
    public Instant convert(String text) {
        String joined = text.strip().replace(' ', 'T');
        for (Function<String, Instant> way : WAYS) {
            try {
                return way.apply(joined);
            } catch (DateTimeParseException _) {
                // Perhaps the next one.
            }
        }
        throw new TypeConversionException(
                "'" + text + "' is not a time; write 2026-03-03T14:00 or 2026-03-03T14:00+01:00");
    }
}
