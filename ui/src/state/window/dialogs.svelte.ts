/** Dialogs that are open. Those about a capture hold its number, null while closed. */
export class Dialogs {
  /** Preferences. */
  preferences = $state(false);
  /** List of flags. */
  flags = $state(false);
  /** Command palette. */
  palette = $state(false);
  /** Map of keys. */
  keys = $state(false);
  /** *Decode as…*, for the capture with this number. */
  decodeAs = $state<number | null>(null);
  /** Tags, for the capture with this number. */
  tags = $state<number | null>(null);
}
