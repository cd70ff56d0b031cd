/* The hand-over of a throttle, which is that of one side of a watch, between the engine that charges it and the notifiers that
 * settle it, when two of them end the last two deliveries of one alert.
 *
 * Each `atomic` is one statement of PostgreSQL (READ COMMITTED: it sees what was committed before it, and what its own
 * transaction did), or one fault; its comment names it. Alert 1 has two deliveries, one leased by each notifier. The engine
 * makes further ones while the throttle is free; each of these has one delivery, which notifier 2 sends. The interval passes
 * once, perhaps while an alert is on its way: people may set a short one.
 *
 * One alert may be critical: it breaks through the throttle and takes over the charge. UNRECORDED lets a notifier be killed
 * between an answer and its record.
 *
 * Guards that can be taken out: NO_ALERT_LOCK, LOCK_ONE (of a critical alert and those before it), REFUND_ANY, KEEP_CHARGE (of a
 * critical alert that nobody got), FORGET_AMBIGUITY, IGNORE_THROTTLE. */
#include "promise.h"

#define ALERTS 3
#ifndef FAULTS
#define FAULTS 2
#endif

/* The stored deliveries, and whether the receivers have them. */
mtype = { none, pending, accepted, ambiguous, failed };
mtype delivery[ALERTS + 2] = none; /* 1 and 2: of alert 1; 3: of alert 2; 4: of alert 3 */
bool received[ALERTS + 2];
#define ALERT_OF(d) ((d) < 3 -> 1 : (d) - 1)

/* Alerts: whether their deliveries have ended, and whether one was accepted. */
mtype = { unknown, sending, delivered, undelivered };
mtype alert[ALERTS + 1] = unknown;
byte lock[ALERTS + 1]; /* the holder of the alert's row */
byte charge;           /* the throttle: the alert that charged it; 0: free */
byte charge_lock;      /* the holder of the throttle's row */
byte made;             /* the number of alerts */
byte first = 1;        /* the first alert of the present interval */
byte critical;         /* the alert that broke through; 0: none did */

/* The notifiers: each records one result at a time. */
mtype = { idle, answered, locked, recorded, judged, settled };
mtype phase[3] = idle;
byte current[3];       /* the delivery */
mtype result[3] = none;
mtype verdict[3] = unknown;
#define AS_IT_WAS 9
byte charge_next[3] = AS_IT_WAS;

byte faults;

/* Section 4 and 5 of the design. */
bool at_most_one_in_the_interval = true;
bool who_was_not_told_is_alerted = true;

#ifdef LIVENESS
/* Each alert ends, and the throttle of an alert that nobody got is free again. */
ltl every_alert_settles { [] (alert[1] == sending -> <> (alert[1] != sending)) }
#endif

#define HAS_ENDED(d) (delivery[d] != none && delivery[d] != pending)
#ifdef FORGET_AMBIGUITY
#define IS_YES(result) ((result) == accepted)
#else
#define IS_YES(result) ((result) == accepted || (result) == ambiguous)
#endif
#ifdef IGNORE_THROTTLE
#define IS_FREE(charged_by) true
#else
#define IS_FREE(charged_by) ((charged_by) < first)
#endif
#define WAS_TOLD(a) ((a) == 1 -> received[1] || received[2] : received[(a) + 1])

/* Whether the delivery is a critical alert's, while the earlier alert `a` is on its way. */
#ifdef LOCK_ONE
#define BROKE_THROUGH(d, a) false
#else
#define BROKE_THROUGH(d, a) (ALERT_OF(d) == critical && (a) < critical && alert[a] == sending)
#endif
#define CAN_LOCK(d) (lock[ALERT_OF(d)] == 0 && (!BROKE_THROUGH(d, 1) || lock[1] == 0) && (!BROKE_THROUGH(d, 2) || lock[2] == 0))

inline unlock(n) {
    byte l;
    for (l : 1 .. ALERTS) {
        if
        :: lock[l] == n -> lock[l] = 0
        :: else
        fi
    }
    l = 0;
    if
    :: charge_lock == n -> charge_lock = 0
    :: else
    fi;
    charge_next[n] = AS_IT_WAS
}

/* ROLLBACK, because the connection ended. */
inline roll_back(n) {
    unlock(n);
    verdict[n] = unknown;
    phase[n] = answered
}

/* BrokenThrough: the charge of a critical alert goes back to the newest one before it that was told or is being sent. */
inline give_back(n) {
    charge_lock = n;
    if
#if !defined(KEEP_CHARGE) && !defined(REFUND_ANY)
    :: charge == critical && critical == 3 && alert[2] != undelivered -> charge_next[n] = 2
    :: charge == critical && critical == 3 && alert[2] == undelivered && alert[1] != undelivered -> charge_next[n] = 1
    :: charge == critical && critical == 2 && alert[1] != undelivered -> charge_next[n] = 1
#endif
    :: else -> charge_next[n] = 0
    fi
}

inline commit(n) {
    delivery[current[n]] = result[n];
    if
    :: verdict[n] != unknown -> alert[ALERT_OF(current[n])] = verdict[n]
    :: else
    fi;
    if
    :: charge_next[n] != AS_IT_WAS -> charge = charge_next[n]
    :: else
    fi;
    PROMISE(who_was_not_told_is_alerted, charge == 0 || alert[charge] != undelivered);
    unlock(n);
    verdict[n] = unknown
}

