package io.idempotency.jdbc;

/** A table full of finished records, some of which expire soon, and a few in doubt. */
final class ManyRecords {

    private ManyRecords() {}

    /** One of so many is in doubt, the first ones last. */
    static void fill(Place place, int count, int oneInDoubtOf) {
        String number = place.url().contains(":postgresql:")
                ? "n FROM generate_series(1, " + count + ") n"
                : place.url().contains(":h2:")
                        ? "x AS n FROM SYSTEM_RANGE(1, " + count + ")"
                        : "seq AS n FROM seq_1_to_" + count;
        String doubtful = "MOD(n, " + oneInDoubtOf + ") = 0";
        place.run("INSERT INTO " + place.table() + " (id, operation, fingerprint, state, owner, fence, attempt,"
                + " claimed_at_ms, lease_until_ms, expires_at_ms, format_version, doubt, result_kind, result_omitted,"
                + " result_size) SELECT LPAD(CAST(n AS CHAR(10)), 64, '0'), 'charge', 'fingerprint',"
                        .replace(
                                "CAST(n AS CHAR(10))",
                                place.url().contains(":mariadb:") ? "n" : "CAST(n AS VARCHAR(10))")
                + " CASE WHEN " + doubtful + " THEN 'IN_DOUBT' ELSE 'COMPLETED' END, 'owner', n, 1, n, n,"
                + " 9000000000000 + n, 1, CASE WHEN " + doubtful + " THEN 'unknown' END,"
                + " CASE WHEN " + doubtful + " THEN NULL ELSE 'OMITTED' END, 'not kept', 7 FROM (SELECT " + number
                + ") numbers");
        place.run(
                place.url().contains(":mariadb:")
                        ? "ANALYZE TABLE " + place.table()
                        : "ANALYZE" + (place.url().contains(":h2:") ? " TABLE " : " ") + place.table());
    }
}
