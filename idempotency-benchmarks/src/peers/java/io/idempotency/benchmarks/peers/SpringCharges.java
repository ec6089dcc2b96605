package io.idempotency.benchmarks.peers;

import com.trendyol.jdempotent.core.annotation.JdempotentResource;
import io.github.arun0009.idempotent.core.annotation.Idempotent;
import io.idempotency.benchmarks.Charges.Charge;
import io.idempotency.benchmarks.Charges.Receipt;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Function;

/** The operation, once for each annotation. A proxy advises the one that its aspect knows. */
class SpringCharges {

    /** What arun0009 3.1 has of its annotation. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface Protected {
        String key();

        String duration() default "PT5M";
    }

    private final Function<Charge, Receipt> body;

    SpringCharges(Function<Charge, Receipt> body) {
        this.body = body;
    }

    @Protected(key = "#charge.id")
    public Receipt charge(Charge charge) {
        return body.apply(charge);
    }

    @Idempotent(key = "#charge.id")
    public Receipt chargeByArtifact(Charge charge) {
        return body.apply(charge);
    }

    @JdempotentResource(cachePrefix = "charge")
    public Receipt chargeByJdempotent(Charge charge) {
        return body.apply(charge);
    }
}
