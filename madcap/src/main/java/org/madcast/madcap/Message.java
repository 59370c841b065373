package org.madcast.madcap;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A MADCAP message (RFC 2730, section 2.1) of version 0. Immutable. The order of options means
 * nothing, so they are kept, compared and sent in the order of their numbers. Whether a message has
 * the options that its type demands is a question for {@link OptionRules}, not for this class.
 *
 * @param type what is said
 * @param family the family of the addresses in it, except for a server's own
 * @param xid the transaction that this belongs to; any 32 bits
 * @param options each kind at most once, with addresses of the family; else {@link
 *     IllegalArgumentException}
 */
public record Message(MessageType type, AddressFamily family, int xid, List<Option> options) {

    /** The UDP port of MADCAP servers (section 2). */
    public static final int SERVER_PORT = 2535;

    /** The shortest message in bytes: the header and the End option. */
    public static final int MIN_BYTES = 12;

    public Message {
        List<Option> ordered = new ArrayList<>(options);
        ordered.sort(Comparator.comparingInt(Option::code));
        for (int i = 0; i < ordered.size(); i++) {
            Option option = ordered.get(i);
            if (i > 0 && ordered.get(i - 1).code() == option.code()) {
                throw new IllegalArgumentException("Option " + option.code() + " occurs twice");
            }
            for (NetAddress address : Option.addressesOfMessageFamily(option)) {
                if (!address.family().equals(family)) {
                    throw new IllegalArgumentException(address + " is not of " + family);
                }
            }
        }
        options = List.copyOf(ordered);
    }

    /** A message with these options. */
    public static Message of(
            MessageType type, AddressFamily family, int xid, LeaseId leaseId, Option... others) {
        List<Option> options = new ArrayList<>(List.of(others));
        options.add(new Option.LeaseIdentifier(leaseId));
        return new Message(type, family, xid, options);
    }

    /** The option of this type, null when there is none. */
    public <T extends Option.Known> @Nullable T find(Class<T> optionType) {
        for (Option option : options) {
            if (optionType.isInstance(option)) {
                return optionType.cast(option);
            }
        }
        return null;
    }

    /** Whether there is an option of this type. */
    public boolean has(Class<? extends Option.Known> optionType) {
        return find(optionType) != null;
    }

    /** Which lease this is about, null when the option is missing. */
    public @Nullable LeaseId leaseId() {
        Option.LeaseIdentifier option = find(Option.LeaseIdentifier.class);
        return option == null ? null : option.leaseId();
    }

    /** Which server this names, null when the option is missing. */
    public @Nullable NetAddress serverId() {
        Option.ServerIdentifier option = find(Option.ServerIdentifier.class);
        return option == null ? null : option.address();
    }

    /** The features; no lists are empty lists. */
    public Option.FeatureList features() {
        Option.FeatureList option = find(Option.FeatureList.class);
        return option == null ? Option.FeatureList.NONE : option;
    }

    /** Which listed zones lie inside which; null when not said, or of another number of zones. */
    public @Nullable NestingMatrix nesting() {
        Option.MulticastScopeList list = find(Option.MulticastScopeList.class);
        Option.ScopeNesting nesting = find(Option.ScopeNesting.class);
        if (list == null || nesting == null) {
            return null;
        }
        NestingMatrix matrix = nesting.matrix();
        return matrix.zoneCount() == list.zones().size() ? matrix : null;
    }

    /** This message as another transaction. */
    public Message withXid(int otherXid) {
        return new Message(type, family, otherXid, options);
    }

    /** This message as another type. */
    public Message as(MessageType otherType) {
        return new Message(otherType, family, xid, options);
    }

    /** This message with an option, which replaces the one of its kind. */
    public Message with(Option option) {
        List<Option> changed = new ArrayList<>(options);
        Predicate<Option> same = present -> present.code() == option.code();
        changed.removeIf(same);
        changed.add(option);
        return new Message(type, family, xid, changed);
    }
}
