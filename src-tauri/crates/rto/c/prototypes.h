/* Before the first exchange with a server. */
void $_init(struct $ *timer);

/*
 * A confirmable message goes out for the first time at now, ticks from a moment of your choice, none below zero and none before the last.
 * open is the number of other exchanges open to the server, random a draw from all 2^32 numbers.
 * Returns the ticks until the message has to go out again.
 */
int64_t $_send(struct $ *timer, struct $_exchange *exchange, int64_t now, uint32_t open, uint32_t random);

/* The time is over and the message goes out again. Returns the ticks until the next time. */
int64_t $_retransmit(struct $ *timer, struct $_exchange *exchange, int64_t now);

/* An acknowledgement, a reset or the response ends the exchange. One that is given up needs no call. */
void $_answered(struct $ *timer, struct $_exchange *exchange, int64_t now);
