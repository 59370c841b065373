package org.madcast.allocator.dashboard;

/** A leased group as people write it, for SQL over {@code lease_group g}. */
final class GroupSql {

    /** One group, as 239.1.2.3:4567 or [ff15::1]:4567. */
    static final String ONE =
            """
            case family(g.address) when 6 then '[' || host(g.address) || ']'
                else host(g.address) end || ':' || g.port\
            """;

    /** All groups of a lease, the first one first. */
    static final String ALL = "string_agg(" + ONE + ", ', ' order by g.ordinal)";

    private GroupSql() {}
}
