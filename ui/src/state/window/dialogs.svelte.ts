/** Open dialogs. Those about a capture hold its number; null is closed. */
export class Dialogs {
  preferences = $state(false);
  /** List of flags. */
  flags = $state(false);
  /** Command palette. */
  palette = $state(false);
  /** Map of keys. */
  keys = $state(false);
  /** “Decode as” of this capture. */
  decodeAs = $state<number | null>(null);
  /** Tags of this capture. */
  tags = $state<number | null>(null);
}
