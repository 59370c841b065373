package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.madcast.allocator.lease.GrantOutcome.Refused;
import org.madcast.allocator.lease.LeaseGroupStore.Row;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.NewLease.Part;
import org.madcast.allocator.lease.Reservation.Kept;
import org.madcast.allocator.lease.SlotStore.Search;
import org.madcast.allocator.lease.SlotStore.Slot;
import org.madcast.allocator.scope.LeasedGroup;
import org.madcast.allocator.scope.Scope;
import org.springframework.stereotype.Component;

/**
 * Gives new leases their groups, each all of its groups or none. Joins the caller's transaction.
 *
 * <p>A pass proposes slots for all leases, scope by scope in one order, and then writes all groups
 * in one statement. Slots come before groups, since a transaction that has written groups is waited
 * for and so must not wait for slots. If a lease of an overlapping scope is in the way of a group,
 * the pass is undone, the slot blocked until that lease ends, and the next pass begins. If a scope
 * has too few slots while other transactions are taking some, the next pass waits for those.
 *
 * <p>How slots are proposed depends on the shape: the ones that have been free for longest, or, for
 * a block, those of a place that {@link BlockPlaces} names.
 */
@Component
class Placement {

    private static final int MOST_PASSES = 256;

    private final SlotStore slots;
    private final LeaseGroupStore groups;
    private final BlockPlaces places;
    private final ReservationStore reservations;

    Placement(
            SlotStore slots,
            LeaseGroupStore groups,
            BlockPlaces places,
            ReservationStore reservations) {
        this.reservations = reservations;
        this.slots = slots;
        this.groups = groups;
        this.places = places;
    }

    /**
     * What came of it; each lease is in one of both.
     *
     * @param placed the groups of those that have theirs
     * @param refused why others have none
     */
    record Result(Map<UUID, List<Row>> placed, Map<UUID, Refused> refused) {}

    /** Places leases whose rows are written. */
    Result place(Collection<NewLease> leases) {
        Map<UUID, Scope> refused = new HashMap<>();
        List<Row> obstructed = new ArrayList<>();
        Set<String> awaited = new HashSet<>();
        Map<UUID, List<Row>> placed = Map.of();
        Map<UUID, List<Kept>> kept = reservations.lockFor(leases);
        groups.savepoint();
        for (int number = 0; placed.isEmpty(); number++) {
            List<NewLease> open =
                    leases.stream().filter(it -> !refused.containsKey(it.id())).toList();
            if (open.isEmpty()) {
                break;
            }
            Pass pass = new Pass(open, kept, number, obstructed, awaited);
            pass.takeSlots();
            Set<String> toAwait = pass.scopesToAwait();
            refused.putAll(pass.refused(toAwait));
            if (toAwait.isEmpty() && !pass.meets && refused.size() < leases.size()) {
                pass.giveBackUnused();
                List<Row> lost = pass.insert();
                if (lost.isEmpty()) {
                    pass.shortenBlocks();
                    placed = pass.rows;
                    continue;
                }
                obstructed.addAll(lost);
                if (number + 1 >= MOST_PASSES) {
                    lost.forEach(it -> refused.put(it.lease(), it.scope()));
                }
            }
            groups.rollbackToSavepoint();
            awaited.addAll(toAwait);
        }
        return new Result(placed, reasons(refused, obstructed));
    }

    /** Once no transaction has to be waited for any more: these slots stay locked. */
    private Map<UUID, Refused> reasons(Map<UUID, Scope> refused, List<Row> obstructed) {
        if (!obstructed.isEmpty()) {
            groups.blockSlots(obstructed);
        }
        Map<String, Refused> byScope = new HashMap<>();
        Map<UUID, Refused> reasons = new HashMap<>();
        refused.forEach((id, scope) ->
                reasons.put(
                        id, byScope.computeIfAbsent(scope.name(), name -> slots.exhausted(scope))));
        return reasons;
    }

