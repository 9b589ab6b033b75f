import {
  createLog,
  createSecret,
  createTransport,
  loadServiceSecrets,
  mailKeyOf,
  type openDatabase,
  prepareMail,
  sendDueMail,
} from '../inside/server.ts';
import { serviceKeys } from '../server/service-keys.ts';

export interface MailQueue {
  /** Writes and sends the mails that are due, as a server does every few seconds. */
  work(): Promise<void>;
}

/** Works on the mails of servers under test, which share their keys, so that tests need not wait for them. */
export async function openMailQueue(
  database: ReturnType<typeof openDatabase>,
  mailServerUrl: string,
): Promise<MailQueue> {
  const { hostname: host, port } = new URL(mailServerUrl);
  const { fingerprintKey } = await loadServiceSecrets({
    dataDir: '',
    databaseUrl: 'given',
    variables: {
      SORTIE_FINGERPRINT_KEY: createSecret(serviceKeys.SORTIE_FINGERPRINT_KEY),
      SORTIE_VAULT_KEY: createSecret(serviceKeys.SORTIE_VAULT_KEY),
    },
  });
  const key = mailKeyOf(fingerprintKey);
  const from = 'Sortie <sortie@example.com>';
  const transport = createTransport({ host, port: Number(port), tls: 'optional', login: null, from });
  const log = createLog('error');
  return {
    async work() {
      await prepareMail(database, key);
      await sendDueMail(database, { key, transport, log });
    },
  };
}
