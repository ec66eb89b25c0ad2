/** Format in which {@link ./format} writes times of a capture; reactive, so that every text follows a change. */
class TimeMode {
  /**
   * `clock`: `6:31.204` from the epoch; `seconds`: `391.204 s`; `day`: time of the UTC day, where the epoch is known.
   */
  form = $state<'clock' | 'seconds' | 'day'>('clock');
  /** Time of the capture's epoch since midnight UTC, ns; null in simulated time. */
  epoch = $state<number | null>(null);
}

/** The one format of the page, set from the preferences and the capture that is shown. */
export const timeMode = new TimeMode();
