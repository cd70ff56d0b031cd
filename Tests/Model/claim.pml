/* The hand-over of one slot's batches to two rules engines, and of the slot from one engine to the other.
 *
 * Each `atomic` is one statement or transaction of PostgreSQL, or one fault; its comment names what it stands for. A batch
 * holds one reading; readings 1 to 3 are of one device, in order: in range, out of range, in range. Sets of readings are bit
 * masks.
 *
 * FLOORS adds the floors of the queue, for one engine; reading 3 is of another device, and comes by a way of its own
 * (another Ingestor, or HTTP). OVERTAKING lets reading 3, of the same device, come by a way of its own.
 *
 * Guards that can be taken out: NO_LOCK, SPLIT_CLAIM, NO_VERSION, KEEP_MEMORY, NOT_DURABLE, NO_LOOK, NO_TAKEOVER,
 * NO_TIMEOUT; of FLOORS: FLOOR_AT_NEWEST. */
#include "promise.h"

#ifdef FLOOR_AT_NEWEST
#define FLOORS
#endif
#ifdef LIVENESS
#define READINGS 2
#else
#define READINGS 3
#endif
#define ALL ((1 << READINGS) - 1)
#define BIT(r) (1 << ((r) - 1))
#define IS_OUT(r) ((r) == 2)
#ifdef FLOORS
#define IS_OF_A(r) ((r) < 3)
#else
#define IS_OF_A(r) true
#endif
/* The last reading that comes by the first way. */
#if defined(FLOORS) || defined(OVERTAKING)
#define LAST 2
#else
#define LAST READINGS
#endif
#ifndef FAULTS
#define FAULTS 1
#endif

/* The database as transactions see it. */
byte drawn;                /* the last value of the batches' sequence */
byte number[READINGS + 1]; /* each reading's batch; it also stands for the time of receipt */
byte stored;               /* committed samples */
byte waiting;              /* committed batches that no committed claim has deleted */
byte version = 1;          /* slot.state_version */
byte lock;                 /* the holder of the slot's row; 0 for none */
bool episode;              /* of device A */
bool charged;              /* its throttle */

/* The part that survives a crash: claims that are not durable may be missing. */
byte kept_waiting, kept_decided, kept_newest;
byte kept_version = 1;
bool kept_episode, kept_charged;

/* Two writers, each with one open transaction at most. */
byte writing[3]; /* the reading whose batch is inserted, not committed */
byte next[3];

/* The engines. */
mtype = { away, at_rest, noting, claimed, taken_, loaded };
mtype phase[3] = away;
bool frozen[3];
bool connected[3];    /* whether the engine's session at the server lives */
bool told[3];         /* WaitingSlots has the slot */
bool left[3];         /* OthersSlots has the slot */
bool overdue[3];
byte seen[3];         /* the oldest batch at the last look at others' slots */
byte taken[3];
byte known[3];        /* SlotMemory.stateVersion; 0 for none */
bool remembers[3];    /* device A is in memory, with the next two */
byte mark[3];         /* the device's newest evaluated reading */
bool is_open[3];      /* whether an episode is open */
byte newest[3], candidate[3], settled[3], floor[3]; /* BatchFloors */
byte writers[3];      /* bit mask of the transactions that the candidate waits for */

byte faults;

/* The decisions, for the promises. */
byte decided;         /* the readings of committed claims */
byte newest_decided;  /* of device A */
byte alerts;          /* alerts that a notifier may have sent */

/* Section 5 of the design. */
bool decided_once = true;
bool decided_in_order = true;
bool oldest_first = true;
bool two_decide_as_one = true;
bool told_once = true;

#ifdef LIVENESS
/* Each committed reading is evaluated in the end, even if notifications are lost. */
ltl every_reading_is_decided { <> [] (decided == ALL) }
#endif

/* Not part of the state: each is set and used without a choice in between. */
hidden byte r, lowest, before;
bool changes;

/* COMMIT that waits for the disk and the synchronous standby: whatever was committed before is kept as well. */
inline flush() {
    kept_waiting = waiting;
    kept_decided = decided;
    kept_newest = newest_decided;
    kept_version = version;
    kept_episode = episode;
    kept_charged = charged
}

