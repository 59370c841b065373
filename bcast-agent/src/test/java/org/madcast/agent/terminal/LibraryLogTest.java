package org.madcast.agent.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Through the JVM's own way to a logger, as libraries go. */
final class LibraryLogTest {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final System.Logger logger = System.getLogger("org.madcast.some.Library");

    @BeforeEach
    void listen() {
        LibraryLog.through(lines::add);
    }

    @AfterEach
    void listenNoMore() {
        LibraryLog.through(null);
    }

    @Test
    void aWarningIsOneLineWithItsParameters() {
        logger.log(Level.WARNING, "rank {0} left:\n{1}", "3", "no route");
        assertThat(lines).containsExactly("rank 3 left: no route");
    }

    @Test
    void whatIsThrownIsNamed() {
        logger.log(Level.ERROR, "nothing is received", new IllegalStateException("closed"));
        assertThat(lines)
                .containsExactly("nothing is received: java.lang.IllegalStateException: closed");
    }

    @Test
    void aMessageWithoutParametersIsNoPattern() {
        logger.log(Level.WARNING, "it's {odd}");
        assertThat(lines).containsExactly("it's {odd}");
    }

    @Test
    void whatIsForInformationIsKeptBack() {
        logger.log(Level.INFO, "uses group {0}", "239.1.2.3");
        logger.log(Level.DEBUG, "more");
        assertThat(lines).isEmpty();
        assertThat(logger.isLoggable(Level.INFO)).isFalse();
        assertThat(logger.isLoggable(Level.WARNING)).isTrue();
    }

    @Test
    void theMarkOfAnotherProcessIsTakenOff() {
        assertThat(LibraryLog.words("madcast: rank 3 left")).isEqualTo("rank 3 left");
        assertThat(LibraryLog.words("rank 3 left")).isEqualTo("rank 3 left");
    }
}
