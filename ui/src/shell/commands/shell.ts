/** Operations on the elements of the shell, for commands. */
export interface Shell {
  /** Moves the focus to the next region, or to the previous one with `back`. */
  region: (back: boolean) => void;
}
