package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.audit.LogfmtFormatter;
import org.slf4j.LoggerFactory;

/** What is recorded, as log lines, for those who want that. */
class AuditStreamTest {

    private final Rest rest = RunningService.shared().rest();

    private ListAppender<ILoggingEvent> granting(Level level, String job) {
        Logger stream = (Logger) LoggerFactory.getLogger("org.madcast.allocator.audit.stream");
        Level before = stream.getLevel();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        stream.addAppender(lines);
        stream.setLevel(level);
        try {
            rest.post("/v1/leases", "{\"job\":\"%s\"}".formatted(job), "X-Request-Id", "req-7");
        } finally {
            stream.detachAppender(lines);
            stream.setLevel(before);
        }
        return lines;
    }

    @Test
    void isInLogfmtWithAllFieldsOrOff() {
        Logger stream = (Logger) LoggerFactory.getLogger("org.madcast.allocator.audit.stream");
        assertThat(stream.getEffectiveLevel()).isEqualTo(Level.OFF);
        String job = RunningService.newJob();
        assertThat(granting(Level.OFF, job).list).isEmpty();
        List<String> lines =
                granting(Level.INFO, job).list.stream().map(new LogfmtFormatter()::format).toList();
        assertThat(lines)
                .anySatisfy(it ->
                        assertThat(it)
                                .startsWith("time=")
                                .endsWith("\n")
                                .contains(" event.action=lease.granted ")
                                .contains(" madcast.subject=" + job + " ")
                                .contains(" source.ip=127.0.0.1 http.request.id=req-7 ")
                                .contains(" msg=\"lease.granted " + job + " by ")
                                .hasLineCount(1));
    }
}
