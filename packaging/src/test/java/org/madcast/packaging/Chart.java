package org.madcast.packaging;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.ToNumberPolicy;
import com.marcnuri.helm.Helm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** The chart in helm/madcast, rendered by Helm's own code without a cluster. */
final class Chart {

    static final Path DIRECTORY = Project.path("helm/madcast");

    /** What the rendered manifests are for, since no cluster tells. */
    private static final String KUBERNETES = "1.33.0";

    private static final Gson GSON =
            new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

    private Chart() {}

    /** What {@code helm template madcast --namespace madcast --values FILE} prints. */
    static String render(Path values) {
        return new Helm(DIRECTORY)
                .template()
                .withName("madcast")
                .withNamespace("madcast")
                .withKubeVersion(KUBERNETES)
                .withValuesFile(values)
                .call();
    }

    /** The same with values given one by one, name and value in turn. */
    static String renderWith(String... namesAndValues) {
        var template =
                new Helm(DIRECTORY).template().withName("madcast").withKubeVersion(KUBERNETES);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            template.set(namesAndValues[i], namesAndValues[i + 1]);
        }
        return template.call();
    }

    /** The documents of a YAML text; a key that appears twice in one object is refused. */
    static List<JsonObject> objects(String yaml) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<JsonObject> objects = new ArrayList<>();
        for (Object document : new Yaml(options).loadAll(yaml)) {
            if (document != null) {
                JsonElement element = GSON.toJsonTree(document);
                objects.add(element.getAsJsonObject());
            }
        }
        return objects;
    }
}
