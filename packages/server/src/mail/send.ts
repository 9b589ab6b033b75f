import type { KeyObject } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Log } from '../platform/log.ts';
import { SealError } from '../secrets/sealing.ts';
import { openContent } from './content.ts';
import { claimMail, markFailed, markSent } from './store.ts';
import type { MailText } from './texts.ts';
import type { Transport } from './transport.ts';

interface Sending {
  key: KeyObject;
  transport: Transport;
  log: Log;
}

/** Sends the due mails one after the other until one fails. The log names mails by id only. */
export async function sendDueMail({ pool }: Database, { key, transport, log }: Sending): Promise<void> {
  for (let claimed = await claimMail(pool); claimed; claimed = await claimMail(pool)) {
    const { id, recipient, sealed, attempts } = claimed;
    const content = tryToOpen(key, id, sealed);
    const delivery = content
      ? await transport.send({ id, to: recipient, ...content })
      : { isSent: false as const, failure: 'sealed with another SORTIE_FINGERPRINT_KEY', isFinal: true };
    if (delivery.isSent) {
      await markSent(pool, id);
      continue;
    }
    const { failure, isFinal } = delivery;
    log.warn(isFinal ? 'a mail was refused' : 'a mail was not sent, will retry', {
      mailId: id,
      reason: failure,
      count: attempts,
    });
    await markFailed(pool, id, failure, isFinal);
    // The others would probably fail in the same way, each after its own timeout. The next round continues with them.
    if (!isFinal) return;
  }
}

function tryToOpen(key: KeyObject, id: string, sealed: Buffer): MailText | undefined {
  try {
    return openContent(key, id, sealed);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
