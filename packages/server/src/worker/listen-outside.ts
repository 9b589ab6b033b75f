import type { KeyObject } from 'node:crypto';
import { loadListener } from '@sortie/engine';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { StartupError } from '../errors/startup-error.ts';
import { announceListener, recordCall, withdrawListener } from '../outside/outside.ts';
import { describeError, type Log } from '../platform/log.ts';

const ANNOUNCE_EVERY_MS = 15_000;

interface Listening {
  database: Database;
  listener: NonNullable<Config['listener']>;
  key: KeyObject;
  log: Log;
}

/**
 * Starts the callback listener for the runs of all nodes: stores the callbacks, and announces its address to every
 * node.
 */
export async function listenOutside({ database, listener, key, log }: Listening): Promise<{ stop(): Promise<void> }> {
  const { queries } = database;
  const { startListener } = await loadListener();
  const { close } = await startListener({
    service: key,
    http: listener.http,
    dns: listener.dns,
    onCall: (call) => recordCall(queries, call),
    onFailure: (error) => log.warn('a callback could not be stored', describeError(error)),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(
      `The listener cannot be started (${error.code}). Change SORTIE_LISTENER_HTTP or SORTIE_LISTENER_DNS, or leave SORTIE_LISTENER_URL out.`,
      { cause: error },
    );
  });
  await announceListener(queries, listener);
  const announcing = setInterval(() => {
    announceListener(queries, listener).catch((error: unknown) =>
      log.warn('the listener could not be announced', describeError(error)),
    );
  }, ANNOUNCE_EVERY_MS);
  return {
    async stop() {
      clearInterval(announcing);
      await close();
      await withdrawListener(queries, listener);
    },
  };
}
