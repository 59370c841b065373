package org.madcast.client.internal;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.madcast.client.lease.ReportChannel;
import org.madcast.client.report.ReportSink;

/** What the reporter says goes where the ranks met. */
record ReportsToService(ReportChannel channel) implements ReportSink {

    @Override
    public Optional<Map<String, Integer>> send(Map<String, Object> report)
            throws IOException, InterruptedException {
        return channel.send(report);
    }

    @Override
    public void hurry() {
        channel.hurry();
    }
}
