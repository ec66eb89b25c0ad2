/* Estimates from the samples so far; srtt is -1 before the first. */
struct $_estimate {
    int64_t srtt;
    int64_t mdev;
    int64_t mdev_max;
    int64_t rttvar;
};
// ---
static void start(struct $_estimate *e)
{
    e->srtt = -1;
    e->mdev = e->mdev_max = e->rttvar = 0;
}

/* The smallest deviation of a window: K of them are the smallest margin. */
static int64_t least(void)
{
#if k == 0
    return 0;
#else
    return scale($$_RTO_MIN, $$_K_INVERSE);
#endif
}

static int64_t estimated(struct $_estimate *e, int64_t r)
{
    if (e->srtt < 0) {
        e->srtt = r;
        e->mdev = scale(r, 1, 2);
        e->mdev_max = e->rttvar = larger(e->mdev, least());
    } else {
        int64_t error = add(r, -e->srtt), size = magnitude(error);

        e->srtt = blend(e->srtt, r, $$_ALPHA);
        if (error < 0 && size > e->mdev) {
            e->mdev = blend(e->mdev, size, $$_BETA_FALL);
        } else {
            e->mdev = blend(e->mdev, size, $$_BETA);
        }
        if (e->mdev > e->mdev_max) {
            e->mdev_max = e->mdev;
            e->rttvar = larger(e->rttvar, e->mdev_max);
        }
        if (e->mdev_max < e->rttvar) {
            e->rttvar = blend(e->rttvar, e->mdev_max, $$_DECAY);
        }
        e->mdev_max = least();
    }
    return add(e->srtt, scale(e->rttvar, $$_K));
}
