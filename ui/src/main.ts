import '@fontsource-variable/inter/index.css';
import './tokens.css';
import './app.css';
import './buttons.css';
import './plots.css';
import './forms.css';
import './longlist.css';
import { mount } from 'svelte';
import App from './App.svelte';
import type { Backend } from './ipc/backend';
import { Prefs } from './state/window/prefs.svelte';
import { Session } from './state/session.svelte';

/**
 * The backend of the page: the Rust core inside the desktop window. In a browser it is the test server's backend of
 * recorded replies, which no build includes; `?latency=` delays each of its replies by so many ms.
 */
async function backend(): Promise<Backend> {
  if ('__TAURI_INTERNALS__' in window) return (await import('./ipc/tauri')).tauri;
  const latency = Number(new URLSearchParams(location.search).get('latency') ?? 0);
  const module = new URL('test/backend/fixture.ts', location.origin).href;
  const { fixture } = (await import(/* @vite-ignore */ module)) as {
    fixture: (base: string, latency: number) => Backend;
  };
  return fixture('fixtures/', latency);
}

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
mount(App, { target, props: { session: new Session(await backend(), new Prefs(localStorage)) } });
