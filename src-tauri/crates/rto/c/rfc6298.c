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
    take(&estimate->smoothed, r);
    return larger(timeout_of(&estimate->smoothed, $$_K), $$_RTO_MIN);
}
