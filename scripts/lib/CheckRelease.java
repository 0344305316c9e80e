// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Looks at a folder that Maven has deployed a release to, by the rules of Maven Central: {@code java CheckRelease.java FOLDER GROUP
 * VERSION GNUPGHOME MODULE...}. Each reason to refuse the release is a line; the exit code is 1 if there is any.
 */
class CheckRelease {

    private static final Set<String> SUMS = Set.of("md5", "sha1", "sha256", "sha512");

    private final List<String> problems = new ArrayList<>();
    private final Map<String, Element> poms = new LinkedHashMap<>();
    private final Path folder;
    private final String group;
    private final String version;
    private final String keys;
    private int files;

    private CheckRelease(Path folder, String group, String version, String keys) {
        this.folder = folder.resolve(group.replace('.', '/'));
        this.group = group;
        this.version = version;
        this.keys = keys;
    }

    public static void main(String[] arguments) throws Exception {
        CheckRelease check = new CheckRelease(Path.of(arguments[0]), arguments[1], arguments[2], arguments[3]);
        List<String> modules = List.of(arguments).subList(4, arguments.length);
        check.modules(modules);
        check.problems.forEach(System.out::println);
        if (!check.problems.isEmpty()) {
            System.exit(1);
        }
        System.out.println(check.files + " files of " + modules.size() + " modules have what Maven Central asks for");
    }

    private void modules(List<String> modules) throws Exception {
        if (version.endsWith("-SNAPSHOT")) {
            problems.add("the version " + version + " is a snapshot");
        }
        Set<String> there = new TreeSet<>(names(folder, Files::isDirectory));
        modules.stream().filter(module -> !there.contains(module)).forEach(module -> problems.add(module + " is not there"));
        there.stream().filter(module -> !modules.contains(module)).forEach(module -> problems.add(module + " is not to be published"));
        for (String module : modules) {
            Path pom = file(module, ".pom");
            if (there.contains(module) && Files.exists(pom)) {
                poms.put(module, parsed(pom));
            }
        }
        for (String module : there) {
            if (modules.contains(module)) {
                module(module);
            }
        }
    }

    private void module(String module) throws Exception {
        Element pom = poms.get(module);
        if (pom == null) {
            problems.add(module + ": there is no POM of version " + version);
            return;
        }
        pom(module, pom);
        if (!"pom".equals(text(pom, "packaging", "jar"))) {
            jar(module, "", ".class");
            jar(module, "-sources", ".java");
            jar(module, "-javadoc", "index.html");
        }
        Path home = file(module, ".pom").getParent();
        for (String name : names(home, Files::isRegularFile)) {
            String ending = name.substring(name.lastIndexOf('.') + 1);
            if (!name.startsWith(module + "-" + version)) {
                problems.add(module + ": " + name + " does not begin with the module's name and version");
            }
            if (!SUMS.contains(ending) && !ending.equals("asc")) {
                files++;
                sum(home.resolve(name), "md5", "MD5");
                sum(home.resolve(name), "sha1", "SHA-1");
                signature(home.resolve(name));
            }
        }
    }

    /** What a reader and their tools want to know: from the module's own POM, or from that of its parent, which is published too. */
    private void pom(String module, Element pom) {
        Element parent = child(pom, "parent");
        Element inherited = parent == null ? null : poms.get(text(parent, "artifactId", ""));
        if (parent != null && inherited == null) {
            problems.add(module + ": its parent " + text(parent, "artifactId", "") + " is not in the release");
        }
        expect(module, "artifactId", module, text(pom, "artifactId", ""));
        expect(module, "groupId", group, text(pom, "groupId", parent == null ? "" : text(parent, "groupId", "")));
        expect(module, "version", version, text(pom, "version", parent == null ? "" : text(parent, "version", "")));
        if (parent != null) {
            expect(module, "version of the parent", version, text(parent, "version", ""));
        }
        for (String own : List.of("name", "description")) {
            if (text(pom, own, "").isBlank()) {
                problems.add(module + ": the POM has no <" + own + ">");
            }
        }
        for (String path : List.of("url", "licenses/license/name", "licenses/license/url", "developers/developer/name", "scm/url",
                "scm/connection", "scm/developerConnection")) {
            if (at(pom, path).isBlank() && (inherited == null || at(inherited, path).isBlank())) {
                problems.add(module + ": the POM has no <" + path + ">, and inherits none");
            }
        }
        for (String banned : List.of("repositories", "pluginRepositories", "systemPath")) {
            if (pom.getElementsByTagName(banned).getLength() > 0) {
                problems.add(module + ": the POM has <" + banned + ">");
            }
        }
        all(pom, "scope").filter("system"::equals).forEach(scope -> problems.add(module + ": a dependency has the scope system"));
        all(pom, "version")
                .filter(each -> each.contains("SNAPSHOT") || each.matches("[\\[(].*|LATEST|RELEASE"))
                .forEach(each -> problems.add(module + ": the POM names the version " + each));
    }