/* The number of the oldest batch above a floor; 255 for none. */
inline find_oldest(above) {
    d_step {
        lowest = 255;
        for (r : 1 .. READINGS) {
            if
            :: (waiting & BIT(r)) != 0 && number[r] > above && number[r] < lowest -> lowest = number[r]
            :: else
            fi
        }
    }
}

inline end_writing(w) {
    writing[w] = 0;
    writers[1] = writers[1] & ~(1 << w);
    writers[2] = writers[2] & ~(1 << w)
}

/* BatchTransaction.finish, COMMIT: a sample, its batch, and a notification to whoever listens. */
inline commit_batch(w) {
    waiting = waiting | BIT(writing[w]);
    stored = stored | BIT(writing[w]);
    end_writing(w);
    next[w]++;
    flush()
}

/* A writer: an Ingestor that works until it has committed. It may take any time between two steps. */
proctype Writer(byte w; byte last) {
    do
    /* AddEvaluationBatches: locks the table, draws the number. */
    :: atomic {
        next[w] <= last && writing[w] == 0 ->
        drawn++;
        number[next[w]] = drawn;
        writing[w] = next[w]
       }
    :: atomic {
        writing[w] != 0 ->
        commit_batch(w);
        /* A notification may be lost. */
        if
        :: true
        :: told[1] = true
        :: told[2] = true
        :: told[1] = true; told[2] = true
        fi
       }
    :: next[w] > last && writing[w] == 0 -> break
    od
}

/* The transaction ends, committed or not. */
inline end_claim(e) {
    taken[e] = 0;
    if
    :: lock == e -> lock = 0
    :: else
    fi
}

inline forget(e) {
    remembers[e] = false;
    mark[e] = 0;
    is_open[e] = false
}

/* RulesEngine.serve: the connection is lost, and with it the memory and the view of the queue. */
inline go_away(e) {
    end_claim(e);
    connected[e] = false;
    told[e] = false;
    left[e] = false;
    overdue[e] = false;
    seen[e] = 0;
    newest[e] = 0;
    candidate[e] = 0;
    settled[e] = 0;
    floor[e] = 0;
    writers[e] = 0;
#ifndef KEEP_MEMORY
    known[e] = 0;
    forget(e);
#endif
    phase[e] = away
}

/* Claim.decide for each message, in the order of its batch; writing, CountDecisions and COMMIT. */
inline commit_claim(e) {
    d_step {
        changes = false;
        PROMISE(decided_once, (decided & taken[e]) == 0);
        lowest = 0;
        do
        :: before = 255;
           for (r : 1 .. READINGS) {
               if
               :: (taken[e] & BIT(r)) != 0 && number[r] > lowest && number[r] < before -> before = number[r]
               :: else
               fi
           }
           lowest = before;
           if
           :: before == 255 -> break
           :: else
           fi;
           r = 1;
           do
           :: number[r] == lowest && (taken[e] & BIT(r)) != 0 -> break
           :: else -> r++
           od;
           if
           :: IS_OF_A(r) ->
              /* Only readings that are not newer are superseded. */
              PROMISE(decided_in_order, (r > mark[e]) == (r > newest_decided));
              if
              :: r > mark[e] ->
                 mark[e] = r;
                 newest_decided = r;
                 if
                 :: IS_OUT(r) ->
                    changes = true;
                    is_open[e] = true;
                    episode = true;
                    if
                    :: !charged ->
                       charged = true;
                       alerts++;
                       PROMISE(told_once, alerts == 1)
                    :: else
                    fi
                 :: !IS_OUT(r) && is_open[e] ->
                    changes = true;
                    is_open[e] = false;
                    episode = false
                 :: else /* WatchedDevice.concern: the reading changes nothing */
                 fi;
                 PROMISE(two_decide_as_one, episode == IS_OUT(r))
              :: else
              fi
           :: else
           fi
        od;
        decided = decided | taken[e];
        waiting = waiting & ~taken[e];
        version++;
        known[e]++
    }
    if
#ifndef NOT_DURABLE
    :: changes -> flush() /* MakeDurable */
    :: !changes
#else
    :: true
#endif
    :: flush() /* written in the background */
    fi;
    changes = false;
    end_claim(e)
}

