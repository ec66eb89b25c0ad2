// `npm start [-- FILE...]`: sets up, builds, and opens the window.
import { RUST, binary, cargoBuild, typedIn } from './env.mjs';
import { buildPage } from './page.mjs';
import { Stop, run } from './run.mjs';
import { setup } from './setup.mjs';

export default async function (args) {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    throw new Stop(
      'There is no display here (DISPLAY and WAYLAND_DISPLAY are not set), so there can be no window.\n' +
        'The same analyses run on the command line:\n\n  npm run -s rtoscope -- --help\n',
    );
  }
  await setup();
  await buildPage();
  const code = await run('cargo', cargoBuild('rtoscope-app'), { cwd: RUST });
  if (code !== 0) throw new Stop('The app could not be built; the message is above.');
  return run(binary('rtoscope-app'), args, { cwd: typedIn('start') });
}
