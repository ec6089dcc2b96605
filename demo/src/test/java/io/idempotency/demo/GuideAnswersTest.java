package io.idempotency.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.guide.GuideBlock;
import io.micronaut.context.annotation.Property;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands of docs/try-it.md and docs/operating.md, run on the demo, are answered as these pages and docs/http.md say. */
@Tag("thorough")
@MicronautTest(transactional = false)
@Property(name = "datasources.default.url", value = "jdbc:h2:mem:guide;DB_CLOSE_DELAY=-1")
class GuideAnswersTest {

    /** What differs from run to run: ids of payments and records, digests, fences and times. */
    private static final Pattern VARYING = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}"
            + "|(?<=\\[key|\")[0-9a-f]{8}(?=[\"…])|@\\d+|(?<=\"fence\":)\\d+|\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");

    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| (?<title>[^|]+) \\| `(?<command>[^|]+?)`(?<twice>, twice)? \\| (?<answer>[^|]+) \\|$");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** Looks for what the reader of that page waits a second for: a busy machine may need longer. */
    private static final String UNDER_WAY = "for i in $(seq 600); do"
            + " curl -s 'localhost:8080/idempotency?state=in-progress' | grep -q charge-payment && break; sleep .1; done";

    @Inject
    EmbeddedServer server;

    private final List<String> answers = new ArrayList<>();

    @BeforeAll
    static void requireCurl() {
        try {
            run("curl --version");
        } catch (IOException e) {
            System.out.println("SKIPPED: the guide's commands cannot run here. They need bash and curl.");
            Assumptions.abort("no bash and curl");
        }
    }

    private static String run(String script) throws IOException {
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", script).redirectError(Redirect.DISCARD);
        bash.environment().put("no_proxy", "*");
        Process process = bash.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(script + "\n" + said);
        }
        return said.replace("\r", "");
    }

    @Test
    void theCommandsToTryAreAnsweredAsTheGuideSays() throws IOException {
        String functions = commands("try-it");
        String page = GuideBlock.text(Path.of("..", "docs", "try-it.md"));
        String table = page.substring(page.indexOf(functions), page.indexOf("Every refusal is a problem document"));
        List<MatchResult> rows = ROW.matcher(table).results().toList();
        assertThat(rows)
                .hasSize((int) table.lines()
                                .filter(line -> line.startsWith("| "))
                                .count()
                        - 1);
        SoftAssertions all = new SoftAssertions();
        for (MatchResult row : rows) {
            String command = row.group(2).replace("sleep 1", UNDER_WAY).replace("slow=5s", "slow=15s");
            String twice = row.group(3) == null ? "" : "\n" + command;
            String said = run((functions + command + twice).replace("localhost:8080", "localhost:" + server.getPort()));
            answers.addAll(List.of(said.split("(?=HTTP/1\\.1 )")));
            all.assertThat(expected(row.group(4)))
                    .as("%s%n%s", row.group(), said)
                    .allMatch(said.toLowerCase(Locale.ROOT)::contains);
        }
        String charges = answers.get(answers.size() - 1);
        settleWhatIsInDoubt(all);
        GuideBlock.all("http").stream()
                .filter(block -> !block.code().startsWith("POST"))
                .forEach(block -> all.assertThat(answers.stream().anyMatch(answer -> shows(block, answer)))
                        .as("%s: a command to try is answered so", block)
                        .isTrue());
        all.assertThat(charges)
                .as("one charge for 200 at once, and for each key")
                .containsOnlyOnce("\"amount\":6.00")
                .doesNotContainPattern("(\"idempotencyKey\":\"\\w+\").*\\1");
        all.assertAll();
    }

    private static String commands(String page) {
        return GuideBlock.all("bash").stream()
                .filter(block -> block.place().contains(page))
                .findFirst()
                .orElseThrow()
                .code();
    }

    /** By the operator's commands, with id and fence of the record that the lost answer left. */
    private void settleWhatIsInDoubt(SoftAssertions all) throws IOException {
        String commands = commands("operating").replace("localhost:8080", "localhost:" + server.getPort());
        Matcher record = Pattern.compile("\"id\":\"(\\w+)\".*\"fence\":(\\d+)")
                .matcher(run(commands.substring(0, commands.indexOf("\nid="))));
        assertThat(record.find()).isTrue();
        String taken = "id=" + record.group(1) + " fence=" + record.group(2);
        String said = run(commands.replaceFirst("(?m)^id=.*", taken));
        answers.addAll(List.of(said.split("(?=HTTP/1\\.1 )")));
        all.assertThat(answers.get(answers.size() - 1))
                .startsWith("HTTP/1.1 200 OK")
                .contains("\"state\":\"completed\"", "\"actor\":\"anna\"");
    }

    /** What an answer's cell quotes; a quotation may be the beginning. */
    private static List<String> expected(String cell) {
        return QUOTED.matcher(cell)
                .results()
                .map(quoted -> quoted.group(1).replaceFirst("…$", "").toLowerCase(Locale.ROOT))
                .toList();
    }

    /** A block may leave headers out, and is wrapped to be read. */
    private static boolean shows(GuideBlock block, String answer) {
        String[] shown = block.code().split("\n\n", 2);
        String[] real = answer.split("\n\n", 2);
        return comparable(real[0]).containsAll(comparable(shown[0]))
                && (shown.length == 1 || comparable(oneLine(real[1])).equals(comparable(oneLine(shown[1]))));
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s", "");
    }

    private static List<String> comparable(String text) {
        return VARYING.matcher(text)
                .replaceAll("*")
                .toLowerCase(Locale.ROOT)
                .lines()
                .toList();
    }

    @Test
    void theRequestOfThePageForClientsIsUnderstood() {
        GuideBlock block = GuideBlock.all("http").stream()
                .filter(each -> each.place().contains("for-clients"))
                .findFirst()
                .orElseThrow();
        Matcher request = Pattern.compile(
                        "POST (?<path>\\S+)\\nIdempotency-Key: (?<key>\\S+)\\nContent-Type: application/json\\n\\n(?<body>.*)\\n")
                .matcher(block.code());
        assertThat(request.matches()).as(block.code()).isTrue();
        Shop shop = new Shop(server.getURI());
        HttpResponse<String> answer = shop.send(
                shop.post(request.group("path"), request.group("body"), "Idempotency-Key", request.group("key")));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }
}