    /** An attempt to place all leases that are left. */
    private final class Pass {

        private final List<NewLease> leases;
        private final Map<UUID, List<Kept>> kept;
        private final int number;
        private final Set<String> awaited;
        private final Map<String, Set<Long>> obstructed = new HashMap<>();
        private final Map<UUID, List<Row>> rows = new LinkedHashMap<>();
        private final Map<UUID, Scope> lacking = new HashMap<>();
        private final Map<Scope, List<Slot>> unused = new LinkedHashMap<>();
        private final Map<String, Instant> blockedUntil = new HashMap<>();

        /**
         * Whether the next pass has to try again: the place of a block is taken, or slots were
         * given in vain.
         */
        private boolean meets;

        Pass(
                List<NewLease> leases,
                Map<UUID, List<Kept>> kept,
                int number,
                List<Row> obstructed,
                Set<String> awaited) {
            this.leases = leases;
            this.kept = kept;
            this.number = number;
            this.awaited = awaited;
            obstructed.forEach(it -> obstructed(it.scope()).add(it.slotNumber()));
        }

        private Set<Long> obstructed(Scope scope) {
            return obstructed.computeIfAbsent(scope.name(), name -> new HashSet<>());
        }

        /** In one order: a transaction that waits for another to deal must not be waited for. */
        void takeSlots() {
            Map<String, List<Part>> byScope = new TreeMap<>();
            for (NewLease lease : leases) {
                rows.put(lease.id(), new ArrayList<>());
                lease.parts()
                        .forEach(part ->
                                byScope.computeIfAbsent(
                                                part.scope().name(), name -> new ArrayList<>())
                                        .add(part));
            }
            byScope.values()
                    .forEach(parts -> {
                        List<Part> blocks = parts.stream().filter(Part::isBlock).toList();
                        List<Part> others = parts.stream().filter(it -> !it.isBlock()).toList();
                        takeSeparate(parts.getFirst().scope(), others);
                        // Deals no more, and so adds slots in the order of their numbers.
                        occupyBlocks(parts.getFirst().scope(), blocks);
                    });
        }

        private void takeSeparate(Scope scope, List<Part> parts) {
            if (parts.isEmpty()) {
                return;
            }
            int count = parts.stream().mapToInt(it -> it.addresses() - keptFor(it).size()).sum();
            Instant until =
                    parts.stream()
                            .map(it -> it.source().term().blockedUntil())
                            .max(Instant::compareTo)
                            .orElseThrow();
            Search search = new Search(scope, count, until, obstructed(scope));
            List<Slot> taken =
                    new ArrayList<>(
                            awaited.contains(scope.name())
                                    ? slots.await(search)
                                    : slots.take(search));
            unused.put(scope, taken);
            blockedUntil.put(scope.name(), until);
            parts.stream().filter(it -> !it.startsLater()).forEach(it -> give(it, taken));
            parts.stream()
                    .filter(Part::startsLater)
                    .forEach(it -> {
                        int missing = it.addresses() - taken.size();
                        if (missing > 0) { // what is not free now may be free by then
                            Term term = it.source().term();
                            taken.addAll(
                                    slots.takeFreeBy(
                                            term.startsAt(),
                                            new Search(
                                                    scope,
                                                    missing,
                                                    term.blockedUntil(),
                                                    obstructed(scope))));
                        }
                        give(it, taken);
                    });
        }

        /** What is reserved for its owner, and nothing else is in the way of. */
        private List<Kept> keptFor(Part part) {
            return kept.getOrDefault(part.lease().id(), List.of()).stream()
                    .filter(it -> it.scope().equals(part.scope().name()))
                    .filter(it -> !obstructed(part.scope()).contains(it.slotNumber()))
                    .toList();
        }

