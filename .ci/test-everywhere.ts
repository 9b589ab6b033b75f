/**
 * `npm run test:everywhere`: runs the README's test command on three clean clones of the last commit, as root in a folder
 * that others cannot enter, as root in one that they can, and as an ordinary user. For releases and for operators who
 * change where the service runs; about fifteen minutes on two cores.
 */
import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

interface Way {
  name: string;
  mode: number;
  user: { uid: number; gid: number };
}

const superuser = { uid: 0, gid: 0 };
const ways: Way[] = [
  { name: 'root in a closed folder', mode: 0o700, user: superuser },
  { name: 'root in an open folder', mode: 0o755, user: superuser },
  // Every system has this user; nobody has to create it.
  { name: 'an ordinary user', mode: 0o755, user: { uid: 65_534, gid: 65_534 } },
];

function run(command: string, args: string[], options: Parameters<typeof spawn>[2] = {}): Promise<number | null> {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
}

/** The settings of the npm that runs this belong to another user and folder, except for where packages come from. */
function environmentOf(home: string): NodeJS.ProcessEnv {
  const isForeign = (name: string) => name.startsWith('npm_') && name !== 'npm_config_registry';
  const kept = Object.entries(process.env).filter(([name]) => !isForeign(name));
  return { ...Object.fromEntries(kept), HOME: home, TMPDIR: tmpdir() };
}

/** Resolves to whether the tests passed. The folder of a failed run stays. */
async function testAs({ name, mode, user }: Way): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortie-everywhere-'));
  await chmod(folder, mode);
  await chown(folder, user.uid, user.gid);
  const home = path.join(folder, 'home');
  await mkdir(home);
  await chown(home, user.uid, user.gid);
  const clone = path.join(folder, 'sortie');
  const options = { ...user, env: environmentOf(home) };
  const bundle = path.join(folder, 'sortie.bundle');
  // A bundle, because git refuses to read the folder of another user.
  const steps: [string, string[], object][] = [
    ['git', ['-C', root, 'bundle', 'create', '--quiet', bundle, 'HEAD'], {}],
    ['chmod', ['0644', bundle], {}],
    ['git', ['-c', 'advice.detachedHead=false', 'clone', '--quiet', bundle, clone], options],
    ['sh', ['-c', 'npm ci && npm test'], { ...options, cwd: clone }],
  ];
  const startedAt = performance.now();
  for (const [command, args, more] of steps) {
    if ((await run(command, args, more)) === 0) continue;
    console.error(`Failed as ${name}: ${command} ${args.join(' ')}. Its clone is in ${folder}.`);
    return false;
  }
  console.log(`Passed as ${name}, in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
  await rm(folder, { recursive: true });
  return true;
}

if (process.getuid?.() === 0) {
  const passed: boolean[] = [];
  // One after another: each needs the whole machine.
  for (const way of ways) passed.push(await testAs(way));
  if (passed.includes(false)) process.exitCode = 1;
} else {
  console.error('Not started: two of the three ways are those of root. Run it as root, for example in a container.');
  process.exitCode = 1;
}
