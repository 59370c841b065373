package org.madcast.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandleProxies;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.lock.DriverLock;
import org.madcast.client.lock.Polling;
import org.madcast.client.protocol.EngineCounters;
import org.madcast.client.protocol.GroupAddress;
import org.madcast.client.protocol.ProtocolEngine;
import org.madcast.client.protocol.TransmitSlot;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.Datagram;

/** Who may see whom, and what the engines may not touch. */
class ArchitectureTest {

    private static final String ROOT = "org.madcast.client";
    private static final String WIRE = ROOT + ".wire";
    private static final String PROTOCOL = ROOT + ".protocol";
    private static final String FILE = ROOT + ".file";
    private static final String COLLECTIVE = ROOT + ".collective";
    private static final String SURVIVAL = ROOT + ".survival";

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(ROOT);

    /** Of our own packages those in a package see only themselves and the allowed ones. */
    private static void assertSees(String origin, String... allowed) {
        Set<String> seen = Set.of(allowed);
        classes()
                .that()
                .resideInAPackage(origin)
                .should()
                .onlyDependOnClassesThat(
                        DescribedPredicate.describe(
                                "are in " + origin + ", " + seen + " or not ours",
                                target -> mayBeSeen(target.getPackageName(), origin, seen)))
                .check(CLASSES);
    }

    private static boolean mayBeSeen(String target, String origin, Set<String> allowed) {
        return !target.startsWith(ROOT) || target.equals(origin) || allowed.contains(target);
    }

    @Test
    void wireSeesNothingOfOurs() {
        assertSees(WIRE);
    }

    @Test
    void protocolSeesWire() {
        assertSees(PROTOCOL, WIRE);
    }

    /** Algorithms have names that users know. */
    @Test
    void collectiveSeesProtocolAndThePublicNames() {
        assertSees(COLLECTIVE, PROTOCOL, WIRE, ROOT, ROOT + ".topology");
    }

    /** Trees of switches are data. */
    @Test
    void topologySeesNothing() {
        assertSees(ROOT + ".topology");
    }

    /** Messages are beside the engines; schedules and agreements see nothing. */
    @Test
    void messagesSeeThePublicNamesAndSchedulesAndAgreementsNothing() {
        assertSees(ROOT + ".message", ROOT, ROOT + ".lock");
        assertSees(ROOT + ".schedule");
        assertSees(SURVIVAL);
    }