proctype Engine(byte e) {
end:
    do
    /* RulesEngine.serve: a new connection asks for all slots. */
    :: atomic {
        !frozen[e] && phase[e] == away ->
        connected[e] = true;
        told[e] = true;
        phase[e] = at_rest
       }

    /* The session has ended: the next statement fails. */
    :: atomic { !frozen[e] && phase[e] != away && !connected[e] -> go_away(e) }

#ifndef NO_LOOK
#ifdef FLOORS
    /* RulesEngine.look: FindNewestBatch, then FindQueueWriters, then FindWaitingBatches above the floor or, once a minute,
       all of them; BatchFloors. */
    :: atomic {
        !frozen[e] && phase[e] == at_rest && connected[e] ->
        newest[e] = drawn;
        phase[e] = noting
       }
    :: atomic {
        !frozen[e] && phase[e] == noting && connected[e] ->
#ifdef FLOOR_AT_NEWEST
        settled[e] = newest[e];
#else
        if
        :: candidate[e] == 0 ->
           candidate[e] = newest[e];
           writers[e] = (writing[1] != 0 -> 2 : 0) | (writing[2] != 0 -> 4 : 0)
        :: else
        fi;
        if
        :: writers[e] == 0 ->
           settled[e] = candidate[e];
           candidate[e] = 0
        :: else
        fi;
#endif
        newest[e] = 0;
        if
        :: before = floor[e]
        :: before = 0
        fi;
        find_oldest(before);
        floor[e] = (lowest <= settled[e] -> lowest - 1 : settled[e]);
        told[e] = told[e] || lowest != 255;
        phase[e] = at_rest
       }
#else
    /* RulesEngine.look: FindWaitingBatches. */
    :: atomic {
        !frozen[e] && phase[e] == at_rest && connected[e] && !told[e] && waiting != 0 ->
        told[e] = true
       }
#endif
#endif

    /* Of a slot that is left to the other engine: FindWaitingBatches. The same batch at two looks is overdue. */
    :: atomic {
        !frozen[e] && phase[e] == at_rest && connected[e] && told[e] && left[e] && !overdue[e] ->
        find_oldest(floor[e]);
#ifndef NO_TAKEOVER
        overdue[e] = (lowest != 255 && lowest == seen[e]);
#endif
        seen[e] = (overdue[e] || lowest == 255 -> 0 : lowest);
        told[e] = overdue[e]
       }

    /* ClaimSlots: FOR UPDATE SKIP LOCKED, at the version that is known; SlotMemory.validate. */
    :: atomic {
        !frozen[e] && phase[e] == at_rest && connected[e] && told[e] && (!left[e] || overdue[e]) ->
        told[e] = false;
        if
#ifndef NO_LOCK
        :: lock != 0 || (known[e] != 0 && !overdue[e] && version != known[e]) -> left[e] = true
        :: lock == 0 && (known[e] == 0 || overdue[e] || version == known[e]) ->
           lock = e;
#else
        :: known[e] != 0 && !overdue[e] && version != known[e] -> left[e] = true
        :: known[e] == 0 || overdue[e] || version == known[e] ->
#endif
           left[e] = false;
           seen[e] = 0;
           if
#ifndef NO_VERSION
           :: version != known[e] -> forget(e)
#endif
           :: else
           fi;
           known[e] = version;
           phase[e] = claimed
        fi;
        overdue[e] = false
       }

    /* TakeBatches: a snapshot of its own, after the lock. */
    :: atomic {
        !frozen[e] && phase[e] == claimed && connected[e] ->
        d_step {
            for (r : 1 .. READINGS) {
                if
                :: (waiting & BIT(r)) != 0 && number[r] > floor[e] -> taken[e] = taken[e] | BIT(r)
                :: else
                fi
            }
            /* No older batch is left behind. */
            PROMISE(oldest_first, taken[e] == 0 || (waiting & ~taken[e]) == 0)
        }
#ifdef SPLIT_CLAIM
        waiting = waiting & ~taken[e];
        flush();
#endif
        if
        :: taken[e] == 0 ->
           end_claim(e);
           phase[e] = at_rest
        :: else -> phase[e] = taken_
        fi
       }

    /* MemoryLoader.load: FindOldestBatches, FindNewestEvaluated, LoadOpenEpisodes. What was received before the oldest batch
       that waits was evaluated. */
    :: atomic {
        !frozen[e] && phase[e] == taken_ && connected[e] ->
        d_step {
            before = 255;
            for (r : 1 .. READINGS) {
                if
                :: ((waiting | taken[e]) & BIT(r)) != 0 && number[r] < before -> before = number[r]
                :: else
                fi
            }
            for (r : 1 .. READINGS) {
                if
                :: !remembers[e] && IS_OF_A(r) && (stored & BIT(r)) != 0 && number[r] < before && r > mark[e] -> mark[e] = r
                :: else
                fi
            }
            for (r : 1 .. READINGS) {
                if
                :: !remembers[e] && IS_OF_A(r) && (taken[e] & BIT(r)) != 0 ->
                   remembers[e] = true;
                   is_open[e] = episode
                :: else
                fi
            }
            if
            :: !remembers[e] -> mark[e] = 0
            :: else
            fi
        }
        phase[e] = loaded
       }

    :: atomic {
        !frozen[e] && phase[e] == loaded && connected[e] ->
        commit_claim(e);
        told[e] = true;
        phase[e] = at_rest
       }
    od
}

