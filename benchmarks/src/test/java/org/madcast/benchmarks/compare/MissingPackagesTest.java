package org.madcast.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.CommandFailure;

/** What the command for Open MPI says on a machine that lacks it. */
class MissingPackagesTest {

    @TempDir private Path empty = Path.of("");

    @Test
    void namesThePackageOfEachProgram() {
        MpiProgram program = new MpiProgram(empty.toString());
        assertThatThrownBy(program::launcher)
                .isInstanceOf(CommandFailure.class)
                .hasMessage("mpirun is missing: apt-get install openmpi-bin");
        assertThatThrownBy(() -> program.compile(empty))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("mpicc is missing: apt-get install libopenmpi-dev");
    }

    @Test
    void anotherMpirunIsNotTakenForOpenMpis() throws Exception {
        Path other = Files.writeString(empty.resolve("mpirun"), "#!/bin/sh\necho HYDRA\n");
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwx------"));
        assertThatThrownBy(new MpiProgram(empty.toString())::launcher)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("is not Open MPI's");
    }
}
