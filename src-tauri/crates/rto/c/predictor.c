/* Smoothed round trip and its deviation as the Eifel timer keeps them. rtt is -1 before the first sample. */
struct $_smoothed {
    int64_t rtt;
    int64_t var;
};
// ---
/* With d = R - SRTT: RTTVAR += g' * (d - RTTVAR) unless d < 0, where g' = g if d >= RTTVAR, else g * g; SRTT += g * d. */
static void predict(struct $_smoothed *s, int64_t r)
{
    int64_t error = add(r, -s->rtt);

    if (error >= 0) {
        int64_t step = scale(add(error, -s->var), $$_GAIN);
        s->var = add(s->var, step >= 0 ? step : scale(step, $$_GAIN));
    }
    s->rtt = add(s->rtt, scale(error, $$_GAIN));
}

/* max(SRTT + RTTVAR / g, R + margin). */
static int64_t predicted(const struct $_smoothed *s, int64_t r)
{
    return larger(add(s->rtt, scale(s->var, $$_GAIN_INVERSE)), add(r, $$_MARGIN));
}
