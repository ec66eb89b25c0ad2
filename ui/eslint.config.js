// Lints for ui/ and, run from the top with `--config`, for scripts/. The rooms of ui/src and their doors are law here:
//
//   ipc ◄── state ◄── plot ◄── parts ◄── views ◄── shell ◄── App
//
// A view asks state, state asks ipc, nobody else does. Types may be imported from ipc anywhere: they are the vocabulary.
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const DOORS = {
  ipc: [],
  state: ['ipc'],
  plot: ['state'],
  parts: ['state', 'plot'],
  views: ['state', 'plot', 'parts'],
  shell: ['state', 'plot', 'parts', 'views'],
};

const zones = Object.entries(DOORS).map(([room, open]) => {
  const closed = Object.keys(DOORS).filter((other) => other !== room && !open.includes(other));
  return {
    files: [`**/src/${room}/**/*.{ts,svelte}`],
    ignores: ['**/*.test.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: closed.map((other) => ({
            regex: `^(\\.\\./)+${other}(/|$)`,
            message: `${room} may import ${open.length > 0 ? open.join(', ') : 'no other room'}; not ${other}.`,
            allowTypeImports: other === 'ipc',
          })),
        },
      ],
    },
  };
});

export default ts.config(
  { ignores: ['**/dist/', '**/node_modules/', '**/src/ipc/gen/', '**/test/fixtures/', '**/test/shots/'] },
  js.configs.recommended,
  ts.configs.strict,
  svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-undef': 'off', // the compilers know better
      '@typescript-eslint/no-non-null-assertion': 'off', // an index that was just checked
      'max-lines-per-function': ['error', { max: 80 }],
    },
  },
  // A suite of tests is one function of its callback.
  { files: ['**/*.{test,spec}.ts', '**/*.test.mjs'], rules: { 'max-lines-per-function': 'off' } },
  {
    // The counts of `npm test` name each skipped test; Vitest's output has no names of them.
    files: ['**/*.{test,spec}.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['test', 'it', 'describe'].flatMap((object) =>
          ['skip', 'skipIf', 'runIf', 'todo', 'only'].map((property) => ({
            object,
            property,
            message: 'A skipped test would not be named: needs of suites stand in scripts/suites.mjs.',
          })),
        ),
      ],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig },
    },
    rules: { 'svelte/no-at-html-tags': 'error', 'svelte/button-has-type': 'error' },
  },
  { files: ['**/*.{cjs,mjs}'], rules: { 'no-undef': 'error' } },
  { files: ['**/*.cjs'], rules: { 'no-var': 'off' } },
  ...zones,
);