    @Test
    void whatMatchesAndSchedulesIsPure() {
        for (String pure :
                new String[] {"message.MessageEngine", "message.Matching", "message.Contexts"}) {
            noClasses()
                    .that()
                    .haveFullyQualifiedName(ROOT + "." + pure)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "java.net..", "java.nio.channels..", "java.util.concurrent..")
                    .check(CLASSES);
        }
    }

    @Test
    void leaseAndReportSeeThePublicNamesOnly() {
        assertSees(ROOT + ".lease", ROOT, ROOT + ".topology");
        assertSees(ROOT + ".report", ROOT);
    }

    /** Files travel by the calls that every program has. */
    @Test
    void fileSeesThePublicNamesOnly() {
        assertSees(FILE, ROOT);
    }

    /** The engines' contract, and what the user wants of the sockets. */
    @Test
    void ioSeesTheEnginesContractOnly() {
        assertSees(ROOT + ".io", WIRE, PROTOCOL, ROOT, ROOT + ".lock");
        Set<String> contract =
                Set.of(
                        Arrival.class.getName(),
                        Datagram.class.getName(),
                        DriverLock.class.getName(),
                        DriverLock.Change.class.getName(),
                        GroupAddress.class.getName(),
                        Polling.class.getName(),
                        ProtocolEngine.class.getName(),
                        TransmitSlot.class.getName(),
                        BroadcastParameters.SocketPath.class.getName());
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".io")
                .should()
                .dependOnClassesThat(
                        DescribedPredicate.describe(
                                "are ours, elsewhere, and not " + contract,
                                type ->
                                        type.getPackageName().startsWith(ROOT)
                                                && !type.getPackageName().equals(ROOT + ".io")
                                                && !contract.contains(type.getName())))
                .check(CLASSES);
    }

    /** The way from the public names to everything else is one method. */
    @Test
    void thePublicPackageSeesTheCompositionRootOnlyToJoin() {
        assertSees(ROOT, ROOT + ".internal");
        noClasses()
                .that()
                .resideInAPackage(ROOT)
                .and()
                .doNotHaveSimpleName("Communicator")
                .and()
                .doNotHaveSimpleName("Spares")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + ".internal")
                .check(CLASSES);
    }

    @Test
    void nobodySeesTheServiceTheAgentOrTheLab() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.madcast.allocator..",
                        "org.madcast.agent..",
                        "org.madcast.lab..",
                        "org.madcast.netsim..",
                        "org.springframework..")
                .check(CLASSES);
    }

    /**
     * A library in other people's programs: the JDK, one JSON parser, our own small modules,
     * annotations.
     */
    @Test
    void besidesTheJdkThereIsOneSmallLibrary() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        ROOT + "..",
                        "java..",
                        "javax.crypto..",
                        "javax.net.ssl",
                        "com.grack.nanojson",
                        "org.madcast.madcap..",
                        "org.madcast.nativecalls",
                        "org.jspecify.annotations")
                .check(CLASSES);
        assertSeenOnlyBy("org.madcast.madcap..", ROOT + ".lease");
        assertSeenOnlyBy("com.grack.nanojson..", ROOT + ".lease", ROOT + ".report");
    }

    @Test
    void nativeCodeIsBoundElsewhere() {
        assertSeenOnlyBy("org.madcast.nativecalls", ROOT + ".io", FILE);
        noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Linker.class, SymbolLookup.class, MethodHandleProxies.class)
                .check(CLASSES);
    }

    @Test
    void onlyIoMeetingPlacesAndWhoNamesThemTouchTheNetwork() {
        assertSeenOnlyBy(
                "java.nio.channels..",
                ROOT + ".io",
                ROOT + ".lease",
                ROOT + ".message",
                ROOT + ".internal",
                FILE);
        noClasses()
                .that()
                .resideInAPackage(FILE)
                .should()
                .dependOnClassesThat()
                .areAssignableTo(java.nio.channels.NetworkChannel.class)
                .check(CLASSES);
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.net.http..")
                .because("making its client costs each rank more than all of its requests")
                .check(CLASSES);
    }

    private static void assertSeenOnlyBy(String seen, String... allowed) {
        noClasses()
                .that()
                .resideOutsideOfPackages(allowed)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(seen)
                .check(CLASSES);
    }

    /** The rule that makes simulation possible: state machines over time and bytes. */
    @ParameterizedTest
    @ValueSource(strings = {WIRE, PROTOCOL, COLLECTIVE, SURVIVAL})
    void enginesKnowNoSocketThreadLockClockFileOrChance(String engines) {
        classes()
                .that()
                .resideInAPackage(engines)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        ROOT + "..",
                        "java.lang",
                        "java.lang.annotation",
                        "java.lang.foreign",
                        "java.lang.invoke",
                        "java.lang.runtime",
                        "java.nio",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "java.util.zip",
                        "org.jspecify.annotations")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(engines)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(
                        Thread.class,
                        ThreadLocal.class,
                        Process.class,
                        Runtime.class,
                        Random.class,
                        SplittableRandom.class,
                        Timer.class,
                        UUID.class)
                .orShould()
                .callMethodWhere(readsTheWorld())
                .check(CLASSES);
    }

    /** Clocks, chance, settings and the console hide in classes that are otherwise harmless. */
    private static DescribedPredicate<JavaMethodCall> readsTheWorld() {
        Set<String> harmless = Set.of("arraycopy", "identityHashCode", "lineSeparator");
        return DescribedPredicate.describe(
                "reads a clock, a setting or chance",
                call -> {
                    boolean system = call.getTargetOwner().isEquivalentTo(System.class);
                    boolean math = call.getTargetOwner().isEquivalentTo(Math.class);
                    return (system && !harmless.contains(call.getName()))
                            || (math && call.getName().equals("random"));
                });
    }

    /**
     * Every datagram passes here: nothing is boxed, and no collection grows. What is said to people
     * may be, and counting what was rejected, which boxes when somebody asks.
     */
    @Test
    void theEnginesNeitherBoxNorCollect() {
        Set<String> forPeople = Set.of("toString", "describe");
        noClasses()
                .that()
                .resideInAnyPackage(WIRE, PROTOCOL)
                .and()
                .doNotHaveFullyQualifiedName(EngineCounters.class.getName())
                .should()
                .callConstructorWhere(
                        DescribedPredicate.describe(
                                "makes a collection",
                                call -> call.getTargetOwner().getPackageName().equals("java.util")))
                .orShould()
                .callMethodWhere(
                        DescribedPredicate.describe(
                                "boxes a number",
                                call ->
                                        call.getName().equals("valueOf")
                                                && call.getTargetOwner()
                                                        .isAssignableTo(Number.class)
                                                && !forPeople.contains(call.getOrigin().getName())))
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.stream", "java.util.function", "java.util.regex")
                .check(CLASSES);
    }

    @Test
    void everyPackageSaysWhatItIsForAndIsNullMarked() {
        Set<JavaPackage> packages =
                CLASSES.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
        assertThat(packages)
                .hasSizeGreaterThan(7)
                .allSatisfy(one ->
                        assertThat(one.isAnnotatedWith(NullMarked.class))
                                .as(one.getName())
                                .isTrue());
    }

    /** The module exports two packages only, so nothing in them may speak of the others. */
    @Test
    void publicSignaturesNameNoHiddenType() {
        Set<String> exported = Set.of(ROOT, FILE);
        assertThat(CLASSES.stream().filter(type -> exported.contains(type.getPackageName())))
                .filteredOn(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .allSatisfy(type ->
                        assertThat(packagesOfSignatures(type))
                                .as(type.getName())
                                .noneMatch(
                                        name -> name.startsWith(ROOT + ".") && !name.equals(FILE)));
    }

    private static Set<String> packagesOfSignatures(JavaClass type) {
        return type.getMethods().stream()
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(method -> method.getAllInvolvedRawTypes().stream())
                .map(JavaClass::getPackageName)
                .collect(Collectors.toSet());
    }
}
