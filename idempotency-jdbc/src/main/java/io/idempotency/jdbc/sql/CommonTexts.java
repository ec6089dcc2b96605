package io.idempotency.jdbc.sql;

import io.idempotency.runtime.store.IdempotencyStore;

/**
 * The texts that all databases share. A text begins with its name at the start of a line, and continues on indented
 * lines. Braces enclose the name of another text; a colon precedes a parameter. Every statement is atomic by itself.
 * Instants are epoch milliseconds by the database's clock at the time of the statement, not of the transaction.
 */
final class CommonTexts {

    static final String TEXTS = """
            columns: {columns_before}, result, {columns_after}
            columns_before: id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms,
             lease_until_ms, settled_at_ms, expires_at_ms, result_kind
            columns_after: result_omitted, result_size, failure_type, failure_message, failure_code, doubt,
             format_version, retention_ms, checksum
            # a result of the wrong length is not fetched
            selected: {columns_before}, CASE WHEN OCTET_LENGTH(result) = result_size AND result_size <= 268435456
             THEN result END AS result, {columns_after}
            # written by operators only, so that it outlives the record and later claims
            all_columns: {columns}, audit, audit_until_ms
            # the least number of characters of each column
            widths: id 64, operation 250, fingerprint 100, owner 64, state 11, result_omitted 500, failure_type 250,
             failure_message 2000, failure_code 100, doubt 500

            # claims a key that is absent; for one that is there it answers nothing, or a duplicate key
            claim_columns: (id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms,
             lease_until_ms, expires_at_ms, retention_ms, result, result_size, format_version, checksum)
            claim_values: :id, :operation, :fingerprint, 'IN_PROGRESS', :owner, {at_us}, 1, {at}, {at} + :lease_ms,
             {at} + :retention_ms, :after_lease_ms, :result, :result_size, {format}, :checksum
            # in a transaction of the caller's
            claim_joined: {claim}
            at: {now}
            at_us: {now_us}
            # MySQL assigns from left to right: columns that others depend on come last
            reclaim: UPDATE {table} SET attempt = CASE WHEN expires_at_ms <= {now} THEN 1 ELSE attempt + 1 END,
             {raised}, operation = :operation, fingerprint = :fingerprint, owner = :owner, state = 'IN_PROGRESS',
             claimed_at_ms = {began}, lease_until_ms = {began} + :lease_ms, settled_at_ms = NULL,
             expires_at_ms = {began} + :retention_ms, retention_ms = :after_lease_ms, {unmarked}
             result_kind = NULL, result_omitted = NULL, failure_type = NULL, failure_message = NULL,
             failure_code = NULL, doubt = NULL, result = :result, result_size = :result_size,
             format_version = {format}, checksum = :checksum WHERE id = :id AND ({claimable})
            # expired, or in doubt and to be taken over; none where the clock jumped
            claimable: {now} <= :latest_ms AND {sound} AND (expires_at_ms <= {now}
             OR (:take_over = 1 AND format_version <= {format} AND operation = :operation
             AND fingerprint = :fingerprint AND owner <> :owner AND result_kind IS NULL AND failure_type IS NULL
             AND ({state} = 'IN_DOUBT' OR ({overdue}))))
            # a caller that waits claims again when the lease ends, and marks the row again
            unmarked:

            # also finds a row that has expired: the condition took PostgreSQL a sixth of a replay
            find: SELECT {selected}, {now} FROM {table}{asked_too} WHERE id = :id
            # sees what was committed since its transaction began
            find_current: {find} {current}
            current:
            # where it changes nothing, it still waits for the standbys
            seen: UPDATE {table} SET doubt = COALESCE(doubt, '{lease_over}') WHERE id = :id AND fence = :fence
             AND ({state} = 'IN_DOUBT' OR ({overdue})) AND format_version <= {format}
            settle: {brief} UPDATE {table} SET {outcome}, {settled} {from_asked} WHERE {held} AND {open} {told}
            release: {brief} UPDATE {table} SET {absent} {from_asked} WHERE {held} AND {never_in_doubt} {told}
            doubt: {brief} UPDATE {table} SET state = 'IN_DOUBT', doubt = :doubt, {settled} {from_asked}
             WHERE {held} AND {state} = 'IN_PROGRESS' {told}
            renew: UPDATE {table} SET doubt = CASE WHEN {standing} THEN doubt ELSE '{renewed_late}' END,
             lease_until_ms = {renewed} + :lease_ms, expires_at_ms = {renewed} + :retention_ms,
             retention_ms = :after_lease_ms WHERE {held} AND {state} = 'IN_PROGRESS'
            # not from a clock that was set back: once that is mended, the lease or the record of a running body were over
            renewed: GREATEST({began}, :expected_ms)
            remove: DELETE FROM {table} WHERE {held}
            # ends a statement that settles a row: notifies waiting callers where the database can
            told:
            # where a dialect has these, a statement also serves many callers, whose values are in columns p_id and so on
            asked_too:
            from_asked:
            brief:

            list_in_progress: SELECT {selected}, {now} FROM {table}
             WHERE state = 'IN_PROGRESS' AND lease_until_ms > {now} AND {listed} ORDER BY state, {page}
            # the index orders the rows of one state
            list_in_doubt: ({list_settled}) UNION ALL (SELECT {selected}, {now} FROM {table}
             WHERE {overdue} AND {listed} ORDER BY state, {page}) ORDER BY {page}
            list_settled: SELECT {selected}, {now} FROM {table}
             WHERE state = :state AND {listed} ORDER BY state, {page}
            listed: {unexpired} AND claimed_at_ms <= {now} - :older_than_ms
             AND (:any_operation = 1 OR operation = :operation)
             AND claimed_at_ms >= :after_ms AND (claimed_at_ms > :after_ms OR id > :after_id)
            page: claimed_at_ms, id LIMIT :limit

            resolve: UPDATE {table} SET {outcome}, {raised}, {settled}, {audited} WHERE {unsettled}
            forget: UPDATE {table} SET {absent}, {audited} WHERE {unsettled}
            erase: UPDATE {table} SET result_kind = :result_kind, result = NULL, result_omitted = :result_omitted,
             result_size = :result_size, failure_message = NULL, failure_code = NULL,
             doubt = COALESCE(:doubt, doubt), {checked}, {audited} WHERE {erasable}
            audit: SELECT audit FROM {table} WHERE id = :id AND (audit_until_ms IS NULL OR audit_until_ms > {now})

            # among the records that expire last, which an index finds
            newest_format: SELECT MAX(format_version) FROM (SELECT format_version FROM {table}
             WHERE expires_at_ms IS NOT NULL ORDER BY expires_at_ms DESC LIMIT 100) newest
            clock: SELECT {now}
            # no claim, list or purge sees this row, and no version of the library reads it as a record
            first_time: INSERT INTO {table} (id, operation, fingerprint, state, owner, fence, attempt, claimed_at_ms,
             lease_until_ms, format_version) VALUES (:id, 'idempotency-clock', '', 'CLOCK', '', 0, 0, {now}, 0, 1)
            keep_time: UPDATE {table} SET claimed_at_ms = {now} WHERE id = :id AND {now} <= :latest_ms
            kept_time: SELECT claimed_at_ms FROM {table} WHERE id = :id
            accepted_timeline: SELECT fence FROM {table} WHERE id = :id
            # the time moves on from then, and nodes that look later report the same
            accept_timeline: UPDATE {table} SET fence = :fence, lease_until_ms = claimed_at_ms
             WHERE id = :id AND fence <> :fence
            promoted_time: SELECT CASE WHEN fence = :fence AND lease_until_ms > 0 THEN lease_until_ms
             ELSE claimed_at_ms END FROM {table} WHERE id = :id

            # false where the expiry was changed by hand: it counts from the settlement, and before from the lease's end
            dated: (format_version < {checked_format}
             OR COALESCE(expires_at_ms = COALESCE(settled_at_ms, lease_until_ms) + retention_ms, FALSE))
            # the same, or kept for ever
            sound: ((expires_at_ms IS NULL AND retention_ms IS NULL) OR {dated})
            unexpired: (expires_at_ms IS NULL OR expires_at_ms > {now})
            # for its owner: while the clock is ahead, no caller is told that a record or a lease is over
            live: (expires_at_ms IS NULL OR expires_at_ms > {now} OR NOT {dated}
             OR ({now} > :latest_ms AND expires_at_ms > 0))
            standing: (lease_until_ms > {now} OR {now} > :latest_ms)
            overdue: {state} = 'IN_PROGRESS' AND lease_until_ms <= {now}
            open: {state} IN ('IN_PROGRESS', 'IN_DOUBT')
            never_in_doubt: {state} = 'IN_PROGRESS' AND {standing} AND doubt IS NULL
            state: state
            plain_state: state
            held: id = :id AND owner = :owner AND fence = :fence AND {live} AND format_version <= {format}
            unsettled: id = :id AND fence = :fence AND ({state} = 'IN_DOUBT' OR ({overdue})) AND {unexpired}
             AND {sound} AND format_version <= {format}
            # as it was read: an owner that came back, or another erasure, changed state, lease or checksum
            erasable: id = :id AND fence = :fence
             AND (format_version < {checked_format} OR checksum IS NULL OR checksum = :seen_checksum)
             AND ({state} = :state OR (:state = 'IN_DOUBT' AND {overdue})) AND {unexpired} AND {sound}
             AND format_version <= {format}
            # keeps a young fence: after a wait, or by a clock that was set back, a claim may come with an older reading
            purgeable: expires_at_ms <= {now} AND {now} <= :latest_ms AND fence <= {now_us} - :fence_memory_us
             AND {dated} AND {unaudited}
            unaudited: (audit IS NULL OR audit_until_ms <= {now})

            # not before it was claimed: if the clock was set back, it would be forgotten when that is mended
            settled: settled_at_ms = GREATEST({began}, claimed_at_ms),
             expires_at_ms = GREATEST({began}, claimed_at_ms) + :retention_ms, retention_ms = :retention_ms
            # the row stays until it is purged: the next claim gets a higher fence under the row's lock
            absent: settled_at_ms = 0, expires_at_ms = 0, retention_ms = 0, result = NULL, result_size = NULL
            # COALESCE gives the parameter a type, which CONCAT alone does not
            audited: audit = CONCAT(CASE WHEN audit_until_ms <= {now} THEN '' ELSE COALESCE(audit, '') END,
             COALESCE(:audit, '')), audit_until_ms = {now} + :audit_ms
            raised: fence = GREATEST(fence + 1, {now_us})
            # until then, the columns of the result hold the arguments of the claim
            outcome: state = :state, result_kind = :result_kind, result = :result,
             result_omitted = :result_omitted, result_size = :result_size, failure_type = :failure_type,
             failure_message = :failure_message, failure_code = :failure_code, doubt = NULL, {checked}
            # the claim's checksum is there already
            checked: checksum = checksum + :checksum
            # the clock, the same everywhere in one statement: for values that have to agree
            began: {now}

            duplicate_key: 23505 23000 23001
            rolled_back: 40
            cannot_tell: none
            unsupported: 42 0A
            not_serving: 57P 53300
            rejected: 22 54 23513 23514

            # at this level a statement is not rolled back in favour of others
            calm: SET TRANSACTION ISOLATION LEVEL READ COMMITTED
            lock_wait_unit_ms: 1
            """
            + "checked_format: " + Statements.CHECKED_FORMAT
            + "\nformat: " + Statements.FORMAT
            + "\nlease_over: " + IdempotencyStore.LEASE_OVER
            + "\nrenewed_late: " + IdempotencyStore.RENEWED_LATE
            + '\n';

    private CommonTexts() {}
}
