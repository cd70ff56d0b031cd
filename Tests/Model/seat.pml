/* The hand-over of readings from the broker to the database, by two Ingestors of which one has the seat.
 *
 * Each `atomic` is one statement or transaction of PostgreSQL, one packet exchange with the broker, or one fault; its
 * comment names what it stands for. Sets of readings are bit masks, in the order in which they were published.
 *
 * A holder is evicted on suspicion, also one that is well. What does that without end is not a hand-over, so a bound is on it.
 *
 * Guards that can be taken out: ACKNOWLEDGE_FIRST, NO_KEY, QUEUE_REPETITIONS, NO_EVICTION, NO_SEAT, OWN_SESSIONS. */
#include "promise.h"

#ifdef LIVENESS
#define READINGS 2
#else
#define READINGS 3
#endif
#define ALL ((1 << READINGS) - 1)
#ifndef FAULTS
#define FAULTS 2
#endif
/* The number of evictions of an Ingestor that is not frozen. */
#define SUSPICIONS 2

/* The broker: one durable session, in which a reading waits, is under way to a client, or was acknowledged. */
byte published, waiting, acknowledged;
byte under_way[3];
byte repeated; /* sent before: its DUP flag is set from now on */
bool connected[3];

/* The database. */
byte stored, queued;    /* the samples, and the readings whose batch was queued */
byte holder;            /* the holder of the seat's advisory lock; 0 for none */
bool in_transaction[3];
byte inserted[3];       /* rows not committed yet */
bool commit_sent[3];    /* the commit waits for the disk and the synchronous standby, whatever its client does */
bool commit_heard[3];   /* the commit's answer has arrived */

/* The Ingestors. */
mtype = { standing_by, seated, reading, storing, committing, acknowledging };
mtype phase[3] = standing_by;
byte batch[3];
bool carefully[3];
bool frozen[3];

#ifdef NO_SEAT
#define IS_FREE true
#else
#define IS_FREE (holder == 0)
#endif

byte faults, suspicions;

/* Section 5 of the design. */
bool stored_before_acknowledged = true;
bool counted_once = true;
bool stored_in_order = true;

#ifdef LIVENESS
/* A published reading is stored and acknowledged in the end. */
ltl every_reading_is_stored { <> (acknowledged == ALL && stored == ALL) }
#endif

inline roll_back(i) {
    in_transaction[i] = false;
    commit_sent[i] = false;
    inserted[i] = 0
}

/* A session ends: a commit that waits for the standby still happens, but its answer is lost. */
inline end_session(i) {
    if
    :: commit_sent[i] -> commit(i)
    :: else -> roll_back(i)
    fi;
    commit_heard[i] = false
}

/* The connection ends; the session stays, with everything that its client has not acknowledged. */
inline hang_up(i) {
    connected[i] = false;
    repeated = repeated | under_way[i];
#ifndef OWN_SESSIONS
    waiting = waiting | under_way[i];
    under_way[i] = 0
#endif
}

/* Seat.hold ends: connections are closed, and work in progress is cancelled. */
inline leave(i) {
    if
    :: holder == i -> holder = 0
    :: else
    fi;
    end_session(i);
    hang_up(i);
    batch[i] = 0;
    carefully[i] = false;
    phase[i] = standing_by
}

/* BatchTransaction.finish, COMMIT: samples and the batches of those that are new, or nothing. */
inline commit(i) {
#ifdef QUEUE_REPETITIONS
    PROMISE(counted_once, (batch[i] & queued) == 0);
    queued = queued | batch[i];
#else
    PROMISE(counted_once, (inserted[i] & queued) == 0);
    queued = queued | inserted[i];
#endif
    stored = stored | inserted[i];
    /* Every reading published before a stored one is stored as well. */
    PROMISE(stored_in_order, (stored & (stored + 1)) == 0);
    roll_back(i)
}

active proctype Device() {
    byte next = 1;
    do
    :: atomic {
        next <= ALL ->
        published = published | next;
        waiting = waiting | next;
        next = next << 1
       }
    :: next > ALL -> break
    od
}

