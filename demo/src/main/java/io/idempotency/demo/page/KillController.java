package io.idempotency.demo.page;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import java.util.Arrays;

/** Ends this process as {@code kill -9} does, at once: no claim is given back, nothing is flushed. */
@Controller("/kill")
@Requires(property = "demo.kill-switch", value = "true")
class KillController {

    private static final int KILLED = 137;

    /** Ends Maven's run too, which would wait for changes of a service that is gone. */
    @Post
    @Status(HttpStatus.ACCEPTED)
    void kill() {
        ProcessHandle.current().parent().filter(KillController::isMavensRun).ifPresent(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(KILLED);
    }

    private static boolean isMavensRun(ProcessHandle parent) {
        return parent.info()
                .arguments()
                .filter(arguments -> Arrays.asList(arguments).contains("mn:run"))
                .isPresent();
    }
}
