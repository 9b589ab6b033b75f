/**
 * The program of the engine's process: no database, no environment, no secrets but those of its runs. It ends with its
 * worker, whatever happens to that.
 */
import type { FromEngine, ToEngine } from './messages.ts';
import { type Reporter, runPentest } from './pentest.ts';
import { runScan } from './scan.ts';

const USER = /^--user=(\d+):(\d+)$/;

/** After all code is loaded: the user may not be able to read it. */
function dropPrivileges(): void {
  const [, uid, gid] = USER.exec(process.argv[2] ?? '') ?? [];
  if (uid === undefined || gid === undefined) return;
  process.setgroups?.([Number(gid)]);
  process.setgid?.(Number(gid));
  process.setuid?.(Number(uid));
}

const tell = (message: FromEngine) => void process.send?.(message);

const saving = new Map<string, () => void>();

const reporter: Reporter = {
  enter: (phase) => tell({ type: 'phase', phase }),
  save(step) {
    tell({ type: 'step', ...step });
    return new Promise((resolve) => saving.set(step.name, resolve));
  },
};

async function obey(message: ToEngine): Promise<void> {
  if (message.type === 'saved') saving.get(message.name)?.();
  else if (message.type === 'pentest') tell({ type: 'over', ...(await runPentest(message, reporter)) });
  else tell({ type: 'scanned', scanId: message.scanId, result: await runScan(message) });
}

dropPrivileges();
process.on('disconnect', () => process.exit());
process.on('message', (message) => void obey(message as ToEngine));
tell({ type: 'ready' });
