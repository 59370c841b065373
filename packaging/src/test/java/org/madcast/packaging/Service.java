package org.madcast.packaging;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** An allocation service on this machine, as its users meet it. */
record Service(int port) {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** True when it says that it is ready. */
    boolean isReady() throws InterruptedException {
        try {
            return send(request("/actuator/health/readiness").GET()).statusCode() == 200;
        } catch (IOException noAnswer) {
            return false;
        }
    }

    /** Leases one group. */
    JsonObject lease(String job) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                send(
                        request("/v1/leases")
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{\"job\":\"" + job + "\"}")));
        if (answer.statusCode() != 201) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    /** How many leases of the job are in this state. */
    int leases(String job, String state) throws IOException, InterruptedException {
        String path = "/v1/leases?job=" + job + "&state=" + state;
        return JsonParser.parseString(send(request(path).GET()).body())
                .getAsJsonObject()
                .get("total")
                .getAsInt();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(10));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return HTTP.send(request.build(), BodyHandlers.ofString());
    }
}
