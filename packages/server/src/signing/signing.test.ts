import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createVaultScene, type VaultScene } from '@sortie/testing/server/vault.ts';
import { createSecret } from '../platform/secret.ts';
import { loadSigningSource } from '../secrets/service-secrets.ts';
import type { PublicKey, SigningKey } from '../secrets/signing-key.ts';
import type { SigningSource } from '../secrets/signing-source.ts';
import { listPublishedKeys, publishSigningKey } from './signing.ts';

const none = { SORTIE_FINGERPRINT_KEY: undefined, SORTIE_VAULT_KEY: undefined };
const text = Buffer.from('a capsule');

let scene: VaultScene;
/** Of a server that runs all the time. */
let server: SigningSource;
before(async () => {
  scene = await createVaultScene({ connections: 2 });
  server = loadSigningSource(scene.folder.data, none);
  await publishSigningKey(scene.test.database.queries, server);
});
after(() => scene.end());

const published = (source = server) => listPublishedKeys(scene.test.database.queries, source);
const kidsOf = (keys: readonly PublicKey[]) => keys.map(({ kid }) => kid);

/** Returns whether a published key verifies the signature, as a reader of a capsule does it. */
function isAccepted(keys: readonly PublicKey[], { kid, signature }: { kid: string; signature: string }): boolean {
  const jwk = keys.find((key) => key.kid === kid);
  const key = jwk && createPublicKey({ key: { ...jwk }, format: 'jwk' });
  return key !== undefined && verify(null, text, key, Buffer.from(signature, 'base64url'));
}
const signedBy = ({ publicKey, sign }: SigningKey) => ({ kid: publicKey.kid, signature: sign(text) });

describe('the signing keys', () => {
  it('rotate under a running server; what the former key signed stays verifiable until it is revoked', async () => {
    const { signingKey } = scene.admin;
    const old = signedBy(server.current());
    assert.deepEqual(kidsOf(await published()), [old.kid]);
    const { current, former } = await signingKey.rotate({});
    assert.equal(former, old.kid);
    const fresh = signedBy(server.current());
    assert.equal(fresh.kid, current);
    const both = await published();
    assert.deepEqual(kidsOf(both).toSorted(), [current, former].toSorted());
    assert.deepEqual([isAccepted(both, old), isAccepted(both, fresh)], [true, true]);
    const { keys } = await signingKey.list({});
    assert.deepEqual(
      new Map(keys.map(({ id, state }) => [id, state])),
      new Map([
        [current, 'CURRENT'],
        [former, 'OLD'],
      ]),
    );

    await assert.rejects(signingKey.revoke({ key: current }), /is the current signing key\. Rotate it first/);
    await assert.rejects(signingKey.revoke({ key: 'unknown' }), /no published signing key unknown/);
    assert.deepEqual(await signingKey.revoke({ key: former }), { revoked: former });
    const left = await published();
    assert.deepEqual([isAccepted(left, old), isAccepted(left, fresh)], [false, true]);
    await assert.rejects(signingKey.revoke({ key: former }), /no published signing key/);
  });

  it('are kept beside the other keys, for the owner of the file only', async () => {
    const file = path.join(scene.folder.data, 'secrets.json');
    const keys = await scene.loadKeys();
    await scene.admin.signingKey.rotate({});
    await scene.admin.vault.rotate({});
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const stored = JSON.parse(await readFile(file, 'utf8'));
    assert.deepEqual(Object.keys(stored), ['fingerprintKey', 'vaultKeys', 'signingKey']);
    assert.ok(stored.vaultKeys.some(({ id }: { id: string }) => id === keys.current.id));
    const [first] = (await scene.admin.signingKey.list({})).keys;
    assert.deepEqual([first?.id, first?.state], [server.current().publicKey.kid, 'CURRENT']);
  });

  it('come from the operator with DATABASE_URL; the former one stays published there, too', async () => {
    const withKey = (filling: string) =>
      loadSigningSource(undefined, {
        ...none,
        SORTIE_FINGERPRINT_KEY: createSecret(Buffer.alloc(32, 'fingerprint').toString('base64')),
        ...(filling !== '' && { SORTIE_SIGNING_KEY: createSecret(Buffer.alloc(32, filling).toString('base64')) }),
      });
    const [derived, first, second] = [withKey(''), withKey('one'), withKey('two')];
    const kids = [derived, first, second].map((source) => source.current().publicKey.kid);
    assert.equal(new Set(kids).size, 3);
    for (const source of [derived, first, second]) await publishSigningKey(scene.test.database.queries, source);
    const listed = kidsOf(await published(second));
    assert.ok(kids.every((kid) => listed.includes(kid)));
    assert.equal(second.rotate, undefined);
  });
});
