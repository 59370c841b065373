package org.madcast.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The directions of docs/ARCHITECTURE.md, as far as the command line is concerned. */
class ArchitectureTest {

    private static final JavaClasses AGENT =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("org.madcast.agent");

    @Test
    void onlyThePublicPackagesOfTheClientLibraryAreUsed() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "javax.crypto..",
                        "com.sun.net.httpserver",
                        "com.sun.source..",
                        "javax.lang.model..",
                        "javax.tools",
                        "org.madcast.agent..",
                        "org.madcast.client",
                        "org.madcast.client.file",
                        "org.madcast.client.topology",
                        "org.madcast.lab",
                        "org.madcast.madcap..",
                        "org.madcast.nativecalls",
                        "org.jspecify.annotations",
                        "com.grack.nanojson",
                        "picocli")
                .check(AGENT);
    }

    @Test
    void theServiceIsAProcessAndNeverAClass() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.madcast.allocator..", "org.springframework..")
                .check(AGENT);
    }

    @Test
    void whatCommandsShareKnowsNoCommandFamily() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "..agent.terminal..",
                        "..agent.process..",
                        "..agent.cluster..",
                        "..agent.node..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "..agent.demo..", "..agent.service..", "..agent.push..", "..agent.daemon..")
                .check(AGENT);
    }

    @Test
    void featuresDoNotDependOnEachOtherInCircles() {
        slices().matching("org.madcast.agent.(*)..").should().beFreeOfCycles().check(AGENT);
    }
}