proctype Ingestor(byte i) {
    byte lowest;
end:
    do
    /* TakeSeat: pg_try_advisory_lock, for as long as the connection lives. */
    :: atomic {
        !frozen[i] && phase[i] == standing_by && IS_FREE ->
        holder = i;
        phase[i] = seated
       }

#ifndef NO_EVICTION
    /* EvictHolder: SeatWatch has seen no change in the seat's row for 20 seconds. Its holder is frozen, or seems to be. */
    :: atomic {
        !frozen[i] && phase[i] == standing_by && holder == OTHER(i) && (frozen[OTHER(i)] || suspicions < SUSPICIONS) ->
        if
        :: frozen[OTHER(i)]
        :: else -> suspicions++
        fi;
        holder = 0;
        end_session(OTHER(i))
       }
#endif

    /* Seat.hold, every five seconds: RecordSeat fails where the lock was lost with its connection. */
#ifndef NO_SEAT
    :: atomic { !frozen[i] && phase[i] != standing_by && holder != i -> leave(i) }
#endif

    /* Seating.work: CONNECT with the session's name, which ends any other connection of that name; SUBSCRIBE. */
    :: atomic {
        !frozen[i] && phase[i] == seated ->
#ifdef OWN_SESSIONS
        waiting = waiting | under_way[i];
        under_way[i] = 0;
#else
        if
        :: connected[OTHER(i)] -> hang_up(OTHER(i))
        :: else
        fi;
#endif
        connected[i] = true;
        phase[i] = reading
       }

    /* MQTTConsumer.receive: what waits, in order, or the beginning of it. */
    :: atomic {
        !frozen[i] && phase[i] == reading && connected[i] && waiting != 0 ->
        if
        :: batch[i] = waiting
        :: lowest = 1;
           do
           :: (waiting & lowest) == 0 -> lowest = lowest << 1
           :: else -> break
           od;
           batch[i] = lowest;
           lowest = 0
        fi;
        waiting = waiting & ~batch[i];
        under_way[i] = batch[i];
        carefully[i] = (batch[i] & repeated) != 0; /* IngestBatch.mayRepeat */
#ifdef ACKNOWLEDGE_FIRST
        PROMISE(stored_before_acknowledged, (batch[i] & ~stored) == 0);
        acknowledged = acknowledged | batch[i];
#endif
        phase[i] = storing
       }

    /* BatchWriter.attempt, the fast way or the careful one. A row that another transaction has inserted is waited for. */
    :: atomic {
        !frozen[i] && phase[i] == storing && (inserted[OTHER(i)] & batch[i]) == 0 ->
#ifdef NO_KEY
        inserted[i] = batch[i];
#else
        inserted[i] = batch[i] & ~stored;
#endif
        if
        :: !carefully[i] && inserted[i] != batch[i] -> /* CopySamples: uniqueViolation */
           inserted[i] = 0;
           carefully[i] = true
        :: else ->
           in_transaction[i] = true;
           phase[i] = committing
        fi
       }

    /* COMMIT is sent. */
    :: atomic { !frozen[i] && phase[i] == committing && in_transaction[i] && !commit_sent[i] -> commit_sent[i] = true }

    /* The answer of COMMIT arrives. */
    :: atomic {
        !frozen[i] && phase[i] == committing && commit_heard[i] ->
        commit_heard[i] = false;
        phase[i] = acknowledging
       }

    /* The connection was lost before or during COMMIT: BatchWriter.untilItSucceeds tries again, carefully. */
    :: atomic {
        !frozen[i] && phase[i] == committing && !in_transaction[i] && !commit_heard[i] ->
        carefully[i] = true;
        phase[i] = storing
       }

    /* MQTTConsumer.acknowledge: PUBACKs leave. */
    :: atomic {
        !frozen[i] && phase[i] == acknowledging && connected[i] ->
#ifndef ACKNOWLEDGE_FIRST
        PROMISE(stored_before_acknowledged, (batch[i] & ~stored) == 0);
        acknowledged = acknowledged | batch[i];
#endif
        under_way[i] = 0;
        batch[i] = 0;
        phase[i] = reading
       }

    /* The broker has ended the connection: MQTTError, the seat is given up, and Seating tries again. */
    :: atomic { !frozen[i] && (phase[i] == reading || phase[i] == acknowledging) && !connected[i] -> leave(i) }
    od
}

active proctype Server() {
end:
    do
    /* idle_in_transaction_session_timeout: the session of one that is frozen within a transaction ends. */
    :: atomic { frozen[1] && in_transaction[1] && !commit_sent[1] -> roll_back(1) }
    :: atomic { frozen[2] && in_transaction[2] && !commit_sent[2] -> roll_back(2) }
    /* A commit ends: the disk and the standby have it. */
    :: atomic { commit_sent[1] -> commit(1); commit_heard[1] = true }
    :: atomic { commit_sent[2] -> commit(2); commit_heard[2] = true }
    od
}

/* The server is gone. A commit without an answer may have happened. */
inline lose_connection(i) {
    if
    :: in_transaction[i] -> commit(i)
    :: roll_back(i)
    fi;
    commit_heard[i] = false;
    if
    :: holder == i -> holder = 0
    :: else
    fi
}

inline harm(i) {
    if
    /* Killed, and started again. */
    :: frozen[i] = false; leave(i)
    /* Frozen, perhaps for ever; at most one of the two. */
    :: !frozen[i] && !frozen[OTHER(i)] -> frozen[i] = true
    /* A connection to the database breaks during COMMIT. */
    :: in_transaction[i] ->
       if
       :: commit(i)
       :: roll_back(i)
       fi
    /* The connection breaks before the answer arrives. */
    :: commit_heard[i] -> commit_heard[i] = false
    /* The connection that holds the seat breaks. */
    :: holder == i -> holder = 0
    /* The connection to the broker breaks. */
    :: connected[i] -> hang_up(i)
    fi;
    faults++
}

active proctype Faults() {
end:
    do
    :: atomic { faults < FAULTS -> harm(1) }
    :: atomic { faults < FAULTS -> harm(2) }
    /* A synchronous standby is promoted. */
    :: atomic { faults < FAULTS -> lose_connection(1); lose_connection(2); faults++ }
    /* A frozen Ingestor goes on sooner or later, or never. */
    :: atomic { frozen[1] -> frozen[1] = false }
    :: atomic { frozen[2] -> frozen[2] = false }
    :: frozen[1] || frozen[2] -> skip
    od
}

init {
    atomic { run Ingestor(1); run Ingestor(2) }
}