inline finish(n) {
    current[n] = 0;
    result[n] = none;
    phase[n] = idle
}

proctype Notifier(byte n) {
    byte d;
end:
    do
    /* A delivery that is leased is sent, and its last answer comes: 2xx; silence, though the receiver may have it; or a
       refusal until it is stale. One that is cancelled, because what it says is over, ends as if it were refused. */
    :: atomic {
        if
        :: phase[n] == idle && delivery[n] == pending -> d = n
        :: phase[n] == idle && n == 2 && delivery[3] == pending -> d = 3
        :: phase[n] == idle && n == 2 && delivery[4] == pending -> d = 4
        fi;
        current[n] = d;
        if
        :: received[d] = true; result[n] = accepted
        :: received[d] = true; result[n] = ambiguous
        :: result[n] = ambiguous
        :: result[n] = failed
        fi;
        d = 0;
        phase[n] = answered
       }

    /* LockAlerts: FOR UPDATE, which waits; in the order of the alerts, so that one step stands for all. */
    :: atomic {
#ifdef NO_ALERT_LOCK
        phase[n] == answered ->
#else
        phase[n] == answered && CAN_LOCK(current[n]) ->
        if
        :: BROKE_THROUGH(current[n], 1) -> lock[1] = n
        :: else
        fi;
        if
        :: BROKE_THROUGH(current[n], 2) -> lock[2] = n
        :: else
        fi;
        lock[ALERT_OF(current[n])] = n;
#endif
        phase[n] = locked
       }

    /* RecordAttempts: if it is pending; the row is this notifier's. An earlier COMMIT may have happened unheard. */
    :: atomic { phase[n] == locked -> phase[n] = recorded }

    /* JudgeAlerts: sees this transaction's result, and those that others have committed. */
    :: atomic {
        phase[n] == recorded ->
        if
        :: current[n] < 3 && !HAS_ENDED(3 - current[n]) -> verdict[n] = unknown
        :: current[n] < 3 && HAS_ENDED(3 - current[n]) ->
           verdict[n] = (IS_YES(delivery[3 - current[n]]) || IS_YES(result[n]) -> delivered : undelivered)
        :: current[n] >= 3 -> verdict[n] = (IS_YES(result[n]) -> delivered : undelivered)
        fi;
        phase[n] = judged
       }

    /* SettleAlerts: finds the charge that is this alert's, as it was committed, and locks it. */
#ifdef REFUND_ANY
#define REFUNDS(n) (verdict[n] == undelivered)
#else
#define REFUNDS(n) (verdict[n] == undelivered && charge == ALERT_OF(current[n]))
#endif
    :: atomic { phase[n] == judged && !REFUNDS(n) -> phase[n] = settled }
    :: atomic {
        phase[n] == judged && REFUNDS(n) && charge_lock == 0 ->
        give_back(n);
        phase[n] = settled
       }

    :: atomic {
        phase[n] == settled ->
        commit(n);
        finish(n)
       }
    od
}

/* The engine. The slot's lock lets one decide at a time, so one engine stands for both. */
active proctype Engine() {
    byte charged_by, a;
    bool told;
end:
    do
    :: atomic {
        made < ALERTS ->
        /* LoadThrottles; then, in later statements, AddAlerts, ChargeThrottles, COMMIT. */
        charged_by = charge
       };
       atomic {
        charge_lock == 0 ->
        if
        /* A reading out of range, while the throttle is free. */
        :: IS_FREE(charged_by) ->
           for (a : first .. made) {
               told = told || WAS_TOLD(a) || alert[a] == sending
           }
           PROMISE(at_most_one_in_the_interval, !told);
           made++;
           charge = made;
           alert[made] = sending;
           delivery[made + 1] = pending
        /* A reading beyond the critical limit, which breaks through once for each episode. */
        :: made > 0 && critical == 0 ->
           made++;
           critical = made;
           charge = made;
           alert[made] = sending;
           delivery[made + 1] = pending
        :: else
        fi;
        if
        :: made == 1 && delivery[1] == none -> delivery[1] = pending
        :: else
        fi;
        charged_by = 0;
        a = 0;
        told = false
       }
    /* The interval passes. */
    :: atomic { first == 1 && charge > 0 -> first = charge + 1 }
    od
}

active proctype Faults() {
    byte n;
end:
    do
    /* The connection of a notifier breaks, during COMMIT or before; a standby is promoted. Recorder tries again. */
    :: atomic {
        faults < FAULTS ->
        if
        :: n = 1
        :: n = 2
        fi;
        if
        :: phase[n] == settled -> commit(n); roll_back(n)
        :: phase[n] == locked || phase[n] == recorded || phase[n] == judged || phase[n] == settled -> roll_back(n)
        :: phase[n] == idle || phase[n] == answered
        fi;
        n = 0;
        faults++
       }
#ifdef UNRECORDED
    /* A notifier is killed with a result that is not recorded; the delivery is sent again. */
    :: atomic { faults < FAULTS && phase[1] == answered -> finish(1); faults++ }
    :: atomic { faults < FAULTS && phase[2] == answered -> finish(2); faults++ }
#endif
    od
}

init {
    atomic {
        run Notifier(1);
        run Notifier(2)
    }
}
