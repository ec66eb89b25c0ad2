/* One of the two estimators. Times are nanoseconds. */
struct $_half {
    struct $_smoothed smoothed;
#if predictor == eifel
    int64_t latest;
#endif
#if estimator_aging == halve
    int64_t since;
#endif
};

/* Towards one server. Times are nanoseconds; since is -1 before the first sample. */
struct $ {
    int64_t rto;
    int64_t since;
    struct $_half strong;
#if weak_max != 0
    struct $_half weak;
#endif
};

/* One exchange. Times are nanoseconds. */
struct $_exchange {
    int64_t sent;
    int64_t armed;
#if vbf_key == initial
    int64_t base;
#endif
#if vbf_key == dithered
    int64_t first;
#endif
    uint8_t retransmissions;
    uint8_t unused[7];
};
// ---
static void start(struct $_half *half)
{
    half->smoothed.rtt = -1;
    half->smoothed.var = 0;
#if predictor == eifel
    half->latest = 0;
#endif
#if estimator_aging == halve
    half->since = 0;
#endif
}

static void learn(struct $_half *half, int64_t now, int64_t r)
{
#if predictor == eifel
    if (half->smoothed.rtt < 0) {
        half->smoothed.rtt = r;
        half->smoothed.var = scale(r, 1, 2);
    } else {
        predict(&half->smoothed, r);
    }
    half->latest = r;
#else
    take(&half->smoothed, r);
#endif
#if estimator_aging == halve
    half->since = now;
#else
    (void)now;
#endif
}

/* Timeout of an estimator with a sample. */
static int64_t estimate(const struct $_half *half, int64_t k_num, int64_t k_den)
{
#if predictor == eifel
    (void)k_num;
    (void)k_den;
    return predicted(&half->smoothed, half->latest);
#else
    return timeout_of(&half->smoothed, k_num, k_den);
#endif
}

#if estimator_aging == halve
/* A stale large estimator moves half way to the default, once per use. */
static void halve(struct $_half *half, int64_t now, int64_t k_num, int64_t k_den)
{
    struct $_smoothed *s = &half->smoothed;

    if (s->rtt >= 0 && now - half->since >= $$_STALE && estimate(half, k_num, k_den) > $$_RTO_DEFAULT) {
        s->rtt = scale(add($$_RTO_DEFAULT, s->rtt), 1, 2);
        s->var = scale(s->var, 1, 2);
        half->since = now;
    }
}

#endif
#if aging != none
/* A small RTO without samples grows, a large one falls. */
static void age(struct $ *timer, int64_t now)
{
    while (timer->since >= 0) {
        int64_t consumed, next;

        if (timer->rto < $$_SMALL) {
            consumed = scale(timer->rto, $$_IDLE_SMALL, 1);
            next = scale(timer->rto, $$_AGING_FACTOR);
#if aging == both
        } else if (timer->rto > $$_LARGE) {
            consumed = scale(timer->rto, $$_IDLE_LARGE, 1);
            next = add($$_SMALL, scale(timer->rto, 1, 2));
#endif
        } else {
            break;
        }
        if (now - timer->since <= consumed) {
            break;
        }
        timer->rto = next;
#if aging_steps == single
        timer->since = now;
        break;
#else
        timer->since += consumed;
#endif
    }
    timer->rto = smaller(timer->rto, $$_RTO_MAX);
}

#endif
static int64_t limited(int64_t timeout)
{
    return larger(smaller(timeout, $$_TIMER_MAX), 1);
}

void $_init(struct $ *timer)
{
    timer->rto = $$_RTO_INITIAL;
    timer->since = -1;
    start(&timer->strong);
#if weak_max != 0
    start(&timer->weak);
#endif
}

int64_t $_send(struct $ *timer, struct $_exchange *exchange, int64_t now, uint32_t open, uint32_t random)
{
    int64_t at = from_ticks(now), base;

#if estimator_aging == halve
    halve(&timer->strong, at, $$_K_STRONG);
#if weak_max != 0
    halve(&timer->weak, at, $$_K_WEAK);
#endif
#endif
#if aging != none
    age(timer, at);
#endif
    base = timer->rto;
#if blind == linear
    if (timer->since < 0) {
        base = scale(base, (int64_t)open + 1, 1);
    }
#elif blind == power
    if (timer->since < 0) {
        base = scale(base, INT64_C(1) << (open < 40 ? open : 40), 1);
    }
#else
    (void)open;
#endif
    exchange->sent = at;
#if vbf_key == initial
    exchange->base = base;
#endif
    /* The draw only adds, so that what is beyond the longest timeout needs none. */
    exchange->armed = limited(base < $$_TIMER_MAX ? stretch(base, $$_RANDOM_FACTOR, random) : base);
#if vbf_key == dithered
    exchange->first = exchange->armed;
#endif
    exchange->retransmissions = 0;
    return to_ticks(exchange->armed);
}

int64_t $_retransmit(struct $ *timer, struct $_exchange *exchange, int64_t now)
{
#if vbf_key == initial
    int64_t key = exchange->base;
#elif vbf_key == dithered
    int64_t key = exchange->first;
#elif vbf_key == overall
    int64_t key = timer->rto;
#else
    int64_t key = exchange->armed;
#endif

    (void)timer;
    (void)now;
    if (exchange->retransmissions < UINT8_MAX) {
        exchange->retransmissions++;
    }
    if (key < $$_VBF_LOW_BELOW) {
        exchange->armed = limited(scale(exchange->armed, $$_VBF_LOW));
    } else if (key > $$_VBF_HIGH_ABOVE) {
        exchange->armed = limited(scale(exchange->armed, $$_VBF_HIGH));
    } else {
        exchange->armed = limited(scale(exchange->armed, $$_VBF_MID));
    }
    return to_ticks(exchange->armed);
}

void $_answered(struct $ *timer, struct $_exchange *exchange, int64_t now)
{
    int64_t at = from_ticks(now);
    int64_t r = larger(add(at, -exchange->sent), 0);

    if (exchange->retransmissions == 0) {
        learn(&timer->strong, at, r);
        timer->rto = blend(timer->rto, estimate(&timer->strong, $$_K_STRONG), $$_WEIGHT_STRONG);
#if weak_max != 0
    } else if (exchange->retransmissions <= $$_WEAK_MAX) {
        learn(&timer->weak, at, r);
        timer->rto = blend(timer->rto, estimate(&timer->weak, $$_K_WEAK), $$_WEIGHT_WEAK);
#endif
    } else {
        return;
    }
    timer->rto = larger(smaller(timer->rto, $$_RTO_MAX), 1);
    timer->since = at;
}
