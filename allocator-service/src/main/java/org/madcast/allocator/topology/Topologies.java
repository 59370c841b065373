package org.madcast.allocator.topology;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.audit.AuditLog;
import org.madcast.allocator.store.RetryingTransaction;
import org.springframework.stereotype.Service;

/** Keeps trees of switches by name. From any thread. */
@Service
public class Topologies {

    private static final int MOST_REMEMBERED = 8;

    private final TopologyStore store;
    private final AuditLog audit;
    private final RetryingTransaction transaction;

    /** Trees by their numbers, which never change: each rank of a job asks for the same. */
    private final Map<Long, Map.Entry<String, Tree>> remembered = new LinkedHashMap<>();

    Topologies(TopologyStore store, AuditLog audit, RetryingTransaction transaction) {
        this.store = store;
        this.audit = audit;
        this.transaction = transaction;
    }

    /** All of them by name. */
    public List<KeptTopology> all() {
        return store.all();
    }

    /** What is known of one. */
    public Optional<KeptTopology> find(String name) {
        return store.find(name);
    }

    /** The tree of this name. */
    public Optional<Tree> tree(String name) {
        return store.tree(name);
    }

    /** The name and the tree of this number; nothing when it was removed long ago. */
    public Optional<Map.Entry<String, Tree>> get(long id) {
        synchronized (remembered) {
            Map.Entry<String, Tree> known = remembered.get(id);
            if (known != null) {
                return Optional.of(known);
            }
        }
        Optional<Map.Entry<String, Tree>> read = store.get(id);
        read.ifPresent(it -> {
            synchronized (remembered) {
                if (remembered.size() == MOST_REMEMBERED) {
                    remembered.remove(remembered.keySet().iterator().next());
                }
                remembered.put(id, it);
            }
        });
        return read;
    }

    /**
     * Keeps a tree under this name, in the place of one that had it.
     *
     * @return false when one had it
     * @throws org.madcast.allocator.web.Problem when it is no tree
     */
    boolean put(String name, Tree tree) {
        Map<String, Integer> knownAs = TreeRules.check(tree);
        return transaction.call(() -> {
            boolean replaced = store.remove(name);
            store.forget();
            store.add(name, Actor.current().name(), tree, knownAs);
            audit.record(
                    AuditKind.TOPOLOGY_SET,
                    name,
                    Map.of(
                            "switches", tree.switches().size(),
                            "hosts", tree.hostNames().size(),
                            "replaced", replaced));
            return !replaced;
        });
    }

    /** Removes a tree; false when there is none. */
    boolean remove(String name) {
        return transaction.call(() -> {
            boolean removed = store.remove(name);
            if (removed) {
                audit.record(AuditKind.TOPOLOGY_REMOVED, name, Map.of());
            }
            return removed;
        });
    }
}
