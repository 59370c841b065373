package org.madcast.lab;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What is written down about a lab, enough to find and to take down all of it.
 *
 * @param spec as it was made; losses and rates changed later are the kernel's to know
 */
record LabState(LabSpec spec, Subnet subnet, LabOwner owner) {

    static String switchNamespace(String name) {
        return name + "-sw";
    }

    static String hostNamespace(String name, int index) {
        return name + "-h" + index;
    }

    String switchNamespace() {
        return switchNamespace(spec.name());
    }

    String hostNamespace(int index) {
        return hostNamespace(spec.name(), index);
    }

    /** The switch's first, then the hosts'. */
    List<String> namespaces() {
        List<String> names = new ArrayList<>(spec.hosts() + 1);
        names.add(switchNamespace());
        for (int host = 0; host < spec.hosts(); host++) {
            names.add(hostNamespace(host));
        }
        return names;
    }

    /** The switch that a host's cable ends in. */
    int switchOf(int host) {
        return tree().cables().get(host).to();
    }

    /** How the switches are joined. */
    LabTree tree() {
        return spec.tree()
                .orElseGet(() -> LabTree.standard(spec.switches(), spec.hosts(), spec.rate()));
    }

    String write() {
        Map<String, String> values = new TreeMap<>();
        values.put("name", spec.name());
        values.put("hosts", Integer.toString(spec.hosts()));
        values.put("rate", spec.rate().map(LinkRate::toString).orElse("none"));
        values.put("lossPercent", Double.toString(spec.lossPercent()));
        values.put("switches", Integer.toString(spec.switches()));
        spec.tree().ifPresent(tree -> values.put("tree", tree.write()));
        values.put("mtuBytes", Integer.toString(spec.mtuBytes()));
        values.put("superframes", Boolean.toString(spec.superframes()));
        values.put("detached", Boolean.toString(spec.detached()));
        values.put("subnet", Integer.toString(subnet.number()));
        values.put("ownerPid", Long.toString(owner.pid()));
        values.put("ownerStartTicks", Long.toString(owner.startTicks()));
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
        return text.toString();
    }

    /** Throws {@link IllegalArgumentException} when the text is not what {@link #write} writes. */
    static LabState read(String text) {
        Properties values = new Properties();
        try {
            values.load(new StringReader(text));
        } catch (IOException e) {
            throw new IllegalArgumentException("unreadable lab state", e);
        }
        LabSpec.Builder builder = LabSpec.builder();
        String tree = values.getProperty("tree");
        if (tree != null) {
            builder.tree(LabTree.read(tree));
        }
        LabSpec spec =
                builder.name(value(values, "name"))
                        .hosts(Integer.parseInt(value(values, "hosts")))
                        .rate(value(values, "rate"))
                        .lossPercent(Double.parseDouble(value(values, "lossPercent")))
                        .switches(Integer.parseInt(value(values, "switches")))
                        .mtuBytes(Integer.parseInt(value(values, "mtuBytes")))
                        .superframes(Boolean.parseBoolean(value(values, "superframes")))
                        .detached(Boolean.parseBoolean(value(values, "detached")))
                        .build();
        return new LabState(
                spec,
                new Subnet(Integer.parseInt(value(values, "subnet"))),
                new LabOwner(
                        Long.parseLong(value(values, "ownerPid")),
                        Long.parseLong(value(values, "ownerStartTicks"))));
    }

    private static String value(Properties values, String key) {
        String value = values.getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException("lab state without " + key);
        }
        return value;
    }
}
