/** The format in which {@link ./format} writes times of a capture: reactive, so that every text follows. */
class TimeMode {
  form = $state<'clock' | 'seconds' | 'day'>('clock');
  /** Nanoseconds of the UTC day at the capture's epoch; null in simulated time. */
  epoch = $state<number | null>(null);
}

export const timeMode = new TimeMode();
