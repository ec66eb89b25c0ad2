// The app and the CLI as shipped: what the end-to-end suites start.
import { RUST, cargoBuild } from './env.mjs';
import { run } from './run.mjs';

export default () => run('cargo', [...cargoBuild('rtoscope-app'), '--bin', 'rtoscope'], { cwd: RUST });
