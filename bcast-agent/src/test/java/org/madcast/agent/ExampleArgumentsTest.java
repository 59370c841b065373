package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code madcast example} refuses before it makes a lab, and what it lists. */
class ExampleArgumentsTest {

    @Test
    void withoutANameItListsTheApplications() {
        Outcome list = Outcome.of("example");
        assertThat(list.code()).isZero();
        assertThat(list.err()).isEmpty();
        assertThat(list.out()).contains("cg", "fft", "compress", "wordcount", "lu");
        assertThat(list.out().lines()).allMatch(line -> line.length() <= 80);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "example nothing                           | 2 | there are cg, fft, compress, wordcount, lu",
                "example cg --hosts 0                      | 2 | --hosts must be 1 to 64, not 0",
                "example cg --hosts 65                     | 2 | --hosts must be 1 to 64, not 65",
                "example cg --ranks 0                      | 2 | --ranks must be 1 to 256, not 0",
                "example cg --ranks 1000                   | 2 | --ranks must be 1 to 256, not 1000",
                "example cg --repeat 0                     | 2 | --repeat must be 1 to 100, not 0",
                "example cg --rate fast                    | 2 | fast",
                "example cg --size many                    | 2 | is not a whole number",
                "example cg --input docs                   | 2 | --input is for wordcount only",
                "example cg --json /no/such/directory/file | 3 | cannot be written",
                "example wordcount --input /no/such/text   | 3 | /no/such/text does not exist"
            })
    void whatCannotBeIsRefusedInOneLine(String words, int code, String complaint) {
        Outcome refused = Outcome.of(words.split(" "));
        assertThat(refused.code()).isEqualTo(code);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err()).startsWith("madcast: ").contains(complaint);
    }
}
