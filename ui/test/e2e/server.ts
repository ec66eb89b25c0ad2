// Setup for all specs together: the built page on a free loopback port, and one headless Chromium.
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { chromium as find } from '../../../scripts/needs.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    page: string;
    browser: string;
  }
}

/** Flags that keep Chromium off the network and the graphics processor. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default async function ({ provide }: TestProject): Promise<() => Promise<void>> {
  const executablePath = find();
  if (executablePath === null) throw new Error('There is no Chromium here; `npm run e2e` installs one.');
  const server = await preview({
    configFile: resolve(import.meta.dirname, '../../vite.config.ts'),
    preview: { port: 0 },
    logLevel: 'error',
  });
  const page = server.resolvedUrls?.local[0];
  if (page === undefined) throw new Error('The preview server has no address.');
  // Its profile is a new, empty folder, and goes with it.
  const browser = await chromium.launchServer({ executablePath, args: FLAGS, headless: true });
  provide('page', page);
  provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.close();
  };
}
