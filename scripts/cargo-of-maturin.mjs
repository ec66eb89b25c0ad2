#!/usr/bin/env node
// Stands in for cargo where maturin calls it. maturin builds one package, for which cargo would choose other features
// than for the workspace, and compile Polars a second time. Here `cargo rustc` of that package becomes `cargo build` of
// its empty program, which builds the module as `npm test` and the command line build what is below it; maturin finds
// the module among cargo's messages. What maturin sets for PyO3 is as src-tauri/.cargo/config.toml has it.
import { spawnSync } from 'node:child_process';
import { cargoBuild } from './env.mjs';

const args = process.argv.slice(2);
const isOurs = ([name]) => !name.startsWith('PYO3_') && name !== 'CARGO' && name !== 'CARGO_ENCODED_RUSTFLAGS';
const env = Object.fromEntries(Object.entries(process.env).filter(isOurs));
const format = args[args.indexOf('--message-format') + 1];
const build = [...cargoBuild('rtoscope-python'), '--message-format', format];
const { status, error } = spawnSync('cargo', args[0] === 'rustc' ? build : args, { env, stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 1;
