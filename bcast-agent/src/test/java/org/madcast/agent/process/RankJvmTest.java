package org.madcast.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RankJvmTest {

    private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    @Test
    void ranksThatShareProcessorsGetOneCompilerAndTheSerialCollector() throws IOException {
        assertThat(RankJvm.addTo(List.of("java", "-Xmx1g", "Hello"), true, true))
                .startsWith("java", NATIVE_ACCESS)
                .contains("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .endsWith("-Xmx1g", "Hello");
        assertThat(RankJvm.addTo(List.of("java", "Hello"), false, true))
                .startsWith("java", NATIVE_ACCESS)
                .doesNotContain("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .endsWith("Hello");
    }

    /** The JVM does not start with two collectors. */
    @Test
    void aCollectorOfTheUsersOwnIsTheOnlyOne() throws IOException {
        assertThat(RankJvm.addTo(List.of("java", "-XX:+UseParallelGC", "Hello"), true, true))
                .doesNotContain("-XX:+UseSerialGC")
                .contains("-XX:TieredStopAtLevel=1");
    }

    @Test
    void otherProgramsAreStartedAsTheyAre() throws IOException {
        List<String> script = List.of("./rank", "java");
        assertThat(RankJvm.addTo(script, true, true)).isEqualTo(script);
        assertThat(RankJvm.variables(List.of("java", "Hello"), true)).isEmpty();
    }

    /** A script may name a collector, so the variable names none. */
    @Test
    void whatAScriptStartsGetsOptionsThatDoNotContradict() {
        Map<String, String> variables = RankJvm.variables(List.of("./rank"), true);
        assertThat(variables)
                .containsOnly(
                        Map.entry(RankJvm.VARIABLE, NATIVE_ACCESS + " -XX:TieredStopAtLevel=1"));
        String note = "NOTE: Picked up JDK_JAVA_OPTIONS: " + variables.get(RankJvm.VARIABLE);
        assertThat(RankJvm.isNote(note, variables)).isTrue();
        assertThat(RankJvm.isNote(note + " -ea", variables)).isFalse();
        assertThat(RankJvm.isNote(note, Map.of())).isFalse();
    }
}
