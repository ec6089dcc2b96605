package io.idempotency.http.server.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.core.util.PathMatcher;
import io.micronaut.http.HttpMethod;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A route covers what Ant's matcher says, whatever is done to ask it less often: a path that is passed over is not protected. */
class RoutePatternsTest {

    private static final List<String> PARTS =
            List.of("", "/", "/a", "/b", "/ab", "/A", "/a b", "/ a", "/\t", "/a.b", "/*", "/..", "/a;v=1", "/%61");

    private static Stream<String> paths() {
        return PARTS.stream()
                .flatMap(one -> PARTS.stream().flatMap(two -> PARTS.stream().map(three -> one + two + three)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/**", "/a/**", "/a/*", "/a", "/a/b", "/a/?", "/?", "/a*", "/*/a", "/a/**/b", "/**/b", "/ab/*"})
    void itCoversWhatTheMatcherSays(String pattern) {
        Route route = new Route(null, null, Set.of(HttpMethod.POST), List.of(pattern), StatusRule.STANDARD, false);
        assertThat(paths()).allSatisfy(path -> {
            String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            boolean matched = PathMatcher.ANT.matches(pattern, path) || PathMatcher.ANT.matches(pattern, trimmed);
            assertThat(route.covers(HttpMethod.POST, path)).as(path).isEqualTo(matched || pattern.equals(path));
        });
    }
}
