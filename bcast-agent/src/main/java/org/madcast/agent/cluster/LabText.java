package org.madcast.agent.cluster;

import com.grack.nanojson.JsonObject;
import java.util.Locale;
import org.madcast.lab.Lab;
import org.madcast.lab.LabSpec;

/** A lab as text. */
final class LabText {

    private LabText() {}

    static String line(Lab lab) {
        LabSpec spec = lab.spec();
        return String.format(
                Locale.ROOT,
                "%s: %d hosts %s-h0 to -h%d, addresses %s to %s, %d switch%s, %s, loss %s %%, %s",
                spec.name(),
                spec.hosts(),
                spec.name(),
                spec.hosts() - 1,
                lab.host(0).address().getHostAddress(),
                lab.host(spec.hosts() - 1).address().getHostAddress(),
                spec.switches(),
                spec.switches() == 1 ? "" : "es",
                spec.rate().map(rate -> rate + " a link").orElse("no rate limit"),
                spec.lossPercent(),
                owner(lab));
    }

    private static String owner(Lab lab) {
        if (lab.spec().detached()) {
            return "stays until 'lab down'";
        }
        return lab.isOrphan()
                ? "left over by process " + lab.owner().pid()
                : "of process " + lab.owner().pid();
    }

    static JsonObject json(Lab lab) {
        LabSpec spec = lab.spec();
        JsonObject json = new JsonObject();
        json.put("name", spec.name());
        json.put("hosts", spec.hosts());
        json.put("rate", spec.rate().map(Object::toString).orElse("none"));
        json.put("lossPercent", spec.lossPercent());
        json.put("switches", spec.switches());
        json.put("gateway", lab.gateway().getHostAddress());
        json.put("ownerPid", lab.owner().pid());
        json.put("detached", spec.detached());
        json.put("leftOver", lab.isOrphan());
        return json;
    }
}
