import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Credential } from '../db/schema.ts';
import { createSecret, type Secret } from '../platform/secret.ts';
import { open, SealError, seal } from '../secrets/sealing.ts';
import type { ServiceKey } from '../secrets/service-secrets.ts';

/** The owner of test accounts: values sealed for one run cannot be opened for another. */
export interface RunOwner {
  accountId: string;
  runId: string;
}

/** Fields that are encrypted. Instructions and token URLs should contain no secrets, but users paste them there. */
export const sealedFields = ['user', 'pass', 'totpSecret', 'instructions', 'tokenUrl', 'scope', 'audience'] as const;
type SealedField = (typeof sealedFields)[number];
type RequiredField = Extract<SealedField, 'user' | 'pass'>;

type FieldsOf<Value> = Record<RequiredField, Value> & Record<Exclude<SealedField, RequiredField>, Value | null>;

/** The part that is not secret. It is authenticated: changing any of it makes the sealed fields unusable. */
interface ClearPart {
  name: string;
  kind: NonNullable<Credential['kind']>;
  mode: NonNullable<Credential['mode']>;
  location: NonNullable<Credential['location']>;
}

interface SealedCredential extends ClearPart {
  sealed: FieldsOf<Buffer>;
}

/** A decrypted test account of a run. */
export interface OpenedCredential extends ClearPart, FieldsOf<Secret> {}

export interface WrappedKey extends RunOwner {
  keyId: string;
  wrappedKey: Buffer;
}

export interface SealedRun extends WrappedKey {
  credentials: SealedCredential[];
}

/** A text sealed with a data key of its own; `runId` is the id of the text. */
export interface SealedText extends WrappedKey {
  sealed: Buffer;
}

/** Encrypts a text with a data key of its own, which the vault key wraps. */
export function sealText(vaultKey: ServiceKey, owner: RunOwner, text: string): SealedText {
  const { dataKey, ...key } = createDataKey(vaultKey, owner);
  return { ...key, sealed: seal(dataKey, Buffer.from(text), textContext(owner)) };
}

/** Decrypts a text. Throws if it was sealed with another key or for another owner. */
export function openText(vaultKey: ServiceKey, text: SealedText): Secret {
  const bytes = open(openDataKey(vaultKey, text), text.sealed, textContext(text));
  const secret = createSecret(bytes.toString());
  bytes.fill(0);
  return secret;
}

/** Encrypts the test accounts of a run with a data key of their own, which the vault key wraps. */
export function sealRun(vaultKey: ServiceKey, owner: RunOwner, credentials: readonly Credential[]): SealedRun {
  const { dataKey, ...key } = createDataKey(vaultKey, owner);
  return {
    ...key,
    credentials: credentials.map((credential) => sealCredential(dataKey, owner, credential)),
  };
}

/** Decrypts all test accounts of a run. Throws if any part was changed, since the whole set is then untrustworthy. */
export function openRun(vaultKey: ServiceKey, run: SealedRun): OpenedCredential[] {
  const dataKey = openDataKey(vaultKey, run);
  return run.credentials.map((credential) => openCredential(dataKey, run, credential));
}

/** Wraps the same data key with another vault key. Values sealed with the data key stay unchanged. */
export function rewrap(from: ServiceKey, to: ServiceKey, { wrappedKey, ...owner }: WrappedKey): Buffer {
  const bytes = open(from.key, wrappedKey, keyContext(owner, from.id));
  const wrapped = seal(to.key, bytes, keyContext(owner, to.id));
  bytes.fill(0);
  return wrapped;
}

function createDataKey(vaultKey: ServiceKey, owner: RunOwner): WrappedKey & { dataKey: KeyObject } {
  const { accountId, runId } = owner;
  const bytes = randomBytes(32);
  const dataKey = createSecretKey(bytes);
  const wrappedKey = seal(vaultKey.key, bytes, keyContext(owner, vaultKey.id));
  bytes.fill(0);
  return { dataKey, accountId, runId, keyId: vaultKey.id, wrappedKey };
}

function openDataKey(vaultKey: ServiceKey, wrapped: WrappedKey): KeyObject {
  if (wrapped.keyId !== vaultKey.id) throw new SealError('data key');
  const bytes = open(vaultKey.key, wrapped.wrappedKey, keyContext(wrapped, wrapped.keyId));
  const dataKey = createSecretKey(bytes);
  bytes.fill(0);
  return dataKey;
}

function keyContext({ accountId, runId }: RunOwner, keyId: string) {
  return ['data key', keyId, accountId, runId] as const;
}

const textContext = ({ accountId, runId }: RunOwner) => ['API description', accountId, runId] as const;

function fieldContext({ accountId, runId }: RunOwner, { name, kind, mode, location }: ClearPart, field: SealedField) {
  return ['credential field', accountId, runId, name, field, kind, mode, location] as const;
}

function sealCredential(dataKey: KeyObject, owner: RunOwner, credential: Credential): SealedCredential {
  const { name, kind = 'FORM_LOGIN', mode = 'auto', location = 'header' } = credential;
  const clear = { name, kind, mode, location };
  const sealed = mapFields(credential, (value, field) =>
    seal(dataKey, Buffer.from(value), fieldContext(owner, clear, field)),
  );
  return { ...clear, sealed };
}

function openCredential(dataKey: KeyObject, owner: RunOwner, credential: SealedCredential): OpenedCredential {
  const { sealed, ...clear } = credential;
  const opened = mapFields(sealed, (value, field) => {
    const bytes = open(dataKey, value, fieldContext(owner, clear, field));
    const secret = createSecret(bytes.toString());
    bytes.fill(0);
    return secret;
  });
  return { ...clear, ...opened };
}

type Given<Value> = Record<RequiredField, Value> & { [field in SealedField]?: Value | null | undefined };

function mapFields<From, To>(given: Given<From>, change: (value: From, field: SealedField) => To): FieldsOf<To> {
  const changed = sealedFields.map((field) => {
    const value = given[field] ?? null;
    return [field, value === null ? null : change(value, field)];
  });
  return Object.fromEntries(changed);
}
