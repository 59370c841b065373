package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.BroadcastParameters.SocketPath;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;

/** What goes wrong ends, says so, and leaves nothing behind. */
@Timeout(60)
class LoopbackTroubleTest {

    private static UnaryOperator<CommunicatorConfig.Builder> parameters(
            UnaryOperator<BroadcastParameters.Builder> settings) {
        return builder -> builder.parameters(settings.apply(BroadcastParameters.builder()).build());
    }

    private static boolean isRunning(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(it -> it.getName().equals(thread));
    }

    @ParameterizedTest
    @EnumSource(SocketPath.class)
    void aSelectionFileThatIsMissingIsNamedAndNoThreadStays(SocketPath path) {
        Path missing = Path.of("/does/not/exist");
        CommunicatorConfig config =
                parameters(it -> it.socketPath(path).selectionFile(missing))
                        .apply(CommunicatorConfig.builder("selection", 0, 1).name("missing"))
                        .networkInterface("lo")
                        .build();
        assertThatThrownBy(() -> Communicator.join(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(missing.toString())
                .hasNoSuppressedExceptions();
        assertThat(isRunning("madcast-missing-0")).isFalse();
    }
}
