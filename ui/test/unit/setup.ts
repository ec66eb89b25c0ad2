import '@testing-library/jest-dom/vitest';
import fc from 'fast-check';

// The same draws in every run; `FAST_CHECK_SEED=$RANDOM npx vitest run --project unit` hunts with others.
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) });
