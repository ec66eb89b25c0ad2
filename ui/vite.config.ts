import { createReadStream, readFileSync, statSync } from 'node:fs';
import { normalize, resolve, sep } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, defineConfig, type Connect, type Plugin } from 'vite';

const here = import.meta.dirname;

/** `/fixtures/…` is ui/test/fixtures: what the `fixture` backend reads. Never part of the build. */
function fixtures(): Plugin {
  const root = resolve(here, 'test/fixtures');
  const serve: Connect.NextHandleFunction = (request, response, next) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = normalize(root + sep + decodeURIComponent(path));
    if (!file.startsWith(root + sep) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.setHeader('content-type', file.endsWith('.json') ? 'application/json' : 'application/octet-stream');
    createReadStream(file).on('error', next).pipe(response);
  };
  return {
    name: 'fixtures',
    configureServer: (server) => void server.middlewares.use('/fixtures', serve),
    configurePreviewServer: (server) => void server.middlewares.use('/fixtures', serve),
  };
}

/** `/test/backend/fixture.ts` in the preview: the backend of recorded replies, bundled when it is first asked for. The development server serves it by itself. */
function fixtureBackend(): Plugin {
  const path = '/test/backend/fixture.ts';
  const bundle = async () => {
    const made = await build({
      ...{ configFile: false, root: here, logLevel: 'error' },
      build: { write: false, lib: { entry: resolve(here, path.slice(1)), formats: ['es'] } },
    });
    const [first] = [made].flat();
    return first !== undefined && 'output' in first ? first.output[0].code : '';
  };
  let code: Promise<string> | undefined;
  return {
    name: 'fixture-backend',
    configurePreviewServer: (server) =>
      void server.middlewares.use(path, (_request, response, next) => {
        code ??= bundle();
        code.then((text) => {
          response.setHeader('content-type', 'text/javascript');
          response.end(text);
        }, next);
      }),
  };
}

/** The preview obeys the window's content security policy, so that a test in Chromium meets what the app would refuse. */
function policy(): Plugin {
  const config = JSON.parse(readFileSync(resolve(here, '../src-tauri/tauri.conf.json'), 'utf8')) as {
    app: { security: { csp: Record<string, string> } };
  };
  const csp = Object.entries(config.app.security.csp)
    .map((directive) => directive.join(' '))
    .join('; ');
  return {
    name: 'content-security-policy',
    configurePreviewServer: (server) =>
      void server.middlewares.use((_request, response, next) => {
        response.setHeader('content-security-policy', csp);
        next();
      }),
  };
}

export default defineConfig({
  root: here,
  base: './',
  plugins: [svelte(), fixtures(), policy(), fixtureBackend()],
  clearScreen: false,
  server: { host: '127.0.0.1', port: 5173, strictPort: true },
  preview: { host: '127.0.0.1' },
  build: {
    // WebKitGTK 2.46 or newer (scripts/needs.mjs asks for it) and the Chromium of the tests.
    target: ['safari18', 'chrome130'],
    modulePreload: { polyfill: false },
    // A data: URL would need a hole in the policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // One chunk for the window, 570 kB: it comes from the program itself. With the views that a start does not show in a chunk of
    // their own (half of it) the first view is there no sooner: script of a start 129 ms either way, medians of 24 in Chromium.
    chunkSizeWarningLimit: 640,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
