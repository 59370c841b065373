package org.madcast.allocator.rest;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.madcast.allocator.lease.LeaseQueries;
import org.madcast.allocator.lease.LeaseQueries.Filling;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Scopes and how full they are. */
@RestController
class ScopeController {

    private final ScopeCatalog scopes;
    private final LeaseQueries leases;

    ScopeController(ScopeCatalog scopes, LeaseQueries leases) {
        this.scopes = scopes;
        this.leases = leases;
    }

    /** All scopes. */
    record Scopes(List<View> items) {}

    /** A scope. */
    record View(
            String name,
            String description,
            List<String> ranges,
            String ports,
            int ttl,
            long capacity,
            long leased,
            long quarantined) {

        static View of(Scope scope, Filling filling) {
            return new View(
                    scope.name(),
                    scope.description(),
                    scope.ranges(),
                    scope.ports().toString(),
                    scope.ttl(),
                    scope.capacity(),
                    filling.leased(),
                    filling.quarantined());
        }
    }

    @GetMapping("/v1/scopes")
    Scopes list() {
        Map<String, Filling> fillings =
                leases.filling().stream()
                        .collect(Collectors.toMap(Filling::scope, Function.identity()));
        return new Scopes(
                scopes.all().stream()
                        .map(it ->
                                View.of(
                                        it,
                                        fillings.getOrDefault(
                                                it.name(), new Filling(it.name(), 0, 0))))
                        .toList());
    }
}
