package org.madcast.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import org.junit.jupiter.api.Test;

final class ReportQueueTest {

    @Test
    void dropsTheOldestAndCounts() {
        ReportQueue queue = new ReportQueue(2);
        assertThat(queue.oldest()).isNull();
        for (int i = 0; i < 4; i++) {
            queue.add(new HashMap<>());
        }
        assertThat(queue.size()).isEqualTo(2);
        assertThat(queue.oldest()).containsEntry("sequence", 2L).containsEntry("dropped", 1L);
        queue.removeOldest();
        assertThat(queue.oldest()).containsEntry("sequence", 3L).containsEntry("dropped", 2L);
        queue.removeOldest();
        assertThat(queue.oldest()).isNull();
    }
}
