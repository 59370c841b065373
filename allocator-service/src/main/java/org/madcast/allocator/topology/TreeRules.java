package org.madcast.allocator.topology;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.madcast.allocator.web.Problem;

/** What must be true of a tree beyond the form of its parts. Pure. */
final class TreeRules {

    private final Tree tree;
    private final Set<String> names = new HashSet<>();

    /** Of each switch another one that it is connected to, or itself. */
    private final Map<String, String> towards = new HashMap<>();

    private TreeRules(Tree tree) {
        this.tree = tree;
    }

    /**
     * Refuses what is no tree.
     *
     * @return what each host may be called, in lower case, and its number
     */
    static Map<String, Integer> check(Tree tree) {
        TreeRules rules = new TreeRules(tree);
        rules.checkSwitches();
        rules.checkHosts();
        return rules.knownAs();
    }

    private void checkSwitches() {
        List<String> switches = tree.switches();
        for (int i = 0; i < switches.size(); i++) {
            checkNew("switches[%d]".formatted(i), switches.get(i));
            towards.put(switches.get(i), switches.get(i));
        }
        for (int i = 0; i < tree.cables().size(); i++) {
            Tree.Cable cable = tree.cables().get(i);
            String one = part("cables[%d].one".formatted(i), cable.one());
            String other = part("cables[%d].other".formatted(i), cable.other());
            if (one.equals(other)) {
                throw Problem.invalid(
                        "cables[%d]".formatted(i),
                        "closes a cycle: %s and %s are connected already"
                                .formatted(cable.one(), cable.other()));
            }
            towards.put(one, other);
        }
        String first = part("switches[0]", switches.getFirst());
        for (int i = 0; i < switches.size(); i++) {
            String field = "switches[%d]".formatted(i);
            if (!part(field, switches.get(i)).equals(first)) {
                throw Problem.invalid(
                        field,
                        "is %s, which is not connected to %s"
                                .formatted(switches.get(i), switches.getFirst()));
            }
        }
    }

    private void checkHosts() {
        for (int i = 0; i < tree.hosts().size(); i++) {
            Tree.Hosts group = tree.hosts().get(i);
            String _ = part("hosts[%d].at".formatted(i), group.at());
            for (int j = 0; j < group.names().size(); j++) {
                checkNew("hosts[%d].names[%d]".formatted(i, j), group.names().get(j));
            }
        }
    }

    private Map<String, Integer> knownAs() {
        List<String> hosts = tree.hostNames();
        Map<String, Integer> numbers = new LinkedHashMap<>();
        Map<String, Integer> known = new LinkedHashMap<>();
        for (int host = 0; host < hosts.size(); host++) {
            numbers.put(hosts.get(host), host);
            putKnown("hosts", known, hosts.get(host), host);
        }
        tree.addresses()
                .forEach((host, further) -> {
                    String field = "addresses[%s]".formatted(host);
                    Integer number = numbers.get(host);
                    if (number == null) {
                        throw Problem.invalid(field, "is of no host");
                    }
                    further.forEach(each -> putKnown(field, known, each, number));
                });
        return known;
    }

    private static void putKnown(
            String field, Map<String, Integer> known, String name, Integer host) {
        Integer other = known.putIfAbsent(plain(name), host);
        if (other != null && !other.equals(host)) {
            throw Problem.invalid(field, "has %s, which stands for another host".formatted(name));
        }
    }

    /** As ranks write it: an address of IPv6 has several spellings. */
    static String plain(String name) {
        try {
            return InetAddress.ofLiteral(name).getHostAddress();
        } catch (IllegalArgumentException noAddress) {
            return name.toLowerCase(Locale.ROOT);
        }
    }

    private void checkNew(String field, String name) {
        if (!names.add(name)) {
            throw Problem.invalid(field, "has %s, which is there already".formatted(name));
        }
    }

    /** The switch that stands for all that are connected to this one. */
    private String part(String field, String name) {
        String last = name;
        for (String at = ""; !at.equals(last); ) {
            at = last;
            last = towards.getOrDefault(at, "");
            if (last.isEmpty()) {
                throw Problem.invalid(field, "is %s, which is no switch".formatted(name));
            }
        }
        for (String at = name; !at.equals(last); ) {
            String next = towards.getOrDefault(at, last);
            towards.put(at, last);
            at = next;
        }
        return last;
    }
}
