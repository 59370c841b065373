package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompilerHintTest {

    /** Ranks 0, 2, 3 and 4 are on one host, rank 1 on another. */
    private static final List<InetSocketAddress> MEMBERS =
            Stream.of("10.0.0.1:1", "10.0.0.2:1", "10.0.0.1:2", "10.0.0.1:3", "10.0.0.1:4")
                    .map(it -> it.split(":"))
                    .map(it ->
                            new InetSocketAddress(
                                    InetAddress.ofLiteral(it[0]), Integer.parseInt(it[1])))
                    .toList();

    @ParameterizedTest
    @CsvSource({
        "'mixed mode, sharing', both",
        "'mixed mode, emulated-client, sharing', first",
        "'interpreted mode, sharing', none",
        "'', both"
    })
    void theJvmSaysWhichCompilersRun(String description, String compilers) {
        assertThat(CompilerHint.compilers(description)).isEqualTo(compilers);
    }

    @Test
    void oneRankOfACrowdedHostIsHinted() {
        assertThat(CompilerHint.hint("both", MEMBERS, 0, 3))
                .isEqualTo(
                        "4 ranks share 3 processors: short messages are faster with"
                                + " JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1");
        for (int rank = 1; rank < MEMBERS.size(); rank++) {
            assertThat(CompilerHint.hint("both", MEMBERS, rank, 3)).isEmpty();
        }
    }

    @Test
    void nothingIsHintedWhereItWouldNotHelp() {
        assertThat(CompilerHint.hint("both", MEMBERS, 0, 4)).isEmpty();
        assertThat(CompilerHint.hint("first", MEMBERS, 0, 1)).isEmpty();
        assertThat(CompilerHint.hint("none", MEMBERS, 0, 1)).isEmpty();
    }
}
