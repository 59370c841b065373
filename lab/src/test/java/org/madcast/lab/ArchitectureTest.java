package org.madcast.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses LAB =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("org.madcast.lab");

    @Test
    void labSeesOnlyTheJdkAndTheNativeCalls() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.madcast.lab",
                        "org.madcast.nativecalls",
                        "org.jspecify.annotations")
                .check(LAB);
    }

    @Test
    void nativeCodeIsBoundElsewhere() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackage("java.lang.foreign..")
                .check(LAB);
    }
}
