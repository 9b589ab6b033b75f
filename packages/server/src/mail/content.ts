import type { KeyObject } from 'node:crypto';
import { open, seal } from '../secrets/sealing.ts';
import { deriveKey, type ServiceKey } from '../secrets/service-secrets.ts';
import type { MailText } from './texts.ts';

/** Derives the key that seals the content of mails until they are sent. */
export const mailKeyOf = (fingerprintKey: ServiceKey): KeyObject => deriveKey(fingerprintKey, 'sortie mail');

const contextOf = (id: string) => ['mail', id] as const;

/** Encrypts the content of a mail, bound to its id: no other mail can be given this content. */
export const sealContent = (key: KeyObject, id: string, content: MailText): Buffer =>
  seal(key, Buffer.from(JSON.stringify(content)), contextOf(id));

/** Decrypts the content of a mail. Throws a `SealError` if it was sealed with another key. */
export const openContent = (key: KeyObject, id: string, sealed: Buffer): MailText =>
  JSON.parse(open(key, sealed, contextOf(id)).toString());
