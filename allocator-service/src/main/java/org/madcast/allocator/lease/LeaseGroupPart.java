package org.madcast.allocator.lease;

import jakarta.persistence.Embeddable;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.Ipv6;
import org.madcast.allocator.scope.MulticastGroup;

/** A row of the lease_group table, read as a part of its lease. */
@Embeddable
@SuppressWarnings("NullAway.Init") // the persistence provider sets the fields
class LeaseGroupPart {

    @JdbcTypeCode(SqlTypes.INET)
    private InetAddress address;

    private int port;
    private int portCount;
    private @Nullable String role;
    private int ordinal;

    /** For the persistence provider. */
    protected LeaseGroupPart() {}

    int ordinal() {
        return ordinal;
    }

    /** One group for each port. */
    Stream<MulticastGroup> toGroups() {
        String text = text();
        return IntStream.range(port, port + portCount)
                .mapToObj(it -> new MulticastGroup(text, it, role));
    }

    private String text() {
        if (!(address instanceof Inet6Address)) {
            return address.getHostAddress();
        }
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return Ipv6.format(
                new Ipv6.Prefix(bytes.getLong(), bytes.getInt()), bytes.getInt() & 0xffff_ffffL);
    }
}
