package org.madcast.madcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NestingMatrixTest {

    /** RFC 2907, figure 4: S1/S2, S2/S3, S2/S4, S3/S5, S4/S5, S5/S6, S6/S7, and what follows. */
    @Test
    void figure4() {
        Set<String> given = Set.of("1/2", "2/3", "2/4", "3/5", "4/5", "5/6", "6/7");
        NestingMatrix matrix =
                NestingMatrix.of(
                                7,
                                (inner, outer) -> given.contains((inner + 1) + "/" + (outer + 1)))
                        .closed();
        assertThat(matrix.rows()).isEqualTo(Octets.ofHex("fc7c1c1c0c0400"));
        assertThat(matrix.nests(0, 6)).isTrue();
        assertThat(matrix.nests(2, 3)).isFalse();
        assertThat(matrix.nests(3, 2)).isFalse();
        assertThat(matrix.nests(4, 4)).isTrue();
    }

    @Test
    void exampleOfTheComment() {
        NestingMatrix matrix = NestingMatrix.of(3, (inner, outer) -> inner < outer);
        assertThat(matrix.rows()).isEqualTo(Octets.ofHex("c04000"));
    }

    @Test
    void sizeIsZonesTimesBytesOfARow() {
        int[][] sizes = {{0, 0}, {1, 0}, {2, 2}, {9, 9}, {10, 20}, {17, 34}, {18, 54}, {255, 8160}};
        for (int[] size : sizes) {
            NestingMatrix all = NestingMatrix.of(size[0], (_, _) -> true);
            assertThat(all.rows().lengthBytes()).isEqualTo(size[1]);
        }
        assertThatThrownBy(() -> new NestingMatrix(3, Octets.ofHex("c040")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 bytes, not 2");
    }

    @Test
    void paddingIsCleared() {
        assertThat(new NestingMatrix(3, Octets.ofHex("ffffff")).rows())
                .isEqualTo(Octets.ofHex("c0c0c0"));
        assertThat(new NestingMatrix(9, Octets.ofHex("ffffffffffffffffff")).nests(8, 0)).isTrue();
    }

    @Test
    void everyRelationIsKept() {
        SplittableRandom random = new SplittableRandom(7);
        for (int zones = 0; zones < 40; zones++) {
            boolean[][] relation = new boolean[zones][zones];
            for (boolean[] row : relation) {
                for (int i = 0; i < zones; i++) {
                    row[i] = random.nextBoolean();
                }
            }
            NestingMatrix matrix = NestingMatrix.of(zones, (x, y) -> relation[x][y]);
            for (int x = 0; x < zones; x++) {
                for (int y = 0; y < zones; y++) {
                    assertThat(matrix.nests(x, y)).isEqualTo(x == y || relation[x][y]);
                }
            }
        }
    }

    @Test
    void messageIgnoresANestingOfAnotherNumberOfZones() {
        Message ack = Objects.requireNonNull(GoldenMessages.all().get("ack-to-getinfo"));
        assertThat(ack.nesting()).isNotNull();
        NestingMatrix three = NestingMatrix.of(3, (_, _) -> true);
        assertThat(ack.with(new Option.ScopeNesting(three)).nesting()).isNull();
    }
}
