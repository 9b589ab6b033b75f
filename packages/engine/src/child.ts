/**
 * What the engine's process does: no database, no environment, no secrets but those of its runs. It ends with its
 * worker, whatever happens to that.
 */
import { flushCompileCache } from 'node:module';
import { openChannel } from './channel.ts';
import type { FromEngine, ToEngine } from './messages.ts';
import type { Reporter } from './reporter.ts';
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
  went: (egress) => tell({ type: 'egress', egress }),
  save(step) {
    tell({ type: 'step', ...step });
    return new Promise((resolve) => saving.set(step.name, resolve));
  },
};

/** Only what it is there for, and all of it: later its files may be out of reach. */
async function load(kind: string | undefined): Promise<(order: Work) => Promise<FromEngine>> {
  if (kind === '--looks') {
    const { look } = await import('./look.ts');
    return async (order) => (order.type === 'pentest' ? unexpected(order) : look(order));
  }
  if (kind === '--script') {
    const { playScript } = await import('./scripted-pentest.ts');
    return async (order) => {
      if (order.type !== 'pentest' || !order.script) return unexpected(order);
      return { type: 'over', ...(await playScript(order.script, order, reporter)) };
    };
  }
  const { runPentest } = await import('./pentest.ts');
  if (kind === '--pentest-with-browser') await import('playwright-core');
  return async (order) => {
    if (order.type !== 'pentest' || order.script) return unexpected(order);
    const ended = await runPentest(order, reporter);
    return ended === 'paused' ? { type: 'paused' } : { type: 'over', ...ended };
  };
}

type Work = Exclude<ToEngine, { type: 'saved' }>;

function unexpected({ type }: Work): never {
  throw new Error(`this engine was not started for a ${type}`);
}

const [, , user, kind] = process.argv;

watchParent();
const carryOut = await load(kind);
// As long as we may write there: an engine must not be able to leave code for the next one.
flushCompileCache();
dropPrivileges(user);
const tell = openChannel(async (order) => {
  if (order.type === 'saved') saving.get(order.name)?.();
  else tell(await carryOut(order));
});
tell({ type: 'ready' });