    private void jar(String module, String classifier, String content) {
        Path jar = file(module, classifier + ".jar");
        if (!Files.exists(jar)) {
            problems.add(module + ": " + jar.getFileName() + " is missing");
            return;
        }
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            if (zip.stream().noneMatch(entry -> entry.getName().endsWith(content) && entry.getSize() != 0)) {
                problems.add(module + ": " + jar.getFileName() + " has no " + content);
            }
        } catch (IOException broken) {
            problems.add(module + ": " + jar.getFileName() + " cannot be read: " + broken.getMessage());
        }
    }

    private void sum(Path file, String ending, String algorithm) throws Exception {
        Path sum = file.resolveSibling(file.getFileName() + "." + ending);
        if (!Files.exists(sum)) {
            problems.add(sum.getFileName() + " is missing");
            return;
        }
        MessageDigest digest = MessageDigest.getInstance(algorithm);
        try (InputStream in = Files.newInputStream(file)) {
            in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
        }
        if (!HexFormat.of().formatHex(digest.digest()).equalsIgnoreCase(Files.readString(sum).trim())) {
            problems.add(sum.getFileName() + " is not the sum of " + file.getFileName());
        }
    }

    private void signature(Path file) throws Exception {
        Path signature = file.resolveSibling(file.getFileName() + ".asc");
        if (!Files.exists(signature)) {
            problems.add(signature.getFileName() + " is missing");
            return;
        }
        Process gpg = new ProcessBuilder("gpg", "--homedir", keys, "--batch", "--status-fd", "1", "--verify", signature.toString(), file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String status = new String(gpg.getInputStream().readAllBytes());
        if (gpg.waitFor() != 0 || !status.contains("[GNUPG:] VALIDSIG ")) {
            problems.add(signature.getFileName() + " is no valid signature of " + file.getFileName());
        }
    }

    private void expect(String module, String what, String expected, String actual) {
        if (!expected.equals(actual)) {
            problems.add(module + ": the " + what + " is " + actual + " instead of " + expected);
        }
    }

    private Path file(String module, String rest) {
        return folder.resolve(module).resolve(version).resolve(module + "-" + version + rest);
    }

    private static List<String> names(Path folder, Predicate<Path> kind) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(kind).map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
        }
    }

    private static Element parsed(Path pom) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile()).getDocumentElement();
    }

    private static String at(Element element, String path) {
        Element found = element;
        for (String name : path.split("/")) {
            found = found == null ? null : child(found, name);
        }
        return found == null ? "" : found.getTextContent().trim();
    }

    private static String text(Element element, String name, String otherwise) {
        Element found = child(element, name);
        return found == null ? otherwise : found.getTextContent().trim();
    }

    private static Element child(Element element, String name) {
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element child && child.getTagName().equals(name)) {
                return child;
            }
        }
        return null;
    }

    /** Of what the POM names: not the bounds that rules of its plugins have. */
    private static Stream<String> all(Element element, String name) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < element.getElementsByTagName(name).getLength(); i++) {
            Node node = element.getElementsByTagName(name).item(i);
            if (Set.of("dependency", "plugin", "extension", "parent", "project").contains(node.getParentNode().getNodeName())) {
                found.add(node.getTextContent().trim());
            }
        }
        return found.stream();
    }
}
