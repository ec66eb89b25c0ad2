/** Commands that need the shell's elements. */
export interface Shell {
  region: (back: boolean) => void;
}
