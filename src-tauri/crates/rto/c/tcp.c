/* Towards one server. Times are nanoseconds. */
struct $ {
    int64_t rto;
    struct $_estimate estimate;
};

/* One exchange. Times are nanoseconds. */
struct $_exchange {
    int64_t sent;
    int64_t armed;
    uint8_t retransmitted;
    uint8_t unused[7];
};
// ---
void $_init(struct $ *timer)
{
    start(&timer->estimate);
    timer->rto = smaller($$_RTO_INITIAL, $$_RTO_MAX);
}

int64_t $_send(struct $ *timer, struct $_exchange *exchange, int64_t now, uint32_t open, uint32_t random)
{
    (void)open;
    exchange->sent = from_ticks(now);
    exchange->retransmitted = 0;
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
    (void)now;
    exchange->retransmitted = 1;
#if karn == kept
    /* Stays in force until the next valid sample (RFC 6298 sections 5.5 to 5.7). */
    timer->rto = smaller(scale(timer->rto, $$_BACKOFF), $$_RTO_MAX);
#else
    (void)timer;
#endif
    exchange->armed = smaller(scale(exchange->armed, $$_BACKOFF), $$_RTO_MAX);
    return to_ticks(exchange->armed);
}

void $_answered(struct $ *timer, struct $_exchange *exchange, int64_t now)
{
    int64_t r = larger(add(from_ticks(now), -exchange->sent), 0);

    /* Karn's rule: the answer to an exchange with a retransmission measures nothing (RFC 6298 section 3). */
    if (exchange->retransmitted) {
        return;
    }
    timer->rto = larger(smaller(estimated(&timer->estimate, r), $$_RTO_MAX), 1);
}
