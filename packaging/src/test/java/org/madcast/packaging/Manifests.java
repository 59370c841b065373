package org.madcast.packaging;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1DaemonSet;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import java.io.IOException;
import java.util.Map;

/** Checks manifests against the types of the Kubernetes API: unknown, missing, mistyped fields. */
final class Manifests {

    private static final Map<String, Check> KINDS =
            Map.of(
                    "apps/v1 Deployment",
                    typed(V1Deployment.class, V1Deployment::validateJsonElement),
                    "apps/v1 DaemonSet",
                    typed(V1DaemonSet.class, V1DaemonSet::validateJsonElement),
                    "batch/v1 Job",
                    typed(V1Job.class, V1Job::validateJsonElement),
                    "v1 Service",
                    typed(V1Service.class, V1Service::validateJsonElement),
                    "v1 ServiceAccount",
                    typed(V1ServiceAccount.class, V1ServiceAccount::validateJsonElement),
                    "v1 ConfigMap",
                    typed(V1ConfigMap.class, V1ConfigMap::validateJsonElement),
                    "policy/v1 PodDisruptionBudget",
                    typed(V1PodDisruptionBudget.class, V1PodDisruptionBudget::validateJsonElement),
                    "networking.k8s.io/v1 NetworkPolicy",
                    typed(V1NetworkPolicy.class, V1NetworkPolicy::validateJsonElement),
                    "monitoring.coreos.com/v1 ServiceMonitor",
                    manifest ->
                            strictMapper().readValue(manifest.toString(), ServiceMonitor.class));

    private Manifests() {}

    /** Refuses what the API server would refuse of the manifest's form. */
    static void validate(JsonObject manifest) throws IOException {
        Check check = KINDS.get(kind(manifest));
        if (check == null) {
            throw new IllegalArgumentException("no check for " + kind(manifest));
        }
        check.validate(manifest);
    }

    /** Such as {@code apps/v1 Deployment}. */
    static String kind(JsonObject manifest) {
        return manifest.get("apiVersion").getAsString() + " " + manifest.get("kind").getAsString();
    }

    private static Check typed(Class<?> type, Check fields) {
        return manifest -> {
            fields.validate(manifest);
            if (JSON.getGson().fromJson(manifest, type) == null) {
                throw new IllegalArgumentException("empty manifest");
            }
        };
    }

    private static ObjectMapper strictMapper() {
        ObjectMapper mapper = new ObjectMapper();
        mapper.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        mapper.setAnnotationIntrospector(
                new JacksonAnnotationIntrospector() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public Boolean hasAnySetter(Annotated field) {
                        return false; // so that unknown fields are refused, not collected
                    }
                });
        return mapper;
    }

    private interface Check {
        void validate(JsonElement manifest) throws IOException;
    }
}
