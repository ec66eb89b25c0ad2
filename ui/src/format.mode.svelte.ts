/** Format in which {@link ./format} writes times of a capture; reactive, so that every text follows a change. */
class TimeMode {
  /**
   * `clock`: `6:31.204` from the epoch; `seconds`: `391.204 s`; `day`: time of the UTC day, where the epoch is known.
   */
  form = $state<'clock' | 'seconds' | 'day'>('clock');
  /** Time of the capture's epoch, ns since 1970-01-01 UTC, of which the time of day counts; null in simulated time. */
  epoch = $state<number | null>(null);
}

/** The one format of the page, set from the preferences and the capture that is shown. */
export const timeMode = new TimeMode();
