package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The records of decisions are numbered from 1, each number once, in name and title. */
class DecisionsTest {

    @Test
    void areNumberedOneByOne() throws IOException {
        List<Path> records;
        try (Stream<Path> files = Files.list(Project.path("docs/decisions"))) {
            records = files.sorted().toList();
        }
        assertThat(records)
                .extracting(it -> it.getFileName().toString().replaceAll("-.*", ""))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, records.size())
                                .mapToObj("%04d"::formatted)
                                .toList());
        assertThat(records)
                .allSatisfy(it -> {
                    int number = Integer.parseInt(it.getFileName().toString().substring(0, 4));
                    assertThat(Project.read(it)).startsWith("# " + number + ". ");
                });
    }
}
