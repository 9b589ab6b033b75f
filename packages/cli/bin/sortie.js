#!/usr/bin/env node
// Plain JavaScript in old syntax: a Node that cannot run the rest must still be able to say what to do about it.
const NEEDED = [24, 12];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  import('node:module')
    .then(keepCompiledCode)
    .then(() => import('../src/main.ts'))
    .then(({ main }) => main(process.argv.slice(2)))
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
} else {
  process.stderr.write(
    `sortie needs Node ${NEEDED.join('.')} or later, and this is Node ${process.versions.node}.\n` +
      'In the project folder "npm start" and "npx sortie" use the Node that "npm ci" installed; elsewhere install Node 24.\n',
  );
  process.exitCode = 1;
}

/** In a folder of the user's own: what lies there is run as this user. It halves the time that loading takes. */
function keepCompiledCode({ enableCompileCache }) {
  const home = process.env.HOME;
  const caches = process.env.XDG_CACHE_HOME || (home && `${home}/.cache`);
  if (caches) enableCompileCache(`${caches}/sortie`);
}
