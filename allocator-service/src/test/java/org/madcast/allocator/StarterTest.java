package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StarterTest {

    private final AtomicInteger ends = new AtomicInteger();

    private int endsAfter(InputStream input) {
        new Starter(input, ends::incrementAndGet).await();
        return ends.get();
    }

    @Test
    void theEndOfThePipeEndsTheService() {
        assertThat(endsAfter(InputStream.nullInputStream())).isEqualTo(1);
    }

    @Test
    void aBrokenPipeEndsIt() {
        InputStream broken = new PipedInputStream(); // of no pipe: reading it fails
        assertThat(endsAfter(broken)).isEqualTo(1);
    }

    @Test
    void aByteLetsItGoOnWhateverThePipeDoesThen() {
        assertThat(endsAfter(new ByteArrayInputStream(new byte[] {'\n'}))).isZero();
    }
}
