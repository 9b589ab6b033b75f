/**
 * The program of the engine's process: no database, no environment, no secrets but those of its runs. It ends with its
 * worker, whatever happens to that.
 */
import { openChannel } from './channel.ts';
import type { ToEngine } from './messages.ts';
import { type Reporter, runPentest } from './pentest.ts';
import { runScan } from './scan.ts';
import { watchParent } from './watchdog.ts';

const USER = /^--user=(\d+):(\d+)$/;

/** After all code is loaded: the user may not be able to read it. An order that cannot be read must not leave us root. */
function dropPrivileges(order: string | undefined): void {
  if (order === '--same-user') return;
  const [, uid, gid] = USER.exec(order ?? '') ?? [];
  if (uid === undefined || gid === undefined || !process.setgroups || !process.setgid || !process.setuid) {
    process.exit(1);
  }
  process.setgroups([Number(gid)]);
  process.setgid(Number(gid));
  process.setuid(Number(uid));
}

const saving = new Map<string, () => void>();

const reporter: Reporter = {
  enter: (phase) => tell({ type: 'phase', phase }),
  save(step) {
    tell({ type: 'step', ...step });
    return new Promise((resolve) => saving.set(step.name, resolve));
  },
};

async function obey(order: ToEngine): Promise<void> {
  if (order.type === 'saved') saving.get(order.name)?.();
  else if (order.type === 'pentest') tell({ type: 'over', ...(await runPentest(order, reporter)) });
  else tell({ type: 'scanned', scanId: order.scanId, result: await runScan(order) });
}

watchParent();
dropPrivileges(process.argv[2]);
const tell = openChannel((order) => void obey(order));
tell({ type: 'ready' });
