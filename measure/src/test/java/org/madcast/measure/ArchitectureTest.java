package org.madcast.measure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The directions of docs/ARCHITECTURE.md, as far as the commands that measure are concerned. */
class ArchitectureTest {

    private static final JavaClasses MEASURE =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("org.madcast.measure");

    @Test
    void onlyThePublicPackagesOfTheClientLibraryAreUsed() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.madcast.measure..",
                        "org.madcast.agent..",
                        "org.madcast.client",
                        "org.madcast.client.topology",
                        "org.madcast.lab",
                        "org.madcast.simulator..",
                        "org.madcast.madcap..",
                        "org.jspecify.annotations",
                        "com.grack.nanojson",
                        "picocli")
                .check(MEASURE);
    }

    @Test
    void featuresDoNotDependOnEachOtherInCircles() {
        slices().matching("org.madcast.measure.(*)..").should().beFreeOfCycles().check(MEASURE);
    }
}
