// The report's page: one HTML file that asks nobody for anything. The programs carry it (src-tauri/crates/page) and put
// their data into its element `rtoscope-report`.
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const here = import.meta.dirname;

/** Rights of a report: run its own script, nothing from anywhere. */
const policy = (script: string) =>
  [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** Puts script and style into the page, and forgets the files. */
function inline(): Plugin {
  return {
    name: 'inline',
    enforce: 'post',
    generateBundle(_, bundle) {
      let [script, style, html] = ['', '', ''];
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code;
        else if (name.endsWith('.css')) style += String(file.source);
        else if (name.endsWith('.html')) html = String(file.source);
        else this.error(`${name} would be a file beside the report`);
        Reflect.deleteProperty(bundle, name);
      }
      // Nothing in a script may end its element or begin a comment.
      script = `\n${script.replaceAll('</script', '<\\/script').replaceAll('<!--', '\\x3C!--')}`;
      const page = html
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace('<meta charset="utf-8" />', (charset) =>
          [charset, `<meta http-equiv="Content-Security-Policy" content="${policy(script)}" />`].join('\n    '),
        )
        .replace('</head>', () => `  <style>${style}</style>\n  </head>`)
        .replace('</body>', () => `  <script type="module">${script}</script>\n  </body>`);
      this.emitFile({ type: 'asset', fileName: 'report.html', source: page });
    },
  };
}

export default defineConfig({
  root: here,
  base: './',
  plugins: [svelte(), inline()],
  clearScreen: false,
  publicDir: false,
  build: {
    target: ['safari18', 'chrome130'],
    outDir: resolve(here, '../src-tauri/crates/page/built'),
    // Git keeps the folder.
    emptyOutDir: false,
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: resolve(here, 'report.html'),
      output: { codeSplitting: false },
      checks: { pluginTimings: false },
    },
  },
});
