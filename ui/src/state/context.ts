import { createContext } from 'svelte';
import type { Session } from './session.svelte';

/** The session of this window, for every component below `App`. */
export const [session, provideSession] = createContext<Session>();
