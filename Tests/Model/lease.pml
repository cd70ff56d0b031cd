/* The hand-over of an alert's delivery to two notifiers, and of its lease from one notifier to the other.
 *
 * Each `atomic` is one statement or transaction of PostgreSQL, the begin or the end of a request, or one fault; its comment
 * names what it stands for. There is one delivery; a notifier has room for one lease of it.
 *
 * A promotion may lose leases, which are not durable; the next lease then has the same number.
 *
 * Guards that can be taken out: NO_LEASE, NO_FENCE, NUMBER_ALONE (a lease's name, which is drawn, beside its number), NO_SPAN,
 * NO_HOLDER_CHECK, NO_EXPIRY, NO_POLL, NOT_DURABLE. */
#include "promise.h"

#ifndef FAULTS
#define FAULTS 1
#endif
#define NUMBERS (2 + FAULTS)

/* The delivery. */
bool expanded;         /* the alert has its delivery */
bool told;             /* state: accepted, or else pending */
bool is_due = true;    /* next_attempt_at <= now() */
byte attempts;         /* the number of the lease */
byte holder;           /* the number of the notifier that holds the lease */
byte lease;            /* LeaseName: the lease's random name */

/* The part that survives a crash. */
bool kept_expanded, kept_told;
bool kept_due = true;
byte kept_attempts, kept_holder, kept_lease;

/* Table notifier: numbers, and whether their locks are missing. */
bool exists[NUMBERS + 1];
bool missing[NUMBERS + 1];
byte numbers;

/* The notifiers. */
mtype = { without, queued, sending, answered };
mtype phase[3] = without;
byte number[3];        /* the number that the notifier took last */
byte current[3];       /* LeaseKeeper.current; 0 while its lock may be lost */
bool session[3];       /* the session that holds the lock */
bool frozen[3];
bool awake[3];
byte attempt[3];       /* the number of the notifier's lease, */
byte leased_by[3];     /* the notifier's number then, */
byte own_lease[3];     /* the lease's name, */
bool lapsed[3];        /* and whether the lease has expired */
bool is_yes[3];        /* whether the receiver accepted */

byte leases, accepted, excused, faults;
bool refused, delayed; /* each happens once */

/* Section 5 of the design. */
bool repeated_only_after_a_fault = true;
bool result_of_its_own_lease = true;

#ifdef LIVENESS
/* A decided alert arrives in the end, even if notifications are lost. */
ltl every_alert_is_told { <> [] told }
#endif

#define RUNS(n) (!frozen[n])
#define IS_UNDER_WAY(n) (phase[n] == sending || phase[n] == answered)
#define IS_LOCKED(k) ((number[1] == k && session[1]) || (number[2] == k && session[2]))
#ifdef NO_SPAN
#define MAY_SEND(n) true
#else
#define MAY_SEND(n) (!lapsed[n])
#endif
/* Whether the delivery still has the lease that the notifier took. */
#ifdef NUMBER_ALONE
#define IS_ITS_OWN(n) (attempts == attempt[n])
#else
#define IS_ITS_OWN(n) (attempts == attempt[n] && lease == own_lease[n])
#endif
/* Whether a lease of this notifier may expire. */
#ifdef NO_SPAN
#define IS_OVER(n) true
#else
#define IS_OVER(n) (frozen[n] || own_lease[n] != lease || (phase[n] == queued && !delayed))
#endif
/* The number's notifier is gone, frozen, or has noticed the loss, which takes a second at most. */
#define IS_LONG_MISSING(k) (IS_WITHOUT(1, k) && IS_WITHOUT(2, k))
#define IS_NEWS(k) (!missing[k] || IS_LONG_MISSING(k))
#define IS_WITHOUT(n, k) (number[n] != k || current[n] == 0 || frozen[n])

inline flush() {
    kept_expanded = expanded;
    kept_told = told;
    kept_due = is_due;
    kept_attempts = attempts;
    kept_holder = holder;
    kept_lease = lease
}

/* A transaction that does not wait for the disk or the standby. */
inline commit_loosely() {
    if
    :: true
    :: flush() /* written in the background */
    fi
}

inline clear(n) {
    phase[n] = without;
    attempt[n] = 0;
    leased_by[n] = 0;
    own_lease[n] = 0;
    lapsed[n] = false;
    is_yes[n] = false
}

/* A request begins. It may be repeated if the session is lost and this notifier has not noticed. */
inline begin(n) {
    excused = excused + (!session[n] && current[n] != 0);
    phase[n] = sending
}

/* RecordAttempts, COMMIT. */
inline record(n) {
    if
#ifdef NO_FENCE
    :: !told ->
#else
    :: !told && IS_ITS_OWN(n) ->
#endif
       PROMISE(result_of_its_own_lease, lease == own_lease[n]);
       holder = 0;
       told = is_yes[n];
       is_due = !is_yes[n]
    :: else
    fi;
#ifndef NOT_DURABLE
    flush()
#endif
}

