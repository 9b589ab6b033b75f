import type { Database } from '../db/database.ts';
import type { RecurringJob } from '../jobs/recurring.ts';
import type { Log } from '../platform/log.ts';
import type { MailSettings } from '../platform/mail-settings.ts';
import type { ServiceKey } from '../secrets/service-secrets.ts';
import { createTransport, mailKeyOf, prepareMail, sendDueMail } from './mail.ts';

interface MailOptions {
  fingerprintKey: ServiceKey;
  settings: MailSettings | null;
  log: Log;
}

/** Returns the jobs that write and send mails. Every node writes mails; only nodes with a mail server send them. */
export function createMailJobs(database: Database, { fingerprintKey, settings, log }: MailOptions): RecurringJob[] {
  const key = mailKeyOf(fingerprintKey);
  const prepare = { name: 'prepare-mail', everySeconds: 1, run: () => prepareMail(database, key) };
  if (!settings) return [prepare];
  const transport = createTransport(settings);
  return [prepare, { name: 'send-mail', everySeconds: 1, run: () => sendDueMail(database, { key, transport, log }) }];
}
