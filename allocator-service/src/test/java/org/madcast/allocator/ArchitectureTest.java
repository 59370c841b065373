package org.madcast.allocator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.web.page.PageController;
import org.springframework.stereotype.Controller;
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
                        "metrics",
                        "alert",
                        "access",
                        "audit",
                        "fleet",
                        "statistics",
                        "communicator",
                        "topology",
                        "lease",
                        "scope")
                .whereLayer("web")
                .mayOnlyAccessLayers("store")
                .whereLayer("audit")
                .mayOnlyBeAccessedByLayers(
                        "madcap", "communicator", "topology", "lease", "scope", "access", "state")
                .whereLayer("madcap")
                .mayOnlyBeAccessedByLayers("metrics")
                .whereLayer("statistics")
                .mayOnlyBeAccessedByLayers("dashboard", "metrics", "alert", "fleet")
                .whereLayer("alert")
                .mayOnlyBeAccessedByLayers("dashboard", "metrics")
                .whereLayer("fleet")
                .mayOnlyBeAccessedByLayers("dashboard", "alert")
                .whereLayer("tuning")
                .mayOnlyBeAccessedByLayers("statistics")
                .whereLayer("communicator")
                .mayOnlyBeAccessedByLayers("dashboard", "statistics")
                .whereLayer("topology")
                .mayOnlyBeAccessedByLayers("communicator")
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
                .mayOnlyBeAccessedByLayers(
                        "dashboard", "madcap", "alert", "statistics", "communicator", "lease")
                .check(CLASSES);
    }

    @Test
    void noPackagesSeeEachOther() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    /** What two features need, a service decides. */
    @Test
    void aControllerOfRestSeesOnlyItsFeatureAndWhatAllShare() {
        classes()
                .that()
                .areAnnotatedWith(RestController.class)
                .should(seeOnlyTheirFeatureAnd("web"))
                .check(CLASSES);
    }

    @Test
    void aControllerOfPagesSeesOnlyItsFeatureAndWhatAllShare() {
        classes()
                .that()
                .areAnnotatedWith(PageController.class)
                .and()
                .resideOutsideOfPackage(ROOT + ".dashboard")
                .should(seeOnlyTheirFeatureAnd("web", "web.page", "audit", "store"))
                .check(CLASSES);
    }

    /** A controller of another kind would send its pages without their headers. */
    @Test
    void allPagesAreOfPageControllers() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".web..")
                .should()
                .beAnnotatedWith(Controller.class)
                .check(CLASSES);
    }

    @Test
    void aPageOfOneFeatureLiesWithIt() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".dashboard")
                .and()
                .haveSimpleNameEndingWith("Page")
                .should(
                        new ArchCondition<>("see several features") {
                            @Override
                            public void check(JavaClass page, ConditionEvents events) {
                                Set<String> features = new TreeSet<>();
                                for (Dependency it : page.getDirectDependenciesFromSelf()) {
                                    features.add(feature(it.getTargetClass()));
                                }
                                features.removeAll(Set.of("", "dashboard", "web", "store"));
                                if (features.size() < 2) {
                                    events.add(
                                            SimpleConditionEvent.violated(
                                                    page, page.getName() + " sees " + features));
                                }
                            }
                        })
                .check(CLASSES);
    }

    /** The first part of a package's name within the service; empty for what is none of its. */
    private static String feature(JavaClass seen) {
        String name = seen.getPackageName();
        return name.startsWith(ROOT + ".")
                ? name.substring(ROOT.length() + 1).split("\\.", 2)[0]
                : "";
    }

    private static ArchCondition<JavaClass> seeOnlyTheirFeatureAnd(String... shared) {
        return new ArchCondition<>("see only their package and " + List.of(shared)) {
            @Override
            public void check(JavaClass controller, ConditionEvents events) {
                for (Dependency it : controller.getDirectDependenciesFromSelf()) {
                    String seen = it.getTargetClass().getPackageName();
                    if (seen.startsWith(ROOT)
                            && !feature(it.getTargetClass()).equals(feature(controller))
                            && Stream.of(shared).noneMatch(may -> seen.equals(ROOT + "." + may))) {
                        events.add(SimpleConditionEvent.violated(it, it.getDescription()));
                    }
                }
            }
        };
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
