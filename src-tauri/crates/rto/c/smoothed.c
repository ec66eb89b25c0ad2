/* Smoothed round trip and its deviation (RFC 6298 section 2). rtt is -1 before the first sample. */
struct $_smoothed {
    int64_t rtt;
    int64_t var;
};
// ---
/* RTT = R, RTTVAR = R / 2, then RTTVAR and RTT as exponentially weighted means (RFC 6298 sections 2.2 and 2.3). */
static void take(struct $_smoothed *s, int64_t r)
{
    int64_t mean = s->rtt, deviation;

    if (mean < 0) {
        s->rtt = r;
        s->var = scale(r, 1, 2);
        return;
    }
    s->rtt = blend(s->rtt, r, $$_ALPHA);
#if order == rtt_first
    mean = s->rtt;
#endif
    deviation = add(mean, -r);
#if deviation == signed
#else
    deviation = magnitude(deviation);
#endif
    s->var = blend(s->var, deviation, $$_BETA);
}

/* RTT + max(G, K * RTTVAR) (RFC 6298 section 2.3). */
static int64_t timeout_of(const struct $_smoothed *s, int64_t k_num, int64_t k_den)
{
    return add(s->rtt, larger(scale(s->var, k_num, k_den), $$_GRANULARITY));
}
