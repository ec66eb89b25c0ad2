// `node scripts/enter.cjs NAME ARGS` runs scripts/NAME.mjs. Written in the oldest JavaScript, so that an old Node
// prints a sentence and not a syntax error.
'use strict';
var version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  console.error(
    'RTOscope needs Node.js 20.19 or newer; this is ' +
      process.version +
      '.\n' +
      'Install a current one from https://nodejs.org/en/download and run the command again.',
  );
  process.exit(1);
}
import('./' + process.argv[2] + '.mjs')
  .then(function (script) {
    return script.default(process.argv.slice(3));
  })
  .then(function (code) {
    process.exitCode = code || 0;
  })
  .catch(function (error) {
    // A Stop is an expected end; anything else is a bug and needs its stack.
    console.error(error.name === 'Stop' ? error.message : error);
    process.exitCode = 1;
  });
