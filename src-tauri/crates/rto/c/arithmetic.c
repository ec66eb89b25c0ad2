/* value * num / den, rounded once, half away from zero; saturates. den is from 1 to 10^9, num from 0 to 10^12 with den * num below 2^63. */
static int64_t scale(int64_t value, int64_t num, int64_t den)
{
    uint64_t size = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
    uint64_t n = (uint64_t)num, d = (uint64_t)den;
    uint64_t whole = size / d, rest = size % d;
    uint64_t result = INT64_MAX;

    if (n == 0 || whole <= (uint64_t)INT64_MAX / n) {
        result = whole * n + (rest * n + d / 2) / d;
        if (result > (uint64_t)INT64_MAX) {
            result = INT64_MAX;
        }
    }
    return value < 0 ? -(int64_t)result : (int64_t)result;
}

/* a + b; saturates. */
static int64_t add(int64_t a, int64_t b)
{
    if (b > 0 && a > INT64_MAX - b) {
        return INT64_MAX;
    }
    if (b < 0 && a < -INT64_MAX - b) {
        return -INT64_MAX;
    }
    return a + b;
}

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* (1 - w) * before + w * sample with w = num / den, rounded once. */
static int64_t blend(int64_t before, int64_t sample, int64_t num, int64_t den)
{
    return add(before, scale(add(sample, -before), num, den));
}

/* base stretched to a draw from [base, base * num / den); random / 2^32 is the draw. base * (num - den) is below 2^64. */
static int64_t stretch(int64_t base, int64_t num, int64_t den, uint32_t random)
{
    uint64_t most = (uint64_t)base * (uint64_t)(num - den);
    uint64_t high = (most >> 32) * random, low = (most & UINT32_MAX) * random;
    uint64_t carried = ((low & UINT32_MAX) + ((uint64_t)den << 31)) >> 32;

    return base + (int64_t)((high + (low >> 32) + carried) / (uint64_t)den);
}

static int64_t from_ticks(int64_t ticks)
{
    return scale(ticks, INT64_C(1000000000), $$_TICKS_PER_SECOND);
}

/* To the nearest tick, at least one: a timer of none would fire at once. */
static int64_t to_ticks(int64_t time)
{
    return larger(scale(time, $$_TICKS_PER_SECOND, INT64_C(1000000000)), 1);
}
