package org.madcast.allocator.lease;

import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeasesPage.Search;
import org.madcast.allocator.scope.Ipv4;
import org.madcast.allocator.scope.Ipv6;
import org.madcast.allocator.web.page.SoughtWords;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * Which leases a search finds, as a condition on {@code lease l}. Each place where words can be is
 * looked at by an index of its own, and gives its latest {@link #MOST} leases.
 */
final class LeaseSearch {

    /** How many leases a search for words finds in one place. */
    static final int MOST = 1_000;

    private static final int HEX_DIGITS = 32;

    private static final String OF_NAMES = "l.job ilike :like or l.owner ilike :like";

    private static final String OF_COMMUNICATORS =
            "l.id in (select c.lease_id from communicator c where c.name ilike :like)";

    private static final String OF_NUMBER = "l.id between :firstId::uuid and :lastId::uuid";

    /** The leases of addresses in a range, each table's part by its index. */
    private static final String OF_ADDRESSES =
            """
            l.id in (
                select g.lease_id from lease_group g
                    where g.settled and g.address between :first::inet and :last::inet
                        and g.port::text like :port
                union all
                select g.lease_id from lease_group g
                    where not g.settled
                        and ethernet_key_of(g.address)
                            between ethernet_key_of(:first::inet) and ethernet_key_of(:last::inet)
                        and g.address between :first::inet and :last::inet
                        and g.port::text like :port)\
            """;

    private static final Pattern NUMBER = Pattern.compile("[0-9a-fA-F-]{1,36}");

    /** Of a multicast address at least three bytes: fewer have a large part of all groups. */
    private static final Pattern IPV4 =
            Pattern.compile(
                    "(2(?:2[4-9]|3\\d)\\.\\d{1,3}\\.\\d{1,3})(?:\\.(\\d{1,3})?)?(?::(\\d{1,5}))?");

    private static final Pattern IPV6 =
            Pattern.compile("\\[?([fF][fF][0-9a-fA-F]{0,2}:[0-9a-fA-F:]*)(?:\\](?::(\\d{1,5}))?)?");

    private final Search search;

    /** A lease that stands for a reservation is none that anybody was granted. */
    private final List<String> filters = new ArrayList<>(List.of("not l.reserves"));

    private final @Nullable Range addresses;
    private final @Nullable Numbers numbers;

    LeaseSearch(Search search) {
        this.search = search;
        this.addresses = addresses(search.words());
        this.numbers = numbers(search.words());
        if (!search.scope().isEmpty()) {
            filters.add("l.scope = :scope");
        }
        switch (search.state()) {
            case "released" -> filters.add("l.released_at is not null");
            case "expired" -> filters.add("l.released_at is null and l.expires_at <= now()");
            case "scheduled" -> filters.add("l.released_at is null and l.starts_at > now()");
            case "active" ->
                    filters.add(
                            "l.released_at is null and l.starts_at <= now()"
                                    + " and l.expires_at > now()");
            default -> {}
        }
    }

    /** Groups from one address to another, with ports that look like a pattern. */
    private record Range(String first, String last, String port) {}

    /** Leases from one number to another. */
    private record Numbers(String first, String last) {}

    /** The condition, with {@code where}. */
    String where() {
        if (search.words().isEmpty()) {
            return "where " + String.join(" and ", filters) + " ";
        }
        List<String> places = places().stream().map(this::latest).toList();
        return "where l.id in (" + String.join(" union all ", places) + ") ";
    }

    /** Where words can be found, by what they look like. */
    private List<String> places() {
        if (addresses != null) {
            return List.of(OF_ADDRESSES);
        }
        List<String> places = new ArrayList<>(List.of(OF_NAMES, OF_COMMUNICATORS));
        if (numbers != null) {
            places.add(OF_NUMBER);
        }
        return places;
    }

    private String latest(String place) {
        List<String> all = new ArrayList<>(filters);
        all.add("(" + place + ")");
        return "(select l.id from lease l where %s order by l.id desc limit %d)"
                .formatted(String.join(" and ", all), MOST);
    }

    /** Fills in what the condition names. */
    StatementSpec bind(StatementSpec statement) {
        return statement
                .param("scope", search.scope())
                .param("like", SoughtWords.pattern(search.words()))
                .param("firstId", numbers == null ? null : numbers.first(), Types.VARCHAR)
                .param("lastId", numbers == null ? null : numbers.last(), Types.VARCHAR)
                .param("first", addresses == null ? null : addresses.first(), Types.VARCHAR)
                .param("last", addresses == null ? null : addresses.last(), Types.VARCHAR)
                .param("port", addresses == null ? null : addresses.port(), Types.VARCHAR);
    }

    /** The numbers that begin with these digits; null if none does. */
    private static @Nullable Numbers numbers(String words) {
        if (!NUMBER.matcher(words).matches()) {
            return null;
        }
        String digits = words.replace("-", "");
        if (digits.isEmpty() || digits.length() > HEX_DIGITS) {
            return null;
        }
        String first = dashed(digits + "0".repeat(HEX_DIGITS - digits.length()));
        boolean begins = first.startsWith(words.toLowerCase(Locale.ROOT));
        return begins
                ? new Numbers(first, dashed(digits + "f".repeat(HEX_DIGITS - digits.length())))
                : null;
    }

    private static String dashed(String hex) {
        return new UUID(
                        Long.parseUnsignedLong(hex.substring(0, 16), 16),
                        Long.parseUnsignedLong(hex.substring(16), 16))
                .toString();
    }

    /** The multicast addresses that begin with the words; null if there are none. */
    private static @Nullable Range addresses(String words) {
        Matcher six = IPV6.matcher(words);
        if (six.matches()) {
            return ipv6(six.group(1), six.group(2));
        }
        Matcher four = IPV4.matcher(words);
        return four.matches() ? ipv4(four.group(1), four.group(2), four.group(3)) : null;
    }

    private static @Nullable Range ipv6(String text, @Nullable String port) {
        try {
            Ipv6.Address address = Ipv6.parse(text);
            String exact = Ipv6.format(address.prefix(), address.group());
            return range(exact, exact, port);
        } catch (IllegalArgumentException part) {
            return null;
        }
    }

    private static @Nullable Range ipv4(
            String bytes, @Nullable String lastByte, @Nullable String port) {
        String first = bytes + "." + (lastByte == null ? "0" : lastByte);
        String last = bytes + "." + (lastByte == null ? "255" : lastByte);
        try {
            boolean isUsual = Ipv4.format(Ipv4.parse(first)).equals(first);
            return isUsual && Ipv4.parse(last) >= 0 ? range(first, last, port) : null;
        } catch (IllegalArgumentException other) {
            return null;
        }
    }

    private static Range range(String first, String last, @Nullable String port) {
        return new Range(first, last, port == null ? "%" : port + "%");
    }
}
