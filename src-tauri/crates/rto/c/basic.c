/* Towards one server. Times are nanoseconds. */
struct $ {
    int64_t rto;
};

/* One exchange. Times are nanoseconds. */
struct $_exchange {
    int64_t sent;
    int64_t armed;
};
// ---
void $_init(struct $ *timer)
{
    timer->rto = smaller($$_RTO_INITIAL, $$_RTO_MAX);
}

int64_t $_send(struct $ *timer, struct $_exchange *exchange, int64_t now, uint32_t open, uint32_t random)
{
    (void)open;
    exchange->sent = from_ticks(now);
#if random_factor == 1
    (void)random;
    exchange->armed = timer->rto;
#else
    exchange->armed = smaller(stretch(timer->rto, $$_RANDOM_FACTOR, random), $$_RTO_MAX);
#endif
    return to_ticks(exchange->armed);
}

int64_t $_retransmit(struct $ *timer, struct $_exchange *exchange, int64_t now)
{
    (void)timer;
    (void)now;
    exchange->armed = smaller(scale(exchange->armed, $$_BACKOFF), $$_RTO_MAX);
    return to_ticks(exchange->armed);
}

void $_answered(struct $ *timer, struct $_exchange *exchange, int64_t now)
{
    /* From the first transmission, however many there were. */
    int64_t r = larger(add(from_ticks(now), -exchange->sent), 0);

    timer->rto = larger(smaller(scale(r, $$_FACTOR), $$_RTO_MAX), 1);
}
