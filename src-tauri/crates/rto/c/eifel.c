struct $_estimate {
    struct $_smoothed smoothed;
};
// ---
static void start(struct $_estimate *estimate)
{
    estimate->smoothed.rtt = -1;
    estimate->smoothed.var = 0;
}

static int64_t estimated(struct $_estimate *estimate, int64_t r)
{
    struct $_smoothed *s = &estimate->smoothed;

#if start == measured
    if (s->rtt < 0) {
        s->rtt = r;
        s->var = scale(r, 1, 2);
    } else {
        predict(s, r);
    }
#else
    s->rtt = larger(s->rtt, 0);
    predict(s, r);
#endif
    return predicted(s, r);
}
