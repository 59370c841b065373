package org.madcast.allocator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RestController;

class ArchitectureTest {

    private static final String ROOT = "org.madcast.allocator";
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .importUrl(
                            AllocatorApplication.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation());

    @Test
    void featuresSeeEachOtherInOneDirectionOnly() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
                .layer("program")
                .definedBy(ROOT)
                .layer("dashboard")
                .definedBy(ROOT + ".dashboard..")
                .layer("state")
                .definedBy(ROOT + ".state..")
                .layer("metrics")
                .definedBy(ROOT + ".metrics..")
                .layer("madcap")
                .definedBy(ROOT + ".madcap..")
                .layer("alert")
                .definedBy(ROOT + ".alert..")
                .layer("fleet")
                .definedBy(ROOT + ".fleet..")
                .layer("tuning")
                .definedBy(ROOT + ".tuning..")
                .layer("statistics")
                .definedBy(ROOT + ".statistics..")
                .layer("communicator")
                .definedBy(ROOT + ".communicator..")
                .layer("topology")
                .definedBy(ROOT + ".topology..")
                .layer("lease")
                .definedBy(ROOT + ".lease..")
                .layer("scope")
                .definedBy(ROOT + ".scope..")
                .layer("access")
                .definedBy(ROOT + ".access..")
                .layer("audit")
                .definedBy(ROOT + ".audit..")
                .layer("web")
                .definedBy(ROOT + ".web..")
                .layer("store")
                .definedBy(ROOT + ".store..")
                .whereLayer("dashboard")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("state")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("metrics")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("access")
                .mayOnlyBeAccessedByLayers("program", "dashboard")
                .whereLayer("web")
                .mayOnlyBeAccessedByLayers(
                        "dashboard",
                        "state",
                        "access",
                        "audit",
                        "fleet",
                        "statistics",
                        "communicator",
                        "topology",
                        "lease",
                        "scope")
                .whereLayer("audit")
                .mayOnlyBeAccessedByLayers(
                        "dashboard",
                        "madcap",
                        "communicator",
                        "topology",
                        "lease",
                        "scope",
                        "access",
                        "state")
                .whereLayer("madcap")
                .mayOnlyBeAccessedByLayers("metrics")
                .whereLayer("statistics")
                .mayOnlyBeAccessedByLayers("dashboard", "metrics", "alert")
                .whereLayer("alert")
                .mayOnlyBeAccessedByLayers("dashboard", "metrics")
                .whereLayer("fleet")
                .mayOnlyBeAccessedByLayers("dashboard", "alert")
                .whereLayer("tuning")
                .mayOnlyBeAccessedByLayers("statistics")
                .whereLayer("communicator")
                .mayOnlyBeAccessedByLayers("dashboard", "statistics")
                .whereLayer("topology")
                .mayOnlyBeAccessedByLayers("dashboard", "communicator")
                .whereLayer("lease")
                .mayOnlyBeAccessedByLayers(
                        "dashboard",
                        "state",
                        "madcap",
                        "metrics",
                        "alert",
                        "statistics",
                        "access",
                        "communicator")
                .whereLayer("scope")
                .mayOnlyBeAccessedByLayers("dashboard", "madcap", "alert", "communicator", "lease")
                .check(CLASSES);
    }

    /**
     * What two features need, a service decides. Pages are a feature: each shows several others.
     */
    @Test
    void aControllerOfRestSeesOnlyItsFeatureAndWhatAllShare() {
        classes()
                .that()
                .areAnnotatedWith(RestController.class)
                .should(
                        new ArchCondition<>("see only their package and web") {
                            @Override
                            public void check(JavaClass controller, ConditionEvents events) {
                                String own = controller.getPackageName();
                                for (Dependency it : controller.getDirectDependenciesFromSelf()) {
                                    String seen = it.getTargetClass().getPackageName();
                                    if (seen.startsWith(ROOT)
                                            && !seen.equals(own)
                                            && !seen.equals(ROOT + ".web")) {
                                        events.add(
                                                SimpleConditionEvent.violated(
                                                        it, it.getDescription()));
                                    }
                                }
                            }
                        })
                .check(CLASSES);
    }

    @Test
    void metricsListenToEventsOnly() {
        noClasses()
                .that()
                .resideInAPackage("..metrics..")
                .should()
                .dependOnClassesThat()
                .haveSimpleNameEndingWith("Service")
                .orShould()
                .dependOnClassesThat()
                .haveSimpleNameEndingWith("Queries")
                .check(CLASSES);
    }

    @Test
    void theServiceDoesNotSeeTheClientLibrary() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.madcast.client..")
                .check(CLASSES);
    }

    @Test
    void whatDecidesIsPure() {
        noClasses()
                .that()
                .haveSimpleName("LeaseRules")
                .or()
                .haveNameMatching(".*MadcapDecision.*")
                .or()
                .haveSimpleName("Scope")
                .or()
                .haveSimpleName("AddressPool")
                .or()
                .haveSimpleName("PoolPermutation")
                .or()
                .resideInAPackage("..tuning..")
                .or()
                .haveSimpleName("RankAlerts")
                .or()
                .haveSimpleName("FleetAlerts")
                .or()
                .haveSimpleName("AccessRules")
                .or()
                .haveSimpleName("TreeRules")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "jakarta..", "java.sql..")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .check(CLASSES);
    }

    /** A replica's clock may step as it likes: it only numbers leases, roughly in their order. */
    @Test
    void timeIsTheDatabases() {
        noClasses()
                .that()
                .doNotHaveSimpleName("LeaseNumbers")
                .should()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Clock.class, "systemUTC")
                .orShould()
                .callMethod(java.time.Clock.class, "systemDefaultZone")
                .orShould()
                .callMethod(java.time.OffsetDateTime.class, "now")
                .orShould()
                .callMethod(java.time.LocalDateTime.class, "now")
                .check(CLASSES);
    }

    @Test
    void entitiesStayInTheirPackage() {
        classes()
                .that()
                .areAnnotatedWith(Entity.class)
                .or()
                .areAnnotatedWith(Embeddable.class)
                .should()
                .bePackagePrivate()
                .check(CLASSES);
    }
}
