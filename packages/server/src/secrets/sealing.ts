import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** Sealed data could not be opened. States neither its content nor the cause, because both would help an attacker. */
export class SealError extends Error {
  constructor(what: string) {
    super(`${what} cannot be opened: it was changed, moved, or sealed with another key`);
    this.name = 'SealError';
  }
}

/** The purpose and the owner of sealed data. It can only be opened with the same context. */
export type SealContext = readonly [purpose: string, ...owner: string[]];

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = 1;
const CONTENT_AT = NONCE_AT + NONCE_BYTES;

/**
 * Returns version, nonce, ciphertext and tag. Random nonces are safe, since a key seals far fewer than 2^32 messages.
 */
export function seal(key: KeyObject, plain: Buffer, context: SealContext): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(toAdditionalData(context));
  const content = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, content, cipher.getAuthTag()]);
}

/** Decrypts data sealed for this context. Throws a `SealError` if it was changed or has another context. */
export function open(key: KeyObject, sealed: Buffer, context: SealContext): Buffer {
  const [purpose] = context;
  if (sealed.length < CONTENT_AT + TAG_BYTES || sealed[0] !== VERSION) throw new SealError(purpose);
  const tagAt = sealed.length - TAG_BYTES;
  const nonce = sealed.subarray(NONCE_AT, CONTENT_AT);
  // Without an explicit length, a tag truncated to four bytes would be accepted, and four bytes can be guessed.
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

/** Encodes the context as JSON, so that no two contexts have the same encoding. */
function toAdditionalData(context: SealContext): Buffer {
  return Buffer.from(JSON.stringify(['sortie', VERSION, ...context]));
}
