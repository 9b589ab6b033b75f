import type { Config } from '../config/config.ts';
import { createTransport } from '../mail/mail.ts';
import { type Diagnosis, passed } from './diagnosis.ts';

const name = 'mail';

/** Connects to the mail server, if one is configured, and authenticates. Sends nothing. */
export async function checkMail({ mail }: Pick<Config, 'mail'>): Promise<Diagnosis> {
  if (mail === null) return passed(name, 'SORTIE_SMTP_URL is not set: "sortie admin mail list" shows the mails');
  const place = `${mail.host}:${mail.port}`;
  const failure = await createTransport(mail).check();
  if (failure === undefined) return passed(name, `${place} accepts mails from ${mail.from}`);
  const cure = 'Correct SORTIE_SMTP_URL and SORTIE_SMTP_PASSWORD, or start the mail server. Mails wait until then.';
  return { name, state: 'warning', detail: `${place}: ${failure}`, cure };
}
