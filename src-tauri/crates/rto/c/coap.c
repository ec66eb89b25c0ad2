/* Towards one server: nothing is learned. */
struct $ {
    uint8_t unused;
};

/* One exchange. Times are nanoseconds. */
struct $_exchange {
    int64_t armed;
};
// ---
void $_init(struct $ *timer)
{
    timer->unused = 0;
}

int64_t $_send(struct $ *timer, struct $_exchange *exchange, int64_t now, uint32_t open, uint32_t random)
{
    (void)timer;
    (void)now;
    (void)open;
#if tick == 0
    exchange->armed = stretch($$_ACK_TIMEOUT, $$_RANDOM_FACTOR, random);
#else
    {
        /* A whole number of ticks, both ends included. */
        int64_t choices = add(scale($$_ACK_TIMEOUT, $$_RANDOM_FACTOR), -$$_ACK_TIMEOUT) / $$_TICK + 1;
        uint64_t n = (uint64_t)choices;
        uint64_t drawn = (n >> 32) * random + (((n & UINT32_MAX) * random) >> 32);
        exchange->armed = add($$_ACK_TIMEOUT, scale($$_TICK, (int64_t)drawn, 1));
    }
#endif
    return to_ticks(exchange->armed);
}

int64_t $_retransmit(struct $ *timer, struct $_exchange *exchange, int64_t now)
{
    (void)timer;
    (void)now;
    exchange->armed = scale(exchange->armed, $$_BACKOFF);
    return to_ticks(exchange->armed);
}

void $_answered(struct $ *timer, struct $_exchange *exchange, int64_t now)
{
    (void)timer;
    (void)exchange;
    (void)now;
}
