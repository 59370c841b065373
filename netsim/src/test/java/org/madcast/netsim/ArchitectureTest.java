package org.madcast.netsim;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Random;
import java.util.Timer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses MAIN =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("org.madcast.netsim");

    @Test
    void usesOnlyTheInnerPartsOfTheBaseModule() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.madcast.netsim",
                        "java.lang",
                        "java.lang.foreign",
                        "java.lang.invoke",
                        "java.lang.runtime",
                        "java.nio",
                        "java.nio.charset",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "java.util.zip",
                        "org.jspecify.annotations")
                .check(MAIN);
    }

    @Test
    void hasNoRealClockThreadOrUnseededRandomness() {
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Thread.class, Timer.class, Random.class, UUID.class)
                .check(MAIN);
    }
}
