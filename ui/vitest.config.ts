import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [svelte(), svelteTesting()],
        test: {
          name: 'unit',
          environment: 'jsdom',
          include: ['src/**/*.test.ts', 'test/unit/**/*.test.ts', 'test/backend/**/*.test.ts'],
          setupFiles: ['test/unit/setup.ts'],
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.spec.ts'],
          globalSetup: ['test/e2e/server.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'app',
          environment: 'node',
          include: ['test/app/**/*.spec.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'pictures',
          environment: 'node',
          include: ['test/pictures/**/*.pictures.ts'],
          globalSetup: ['test/e2e/server.ts'],
          fileParallelism: false,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'walks',
          environment: 'node',
          include: ['test/walks/**/*.walks.ts'],
          fileParallelism: false,
          testTimeout: 300_000,
          disableConsoleIntercept: true,
        },
      },
      {
        test: {
          name: 'window',
          environment: 'node',
          include: ['test/window/**/*.bench.ts'],
          globalSetup: ['test/e2e/server.ts'],
          fileParallelism: false,
          disableConsoleIntercept: true,
        },
      },
    ],
  },
});
