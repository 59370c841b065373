package org.madcast.allocator.scope;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * A pool that groups are granted from, and its rules. Immutable.
 *
 * <p>A <em>slot</em> is what is granted at a time: an address with all of its ports, or, where the
 * scope shares addresses, one (address, port). Slots are numbered in the scope's pseudo-random
 * order.
 *
 * @param name its name
 * @param description what people call it
 * @param ranges its addresses as text, such as {@code 239.192.0.0/14}
 * @param addresses the addresses that may be granted
 * @param ports the ports
 * @param ttl time to live that keeps datagrams inside of the scope
 * @param segment the layer-2 domain; leases of one domain share no Ethernet address
 * @param sharesAddresses whether leases may share an address by port
 * @param quarantine how long a group rests after its lease
 * @param longestLease the longest time that a lease may still have to run
 * @param seed the key of the order
 * @param policy what else an operator decided
 */
public record Scope(
        String name,
        String description,
        List<String> ranges,
        AddressPool addresses,
        PortRange ports,
        int ttl,
        String segment,
        boolean sharesAddresses,
        Duration quarantine,
        Duration longestLease,
        long seed,
        ScopePolicy policy) {

    /** Of its name, which no other scope of the service has: it is asked for with each lease. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** How many slots there are, that is, how many groups can be leased at a time. */
    public long capacity() {
        return sharesAddresses ? addresses.size() * ports.size() : addresses.size();
    }

    /**
     * The group of a slot.
     *
     * @param slotNumber the slot, 0 to {@link #capacity} - 1
     * @param uses how often the slot was used: an address that is used again gets another port, so
     *     that a straggler of its last job does not hit the next one
     */
    public LeasedGroup groupAt(long slotNumber, long uses) {
        long place = policy.picker().placeAt(slotNumber, capacity(), seed);
        long port = sharesAddresses ? place / addresses.size() : place + uses;
        return new LeasedGroup(addresses.textAt(place % addresses.size()), ports.portAt(port));
    }

    /** The slot of the address with this number, where addresses are not shared. */
    public long slotOf(long addressNumber) {
        if (sharesAddresses) {
            throw new IllegalStateException("an address of " + name + " has a slot for each port");
        }
        return policy.picker().slotAt(addressNumber, capacity(), seed);
    }

    /**
     * The slot of an address, and of its port where addresses are shared; empty if the pool has no
     * such slot.
     */
    public OptionalLong slotOf(String address, int port) {
        OptionalLong number = addresses.numberOf(address);
        if (number.isEmpty() || !sharesAddresses) {
            return number.isEmpty() ? number : OptionalLong.of(slotOf(number.getAsLong()));
        }
        int place = (port - ports.first()) / ports.step();
        return place >= 0 && place < ports.size() && ports.portAt(place) == port
                ? OptionalLong.of(
                        policy.picker()
                                .slotAt(
                                        place * addresses.size() + number.getAsLong(),
                                        capacity(),
                                        seed))
                : OptionalLong.empty();
    }

    /** The pool for people, such as {@code 239.192.0.0/14, ports 5000-32768 by 2}. */
    public String pool() {
        return String.join(", ", ranges) + ", ports " + ports;
    }
}
