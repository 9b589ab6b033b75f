import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import type { StartPentest } from '@sortie/contract';
import { readCatalogue } from '../../../server/src/billing/catalogue.ts';
import { openDatabase } from '../../../server/src/db/database.ts';
import { AppError } from '../../../server/src/errors/app-error.ts';
import { fingerprint } from '../../../server/src/http/fingerprint.ts';
import { createPentest, pentestKind } from '../../../server/src/pentests/pentests.ts';
import { createLog } from '../../../server/src/platform/log.ts';
import { overtaken } from '../../../server/src/starts/overtaken.ts';
import { createStartContext, type StartContext, startOnce } from '../../../server/src/starts/starts.ts';
import type { Attempt } from '../start-once/fleet.ts';
import { loadTestSecrets } from '../start-once/secrets.ts';

/** The order of a node without HTTP. It performs the start of each line on stdin, until stdin ends. */
export interface ProcessOrder {
  databaseUrl: string;
  catalogueFile: string;
  claimHeldMs: number;
}

export interface StartCommand {
  number: number;
  caller: { accountId: string; apiKeyId: string; userId: string };
  idempotencyKey: string;
  body: StartPentest;
}

/** The lines it writes to stdout. */
export type ProcessReport = { ready: true } | { begun: number } | { ended: number; attempt: Attempt };

const HOUR_MS = 60 * 60 * 1000;
const CONNECTIONS = 6;

await main(JSON.parse(process.argv[2] ?? '{}') as ProcessOrder);

async function main({ databaseUrl, catalogueFile, claimHeldMs }: ProcessOrder): Promise<void> {
  const { fingerprintKey, vaultKeys } = await loadTestSecrets(databaseUrl);
  const rules = { catalogue: readCatalogue(catalogueFile), vaultKeys };
  const database = openDatabase({ connectionString: databaseUrl }, { connections: CONNECTIONS });
  const starts = { claimHeldMs, givenUpAfterMs: HOUR_MS };
  // As in production, where faults cannot be injected.
  const context = createStartContext(database, { starts, environment: 'live' }, createLog('error'));

  async function start({ caller, idempotencyKey, body }: StartCommand): Promise<Attempt> {
    const asked = fingerprint(fingerprintKey.key, 'POST', '/v1/pentests', body);
    const request = { ...caller, idempotencyKey, fingerprint: asked };
    return attemptStart(context, request, (tx, runId) => createPentest(tx, runId, caller, body, rules));
  }

  await database.pool.query('select 1');
  createInterface(process.stdin)
    .on('line', async (line) => {
      const command = JSON.parse(line) as StartCommand;
      report({ begun: command.number });
      report({ ended: command.number, attempt: await start(command) });
    })
    .on('close', () => process.exit());
  // Halves the start time of the next process. A killed process would not write the cache.
  flushCompileCache();
  report({ ready: true });
}

/** Writes to pipes are synchronous, so the report is complete even if the process dies right after. */
function report(what: ProcessReport): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

type StartParameters = Parameters<typeof startOnce>;

async function attemptStart(
  context: StartContext,
  request: StartParameters[2],
  create: StartParameters[3],
): Promise<Attempt> {
  try {
    const { status, body, isReplay } = await startOnce(context, pentestKind, request, create);
    return status === 201
      ? { outcome: 'started', text: body, isReplay }
      : { outcome: 'wrong', what: `${status} ${body}` };
  } catch (error) {
    if (error instanceof AppError && error.code === 'IDEMPOTENCY_IN_PROGRESS') {
      return { outcome: 'in progress', isOvertaken: error.message === overtaken().message };
    }
    return { outcome: 'wrong', what: String(error) };
  }
}
