package org.madcast.allocator.lease;

import jakarta.persistence.Embeddable;
import java.net.InetAddress;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.madcast.allocator.scope.MulticastGroup;

/** A row of the lease_group table, read as a part of its lease. */
@Embeddable
@SuppressWarnings("NullAway.Init") // the persistence provider sets the fields
class LeaseGroupPart {

    @JdbcTypeCode(SqlTypes.INET)
    private InetAddress address;

    private int port;
    private int ordinal;

    /** For the persistence provider. */
    protected LeaseGroupPart() {}

    int ordinal() {
        return ordinal;
    }

    MulticastGroup toGroup() {
        return new MulticastGroup(address.getHostAddress(), port);
    }
}
