package io.idempotency.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The properties that are accepted are those that Micronaut wrote down for editors when it compiled the library. */
class KnownPropertiesTest {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    @Test
    void everyPropertyOfTheLibraryIsKnownWithItsType() throws IOException {
        try (ApplicationContext context = ApplicationContext.run()) {
            KnownProperties known = context.getBean(KnownProperties.class);
            List<String> properties = new ArrayList<>();
            for (URL url : Collections.list(getClass().getClassLoader().getResources(METADATA))) {
                try (InputStream json = url.openStream()) {
                    Map<?, ?> metadata = context.getBean(JsonMapper.class).readValue(json, Map.class);
                    Object found = metadata.get("properties"); // a module may have none
                    for (Object property : found == null ? List.of() : (List<?>) found) {
                        properties.add((String) ((Map<?, ?>) property).get("name"));
                    }
                }
            }
            properties.removeIf(name -> !name.startsWith("idempotency."));
            assertThat(properties)
                    .hasSizeGreaterThan(40)
                    .allSatisfy(name -> assertThat(known.typeOf(name.replace("*", "charge")))
                            .isPresent());
        }
    }
}