        private void give(Part part, List<Slot> taken) {
            List<Kept> own = keptFor(part);
            if (part.addresses() - own.size() > taken.size()) {
                lacking.putIfAbsent(part.lease().id(), part.scope());
                return;
            }
            for (int i = 0; i < own.size(); i++) {
                rowsOf(part).add(own.get(i).row(part, i));
            }
            for (int i = own.size(); i < part.addresses(); i++) {
                Slot slot = taken.removeLast();
                LeasedGroup group = part.scope().groupAt(slot.number(), slot.uses());
                rowsOf(part).add(part.row(i, slot.number(), group.address(), group.port()));
            }
        }

        private void occupyBlocks(Scope scope, List<Part> parts) {
            Set<Long> numbers = new HashSet<>();
            rows.values()
                    .forEach(own ->
                            own.stream()
                                    .filter(it -> it.scope().name().equals(scope.name()))
                                    .forEach(it -> numbers.add(it.slotNumber())));
            List<Row> wanted = new ArrayList<>();
            for (Part part : parts) {
                List<Row> place = places.propose(part, number, numbers);
                if (place.isEmpty()) {
                    lacking.put(part.lease().id(), scope);
                } else {
                    place.forEach(it -> numbers.add(it.slotNumber()));
                    rowsOf(part).addAll(place);
                    wanted.addAll(place);
                }
            }
            meets |= !wanted.isEmpty() && slots.occupy(scope, wanted).size() < wanted.size();
        }

        private List<Row> rowsOf(Part part) {
            return rows.computeIfAbsent(part.lease().id(), id -> new ArrayList<>());
        }

        /** Scopes that lack slots while other transactions are taking some. */
        Set<String> scopesToAwait() {
            return lacking.values().stream()
                    .distinct()
                    .filter(it -> !awaited.contains(it.name()))
                    .filter(it -> slots.areOthersTaking(it, obstructed(it)))
                    .map(Scope::name)
                    .collect(Collectors.toSet());
        }

        /**
         * The leases that lack slots of another scope than these, and which scope that is. If some
         * of them were given slots of a second scope, only those are refused for now: others may
         * lack just these.
         */
        Map<UUID, Scope> refused(Set<String> toAwait) {
            Map<UUID, Scope> refused = new HashMap<>();
            Map<UUID, Scope> withSlots = new HashMap<>();
            lacking.forEach((id, scope) -> {
                if (!toAwait.contains(scope.name())) {
                    refused.put(id, scope);
                    if (!rows.getOrDefault(id, List.of()).isEmpty()) {
                        withSlots.put(id, scope);
                    }
                }
            });
            meets |= !withSlots.isEmpty() && withSlots.size() < refused.size();
            return meets && !withSlots.isEmpty() ? withSlots : refused;
        }

        /** Slots that no lease needed, or whose lease lacks others. */
        void giveBackUnused() {
            for (UUID id : lacking.keySet()) {
                for (Row row : Objects.requireNonNull(rows.remove(id))) {
                    if (row.reservation() != null) {
                        continue;
                    }
                    unused.computeIfAbsent(row.scope(), scope -> new ArrayList<>())
                            .add(new Slot(row.slotNumber(), 0));
                }
            }
            unused.forEach(slots::free);
        }

        List<Row> insert() {
            boolean later = leases.stream().anyMatch(NewLease::startsLater);
            List<Row> all = rows.values().stream().flatMap(List::stream).toList();
            reservations.handOver(all);
            return groups.insert(all, later);
        }

        /** Slots were blocked for the longest of the leases; those of shorter ones rest shorter. */
        void shortenBlocks() {
            Map<Scope, Map<Long, Instant>> shorter = new LinkedHashMap<>();
            rows.values()
                    .forEach(some ->
                            some.forEach(row -> {
                                Instant until = row.term().blockedUntil();
                                if (!until.equals(
                                        blockedUntil.getOrDefault(row.scope().name(), until))) {
                                    shorter.computeIfAbsent(
                                                    row.scope(), scope -> new LinkedHashMap<>())
                                            .put(row.slotNumber(), until);
                                }
                            }));
            shorter.forEach(slots::blockUntil);
        }
    }
}
