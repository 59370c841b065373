package org.madcast.lab;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How a lab's switches are joined and which hosts they have. Immutable.
 *
 * @param trunks of the switches from 1 on: the switch above, whose number is smaller, and the rate
 * @param cables of the hosts from 0 on: the switch, and the rate
 */
public record LabTree(List<Link> trunks, List<Link> cables) {

    private static final String BETWEEN = " ";

    /**
     * Where a cable leads.
     *
     * @param to the switch's number
     * @param rate what it carries each way; empty: as much as the processor can
     */
    public record Link(int to, Optional<LinkRate> rate) {

        private String write() {
            return to + "@" + rate.map(LinkRate::toString).orElse("none");
        }

        private static Link read(String text) {
            int at = text.indexOf('@');
            if (at < 0) {
                throw new IllegalArgumentException("a link without a rate: " + text);
            }
            return new Link(
                    Integer.parseInt(text.substring(0, at)),
                    LinkRate.parseLimit(text.substring(at + 1)));
        }
    }

    /** Refuses links to switches that are not there. */
    public LabTree {
        trunks = List.copyOf(trunks);
        cables = List.copyOf(cables);
        for (int i = 0; i < trunks.size(); i++) {
            require(trunks.get(i).to, i, "switch " + (i + 1));
        }
        for (int host = 0; host < cables.size(); host++) {
            require(cables.get(host).to, trunks.size(), "host " + host);
        }
    }

    private static void require(int to, int most, String whose) {
        if (to < 0 || to > most) {
            throw new IllegalArgumentException(
                    "the cable of %s leads to switch %d, not to one of 0 to %d"
                            .formatted(whose, to, most));
        }
    }

    /** A binary tree of switches with the hosts in blocks, as in racks. */
    static LabTree standard(int switches, int hosts, Optional<LinkRate> rate) {
        return new LabTree(
                IntStream.range(1, switches)
                        .mapToObj(number -> new Link((number - 1) / 2, rate))
                        .toList(),
                IntStream.range(0, hosts)
                        .mapToObj(host -> new Link(host * switches / hosts, rate))
                        .toList());
    }

    /** How many switches there are. */
    public int switches() {
        return trunks.size() + 1;
    }

    /** What is written down, without line ends. */
    String write() {
        return Arrays.asList(trunks, cables).stream()
                .map(links -> links.stream().map(Link::write).collect(Collectors.joining(BETWEEN)))
                .collect(Collectors.joining("/"));
    }

    static LabTree read(String text) {
        String[] halves = text.split("/", -1);
        if (halves.length != 2) {
            throw new IllegalArgumentException("no tree of switches: " + text);
        }
        return new LabTree(links(halves[0]), links(halves[1]));
    }

    private static List<Link> links(String text) {
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(BETWEEN, -1)).map(Link::read).toList();
    }
}