proctype Notifier(byte n) {
    byte k;
end:
    do
    /* LeaseKeeper.become: ReturnAsLeaseHolder, or else BecomeLeaseHolder. */
    :: atomic {
        RUNS(n) && current[n] == 0 ->
        if
        :: number[n] != 0 && exists[number[n]]
        :: else ->
           numbers++;
           number[n] = numbers;
           exists[numbers] = true
        fi;
        missing[number[n]] = false;
        session[n] = true;
        current[n] = number[n]
       }

    /* LeaseKeeper.watch: the next statement on a session that is lost fails. */
    :: atomic { RUNS(n) && current[n] != 0 && !session[n] -> current[n] = 0 }

    /* EndOrphanedLeases: of a number that has a lease, notes whose lock is missing, */
    :: atomic {
        RUNS(n) && current[n] != 0 && session[n] && holder != 0 && exists[holder] && !IS_LOCKED(holder) && IS_NEWS(holder) ->
        k = holder;
        if
        :: !missing[k] -> missing[k] = true
        /* and ends the leases of a number whose lock has been missing for three seconds. */
        :: missing[k] ->
           exists[k] = false;
           missing[k] = false;
           is_due = true;
           holder = 0
        fi;
        flush();
        k = 0
       }

#ifndef NO_POLL
    /* Notifier.run: every second, without a notification. */
    :: atomic { RUNS(n) && !awake[n] && !told && is_due -> awake[n] = true }
#endif

    /* LeaseDeliveries. */
    :: atomic {
        RUNS(n) && awake[n] && current[n] != 0 && phase[n] == without ->
        awake[n] = false;
        if
        :: !told && is_due ->
           expanded = true;
           attempts++;
           leases++;
           lease = leases;
           holder = current[n];
#ifndef NO_LEASE
           is_due = false;
#endif
           attempt[n] = attempts;
           leased_by[n] = holder;
           own_lease[n] = lease;
           phase[n] = queued;
           commit_loosely()
        :: else
        fi
       }

    /* Lease.Disposition: it is sent, left to expire, or given back with ReleaseDeliveries. */
    :: atomic {
        RUNS(n) && phase[n] == queued ->
        if
#ifndef NO_SPAN
        :: lapsed[n] -> clear(n)
#endif
#ifndef NO_HOLDER_CHECK
        :: MAY_SEND(n) && leased_by[n] != current[n] ->
           if
           :: !told && IS_ITS_OWN(n) ->
              is_due = true;
              holder = 0;
              commit_loosely()
           :: else
           fi;
           clear(n)
        :: MAY_SEND(n) && leased_by[n] == current[n] -> begin(n)
#else
        :: MAY_SEND(n) -> begin(n)
#endif
        fi
       }

    /* The receiver accepts the request, or refuses it once. */
    :: atomic {
        RUNS(n) && phase[n] == sending ->
        if
        :: is_yes[n] = true;
           accepted++;
           PROMISE(repeated_only_after_a_fault, accepted <= 1 + excused)
        :: !refused -> refused = true
        fi;
        phase[n] = answered
       }

    /* Recorder.record. */
    :: atomic {
        RUNS(n) && phase[n] == answered ->
        record(n);
        clear(n)
       }
    od
}

/* A lease ends by its time: not while it is sent, unless its notifier is frozen (Lease.Disposition leaves room for the longest
   attempt). A queue is so long that a lease ends in it once. */
active proctype Clock() {
end:
    do
#ifndef NO_EXPIRY
    :: atomic {
        expanded && !told && !is_due && IS_OVER(1) && IS_OVER(2) ->
        is_due = true;
        delayed = delayed || (RUNS(1) && own_lease[1] == lease) || (RUNS(2) && own_lease[2] == lease);
        lapsed[1] = lapsed[1] || (phase[1] != without && own_lease[1] == lease);
        lapsed[2] = lapsed[2] || (phase[2] != without && own_lease[2] == lease);
        flush()
       }
#else
    :: false
#endif
    od
}

/* Excuses a repetition after a fault: of a request that was under way, or not recorded. */
inline excuse(n) {
    if
    :: IS_UNDER_WAY(n) -> excused++
    :: else
    fi
}

/* The session that holds the number is lost. */
inline cut(n) {
    if
    :: IS_UNDER_WAY(n) || (frozen[n] && phase[n] == queued) -> excused++
    :: else
    fi;
    session[n] = false
}

inline harm(n) {
    if
    /* Killed, and started again. */
    :: excuse(n);
       clear(n);
       session[n] = false;
       current[n] = 0;
       number[n] = 0;
       awake[n] = false;
       frozen[n] = false
    /* Frozen, perhaps for ever. */
    :: !frozen[n] && !frozen[OTHER(n)] ->
       if
       :: IS_UNDER_WAY(n) || (!session[n] && phase[n] == queued) -> excused++
       :: else
       fi;
       frozen[n] = true
    :: session[n] -> cut(n)
    /* The connection breaks after a COMMIT whose answer is lost; Recorder tries again. */
    :: phase[n] == answered -> record(n)
    fi;
    faults++
}

active proctype Faults() {
end:
    do
    :: atomic { faults < FAULTS -> harm(1) }
    :: atomic { faults < FAULTS -> harm(2) }
    /* A synchronous standby is promoted: sessions end, and changes that were not durable may be lost. */
    :: atomic {
        faults < FAULTS ->
        if
        :: phase[1] != without -> excused++
        :: else
        fi;
        if
        :: phase[2] != without -> excused++
        :: else
        fi;
        session[1] = false;
        session[2] = false;
        if
        :: true
        :: expanded = kept_expanded;
           told = kept_told;
           is_due = kept_due;
           attempts = kept_attempts;
           holder = kept_holder;
           lease = kept_lease
        fi;
        flush();
        faults++
       }
    /* A frozen notifier goes on sooner or later, or never. */
    :: atomic { frozen[1] -> frozen[1] = false }
    :: atomic { frozen[2] -> frozen[2] = false }
    :: frozen[1] || frozen[2] -> skip
    od
}

init {
    atomic {
        /* A notification may be lost. */
        if
        :: true
        :: awake[1] = true
        :: awake[2] = true
        :: awake[1] = true; awake[2] = true
        fi;
        run Notifier(1);
        run Notifier(2)
    }
}
