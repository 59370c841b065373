package org.madcast.measure.model;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.simulator.model.MeasuredNetwork;

/** What {@code madcast loggp --json} printed. */
final class LogGpFile {

    private LogGpFile() {}

    /**
     * Reads it.
     *
     * @param datagramBytes the largest datagram that the network is to carry
     * @throws CommandFailure when it cannot be read
     * @throws IllegalArgumentException when it is not what {@code madcast loggp} prints
     */
    static MeasuredNetwork read(Path file, int datagramBytes) {
        try {
            return of(JsonParser.object().from(Files.readString(file)), datagramBytes);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, file + " cannot be read: " + e, e);
        } catch (JsonParserException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "%s is not of madcast loggp --json: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static MeasuredNetwork of(JsonObject json, int datagramBytes) {
        JsonArray protocols = json.getArray("protocols", new JsonArray());
        if (!json.has("latencyNs") || !json.has("overheadNs") || protocols.isEmpty()) {
            throw new IllegalArgumentException("latencyNs, overheadNs or protocols is missing");
        }
        List<MeasuredNetwork.Line> lines = new ArrayList<>();
        for (int i = 0; i < protocols.size(); i++) {
            JsonObject protocol = protocols.getObject(i);
            lines.add(
                    new MeasuredNetwork.Line(
                            protocol.getInt("fromBytes"),
                            protocol.getDouble("gapNs"),
                            protocol.getDouble("gapPerByteNs")));
        }
        return new MeasuredNetwork(
                json.getDouble("latencyNs"), json.getDouble("overheadNs"), lines, datagramBytes);
    }
}
