/** Dialogs that are open. Those about a capture hold its number, null while closed. */
export class Dialogs {
  /** Whether the preferences are open. */
  preferences = $state(false);
  /** Whether the list of flags is open. */
  flags = $state(false);
  /** Whether the command palette is open. */
  palette = $state(false);
  /** Whether the map of keys is open. */
  keys = $state(false);
  /** Whether the alerts are open. */
  alerts = $state(false);
  /** *Decode as…*, for the capture with this number; null while closed. */
  decodeAs = $state<number | null>(null);
  /** Tags, for the capture with this number; null while closed. */
  tags = $state<number | null>(null);
}
