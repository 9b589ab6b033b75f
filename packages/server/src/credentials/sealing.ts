import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** Says that something did not open, and never what was in it or why: both would help whoever tampers. */
export class SealError extends Error {
  constructor(what: string) {
    super(`${what} cannot be opened: it was changed, moved, or sealed with another key`);
    this.name = 'SealError';
  }
}

/** What is sealed opens only under the same context: what it is for, and whose it is. */
export type SealContext = readonly [purpose: string, ...owner: string[]];

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = 1;
const CONTENT_AT = NONCE_AT + NONCE_BYTES;

/** Version, nonce, ciphertext, tag. Nonces are random: a key seals far fewer than the 2^32 messages that allows. */
export function seal(key: KeyObject, plain: Buffer, context: SealContext): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(toAdditionalData(context));
  const content = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, content, cipher.getAuthTag()]);
}

export function open(key: KeyObject, sealed: Buffer, context: SealContext): Buffer {
  const [purpose] = context;
  if (sealed.length < CONTENT_AT + TAG_BYTES || sealed[0] !== VERSION) throw new SealError(purpose);
  const tagAt = sealed.length - TAG_BYTES;
  const nonce = sealed.subarray(NONCE_AT, CONTENT_AT);
  // Without the length, a tag cut down to four bytes would be accepted, and four bytes can be guessed.
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(toAdditionalData(context));
  decipher.setAuthTag(sealed.subarray(tagAt));
  const unverified = decipher.update(sealed.subarray(CONTENT_AT, tagAt));
  try {
    decipher.final();
  } catch {
    unverified.fill(0);
    throw new SealError(purpose);
  }
  return unverified;
}

/** As JSON, so that no name can be cut in two to pass for another context. */
function toAdditionalData(context: SealContext): Buffer {
  return Buffer.from(JSON.stringify(['sortie', VERSION, ...context]));
}
