package org.madcast.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a point may be told to send. */
class ProbeTrainTest {

    private static final ProbeTrain TRAIN =
            new ProbeTrain(
                    7,
                    new InetSocketAddress("239.192.0.1", 5000),
                    1472,
                    100,
                    4,
                    Duration.ofMillis(50));

    @Test
    void itTravelsAsJson() throws IOException {
        assertThat(ProbeTrain.of(TRAIN.toJson())).isEqualTo(TRAIN);
    }

    @ParameterizedTest
    @CsvSource({
        "datagramBytes,19",
        "datagramBytes,65508",
        "count,-1",
        "count,200001",
        "ttl,256",
        "ttl,-1",
        "lastingMs,10001",
        "lastingMs,-1",
        "port,65536",
        "host,example.org",
        "host,''"
    })
    void whatNoProbeAsksForIsRefused(String field, String value) {
        JsonObject json = TRAIN.toJson();
        json.put(field, field.equals("host") ? value : (Object) Integer.valueOf(value));
        assertThatThrownBy(() -> ProbeTrain.of(json)).isInstanceOf(IOException.class);
    }
}
