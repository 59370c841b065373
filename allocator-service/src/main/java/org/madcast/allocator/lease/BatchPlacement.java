package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.madcast.allocator.lease.GrantOutcome.Granted;
import org.madcast.allocator.lease.GrantOutcome.Refused;
import org.madcast.allocator.lease.LeaseBatchStore.NewLease;
import org.madcast.allocator.lease.LeaseGroupStore.Inserted;
import org.madcast.allocator.lease.LeaseGroupStore.Row;
import org.madcast.allocator.lease.SlotStore.Slot;
import org.madcast.allocator.scope.MulticastGroup;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.stereotype.Component;

/**
 * Gives many new leases their groups at once: slots are proposed for all of them, and those whose
 * groups the database did not take are taken back. Joins the caller's transaction.
 */
@Component
class BatchPlacement {

    private final LeaseBatchStore leases;
    private final LeaseGroupStore groups;
    private final SlotStore slots;
    private final GroupPlacement placement;
    private final ScopeCatalog scopes;

    BatchPlacement(
            LeaseBatchStore leases,
            LeaseGroupStore groups,
            SlotStore slots,
            GroupPlacement placement,
            ScopeCatalog scopes) {
        this.leases = leases;
        this.groups = groups;
        this.slots = slots;
        this.placement = placement;
        this.scopes = scopes;
    }

    /**
     * What was written; leases that are in neither have to be tried alone.
     *
     * @param granted those that have their groups
     * @param refused those that cannot have them
     */
    record Result(List<Granted> granted, Map<UUID, Refused> refused) {}

    /**
     * Writes leases with their groups: the slots of all scopes are taken before any group is
     * written, since whoever writes groups may wait for others who do.
     */
    Result place(Map<Scope, List<NewLease>> wanted, Instant now) {
        List<Placed> placed = new ArrayList<>();
        wanted.forEach((scope, some) -> {
            if (!some.isEmpty()) {
                placed.add(propose(scope, some));
            }
        });
        Set<Inserted> inserted =
                groups.insert(placed.stream().flatMap(Placed::allRows).toList(), false);
        Result all = new Result(new ArrayList<>(), new LinkedHashMap<>());
        for (Placed each : placed) {
            Result result = settle(each, inserted, now);
            all.granted().addAll(result.granted());
            all.refused().putAll(result.refused());
        }
        return all;
    }

    /**
     * Leases that were written, without their groups so far.
     *
     * @param scope of all of them
     * @param leases that were written
     * @param rows of their groups to be, by lease; none of a lease for which there were no slots
     * @param unused what of the slots is left
     * @param blockedUntil until when all slots were blocked at first
     */
    private record Placed(
            Scope scope,
            List<NewLease> leases,
            Map<UUID, List<Row>> rows,
            List<Slot> unused,
            Instant blockedUntil) {

        Stream<Row> allRows() {
            return rows.values().stream().flatMap(List::stream);
        }
    }

    private Result settle(Placed placed, Set<Inserted> inserted, Instant now) {
        Scope scope = placed.scope();
        List<Granted> granted = new ArrayList<>();
        List<UUID> undone = new ArrayList<>();
        for (NewLease lease : placed.leases()) {
            List<Row> own = placed.rows().getOrDefault(lease.id(), List.of());
            List<Row> lost =
                    own.stream()
                            .filter(it ->
                                    !inserted.contains(new Inserted(it.lease(), it.ordinal())))
                            .toList();
            if (!own.isEmpty() && lost.isEmpty()) {
                granted.add(new Granted(lease(scope, lease, own, now), lease.secret()));
            } else {
                undone.add(lease.id());
                own.stream().filter(it -> !lost.contains(it)).forEach(it -> free(scope, it, now));
                lost.forEach(it -> placement.rest(scope, slot(it), it));
            }
        }
        leases.delete(undone);
        placed.unused().forEach(it -> slots.blockUntil(scope, it, now));
        correctTerms(scope, placed.rows(), granted, placed.blockedUntil());
        return new Result(granted, refusals(placed));
    }

    private Placed propose(Scope scope, List<NewLease> wanted) {
        Set<UUID> written = leases.insert(scope, wanted);
        if (!scopes.hasSeed(scope.name(), scope.seed())) {
            throw new OptimisticLockingFailureException("scope " + scope.name() + " was edited");
        }
        List<NewLease> fresh = wanted.stream().filter(it -> written.contains(it.id())).toList();
        int count = fresh.stream().mapToInt(it -> it.request().shape().addresses()).sum();
        Instant latest =
                fresh.stream()
                        .map(it -> it.term().blockedUntil())
                        .max(Instant::compareTo)
                        .orElse(Instant.EPOCH);
        List<Slot> taken =
                new ArrayList<>(count == 0 ? List.of() : slots.take(scope, count, latest));
        Map<UUID, List<Row>> rows = new LinkedHashMap<>();
        for (NewLease lease : fresh) {
            int addresses = lease.request().shape().addresses();
            if (addresses > taken.size()) {
                continue;
            }
            List<Row> own = new ArrayList<>();
            for (int i = 0; i < addresses; i++) {
                Slot slot = taken.removeLast();
                MulticastGroup group = scope.groupAt(slot.number(), slot.uses());
                int ports = lease.request().shape().ports();
                own.add(new Row(scope, lease.id(), i, slot.number(), group, ports, lease.term()));
            }
            rows.put(lease.id(), own);
        }
        return new Placed(scope, fresh, rows, taken, latest);
    }

    /** Nothing for those that may have to wait for what others are taking, which is done alone. */
    private Map<UUID, Refused> refusals(Placed placed) {
        List<NewLease> without =
                placed.leases().stream().filter(it -> !placed.rows().containsKey(it.id())).toList();
        if (without.isEmpty() || slots.areOthersTaking(placed.scope())) {
            return Map.of();
        }
        Refused refused = slots.exhausted(placed.scope());
        return without.stream().collect(Collectors.toMap(NewLease::id, it -> refused));
    }

    /** Slots were blocked for the longest of the leases; those of shorter ones rest shorter. */
    private void correctTerms(
            Scope scope, Map<UUID, List<Row>> rows, List<Granted> granted, Instant blockedUntil) {
        Map<Long, Instant> shorter = new LinkedHashMap<>();
        for (Granted lease : granted) {
            for (Row row : rows.getOrDefault(lease.lease().id(), List.of())) {
                if (!row.term().blockedUntil().equals(blockedUntil)) {
                    shorter.put(slot(row).number(), row.term().blockedUntil());
                }
            }
        }
        if (!shorter.isEmpty()) {
            slots.blockUntil(scope, shorter);
        }
    }

    private void free(Scope scope, Row row, Instant now) {
        slots.blockUntil(scope, slot(row), now);
    }

    private static Slot slot(Row row) {
        return new Slot(Objects.requireNonNull(row.slotNumber()), 0);
    }

    private static Lease lease(Scope scope, NewLease from, List<Row> rows, Instant now) {
        GrantRequest request = from.request();
        List<MulticastGroup> groups = new ArrayList<>();
        for (Row row : rows) {
            for (int i = 0; i < Shape.listed(row.ports()); i++) {
                groups.add(new MulticastGroup(row.group().address(), row.group().port() + i));
            }
        }
        return new Lease(
                from.id(),
                scope.name(),
                request.job(),
                request.communicator(),
                request.user(),
                request.labels(),
                List.copyOf(groups),
                scope.ttl(),
                new Lease.Times(now, now, from.term().expiresAt(), null),
                LeaseState.ACTIVE);
    }
}
