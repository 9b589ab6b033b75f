/**
 * The program of the engine's process: no database, no environment, no secrets but those of its runs. It ends with its
 * worker, whatever happens to that.
 */
import { openChannel } from './channel.ts';
import { checkOwnership } from './check-ownership.ts';
import { createSender, type SenderOptions } from './http/create-sender.ts';
import type { Sender } from './http/sender.ts';
import type { FromEngine, ToEngine } from './messages.ts';
import { runPentest } from './pentest.ts';
import type { Reporter } from './reporter.ts';
import { runScan, scanLimits } from './scan.ts';
import { createNameLookUp } from './target/resolve.ts';
import { createLookScope } from './target/scope.ts';
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

async function obey(order: ToEngine): Promise<void> {
  if (order.type === 'saved') saving.get(order.name)?.();
  else tell(await carryOut(order));
}

async function carryOut(order: Exclude<ToEngine, { type: 'saved' }>): Promise<FromEngine> {
  if (order.type === 'pentest') {
    const ended = await runPentest(order, reporter);
    return ended === 'paused' ? { type: 'paused' } : { type: 'over', ...ended };
  }
  if (order.type === 'scan') {
    const { scanId, network } = order;
    // A bad certificate is something to report, not the end of the scan.
    return looking({ network, runId: scanId, verifyTls: false }, async (sender) => {
      const result = await runScan(order, { sender });
      return { type: 'scanned', scanId, result, egress: sender.takeEgress() };
    });
  }
  const { checkId, network } = order;
  return looking({ network, runId: checkId }, async (sender) => {
    const resolver = createNameLookUp(network.resolvers);
    const result = await checkOwnership(order, { sender, resolver, egress: sender.takeEgress });
    return { type: 'owned', checkId, result };
  });
}

/** With a sender that only looks, and never longer than a scan. */
async function looking<T>(
  options: Pick<SenderOptions, 'network' | 'runId' | 'verifyTls'>,
  look: (sender: Sender) => Promise<T>,
): Promise<T> {
  const sender = createSender({ ...options, scope: createLookScope(), limits: scanLimits });
  try {
    return await look(sender);
  } finally {
    await sender.close();
  }
}

watchParent();
// Its files may be out of reach later.
if (process.argv.includes('--with-browser')) await import('playwright-core');
dropPrivileges(process.argv[2]);
const tell = openChannel((order) => void obey(order));
tell({ type: 'ready' });
