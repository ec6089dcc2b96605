package io.idempotency.demo.settlement;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.WhenInProgress;
import jakarta.inject.Singleton;

/** E-mails a settlement. No mail server can be asked what became of a message: a second one is better than none. */
@Singleton
class Reports {

    private final Mail mail;

    Reports(Mail mail) {
        this.mail = mail;
    }

    // tag::mail[]
    @IdempotentOperation(
            value = "send-report",
            key = "settlement.day",
            retention = "30d",
            whenInProgress = WhenInProgress.WAIT,
            onFailure = OnFailure.RELEASE,
            onAbandoned = OnAbandoned.TAKE_OVER)
    public void send(Settlement settlement) {
        mail.send("accounting@example.com", "Settlement of " + settlement.day(), settlement.total() + " in total");
    }
    // end::mail[]
}