/* idle_in_transaction_session_timeout: the session of an engine that is frozen within a claim ends. */
active proctype Server() {
end:
    do
#ifndef NO_TIMEOUT
    :: atomic { frozen[1] && lock == 1 -> end_claim(1); connected[1] = false }
    :: atomic { frozen[2] && lock == 2 -> end_claim(2); connected[2] = false }
#else
    :: false
#endif
    od
}

/* The connection of an engine breaks, during COMMIT or at any other time. */
inline cut(e) {
    if
    :: phase[e] == loaded -> commit_claim(e)
    :: end_claim(e)
    fi;
    connected[e] = false
}

/* A writer's transaction ends with an unknown outcome. The writer stores again what is missing. */
inline cut_writer(w) {
    if
    :: writing[w] != 0 -> commit_batch(w)
    :: writing[w] != 0 -> end_writing(w)
    :: writing[w] == 0
    fi
}

/* A synchronous standby is promoted, or the server crashes: claims that did not wait for it may be lost. */
inline promote() {
    cut_writer(1);
    cut_writer(2);
    cut(1);
    cut(2);
    if
    :: true
    :: waiting = kept_waiting;
       decided = kept_decided;
       newest_decided = kept_newest;
       version = kept_version;
       episode = kept_episode;
       charged = kept_charged
    fi;
    flush()
}

active proctype Faults() {
end:
    do
    /* Killed, and started again. */
    :: atomic { faults < FAULTS -> go_away(1); frozen[1] = false; faults++ }
    :: atomic { faults < FAULTS -> go_away(2); frozen[2] = false; faults++ }
    :: atomic { faults < FAULTS -> cut(1); faults++ }
    :: atomic { faults < FAULTS -> cut(2); faults++ }
    :: atomic { faults < FAULTS && writing[1] != 0 -> cut_writer(1); faults++ }
    :: atomic { faults < FAULTS && writing[2] != 0 -> cut_writer(2); faults++ }
    :: atomic { faults < FAULTS -> promote(); faults++ }
    /* An engine is frozen, and goes on sooner or later, or never. */
    :: atomic { faults < FAULTS && !frozen[2] -> frozen[1] = true; faults++ }
    :: atomic { faults < FAULTS && !frozen[1] -> frozen[2] = true; faults++ }
    :: atomic { frozen[1] -> frozen[1] = false }
    :: atomic { frozen[2] -> frozen[2] = false }
    :: frozen[1] || frozen[2] -> skip
    od
}

init {
    atomic {
        next[1] = 1;
        next[2] = LAST + 1;
        run Writer(1, LAST);
        run Writer(2, READINGS);
        run Engine(1);
#ifndef FLOORS
        run Engine(2)
#endif
    }
}
