package org.madcast.madcap;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final String ROOT = "org.madcast.madcap";

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(ROOT);

    /** java.base without threads, sockets, files, clocks and randomness. */
    @Test
    void nothingButBytesAndTime() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .haveNameMatching(
                        "(org\\.madcast\\.madcap|org\\.jspecify\\.annotations)\\..*"
                                + "|java\\.(lang|lang\\.annotation|lang\\.invoke|lang\\.runtime)\\.\\w+(\\$\\w+)*"
                                + "|java\\.(math|util|util\\.function|util\\.stream|nio\\.charset)\\..*"
                                + "|java\\.nio\\.(ByteBuffer|CharBuffer|Buffer|ByteOrder|BufferUnderflowException)"
                                + "|java\\.net\\.(InetAddress|Inet4Address|Inet6Address)"
                                + "|java\\.time\\.(Duration|Instant)"
                                + "|\\[.*|byte|char|int|long|boolean|void|double|short|float")
                .check(CLASSES);
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.Thread")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(Random|random\\..*|concurrent\\..*|Timer.*)")
                .check(CLASSES);
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .check(CLASSES);
    }

    @Test
    void packagesLookOneWay() {
        noClasses()
                .that()
                .resideInAPackage(ROOT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".codec", ROOT + ".client", ROOT + ".server")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".codec")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".client", ROOT + ".server")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".client")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".server")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".server")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + ".client")
                .check(CLASSES);
    }
}
