package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;

/** What a rank says at its end of its calls. */
@Timeout(60)
class CallReportTest {

    private static Communicator alone() {
        return Communicator.join(
                CommunicatorConfig.builder("report", 0, 1)
                        .networkInterface("lo")
                        .madcap(CommunicatorConfig.MADCAP_OFF)
                        .build());
    }

    @Test
    void callsAndBytesAreCountedThroughCommunicatorsMadeOfOne() {
        CallReport report = new CallReport();
        try (Communicator world = report.counted(alone());
                Communicator copy = world.dup()) {
            MemorySegment memory = MemorySegment.ofArray(new byte[3072]);
            world.bcast(memory, 0);
            copy.bcast(memory, 0);
            world.bcast(new double[1000], 100, 128, 0);
            assertThat(world.rank()).isZero();
        }
        assertThat(report.line())
                .contains("7.0 KiB  ")
                .contains("bcast ")
                .contains("(3 calls, 7.0 KiB)")
                .contains("dup ")
                .doesNotContain("rank");
    }

    @Test
    void atMostFiveOperationsAreNamedAndFailuresStayWhatTheyAre() {
        CallReport report = new CallReport();
        try (Communicator world = report.counted(alone())) {
            world.barrier();
            world.bcast(new byte[1], 0, 1, 0);
            var _ = world.split(0, 0).map(Communicator::size);
            var _ = world.iprobe(0, 1);
            world.allgather(MemorySegment.ofArray(new byte[1]), MemorySegment.ofArray(new byte[1]));
            assertThatThrownBy(() -> world.bcast(new byte[1], 0, 1, 7))
                    .isInstanceOf(IllegalArgumentException.class);
            world.dup().close();
        }
        assertThat(report.line().split(" calls", -1)).hasSize(6);
    }
}
