import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { inspect, promisify } from 'node:util';
import { findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import { readConfig, readSecretVariables } from '../config/config.ts';
import { StartupError } from '../errors/startup-error.ts';
import { addVaultKey, loadServiceSecrets, loadVaultKeys, removeVaultKeys } from './service-secrets.ts';

type Secrets = Awaited<ReturnType<typeof loadServiceSecrets>>;

const none = { SORTIE_FINGERPRINT_KEY: undefined, SORTIE_VAULT_KEY: undefined };
const keysOf = ({ fingerprintKey, vaultKeys }: Secrets) => [fingerprintKey, ...vaultKeys.all()];
const bytesOf = (secrets: Secrets) => keysOf(secrets).map(({ key }) => key.export());
const idsOf = (secrets: Secrets) => keysOf(secrets).map(({ id }) => id);

describe('the secrets of the service with the embedded database', () => {
  let folder: TestFolder;
  let file: string;
  const load = () => loadServiceSecrets({ dataDir: folder.data, databaseUrl: undefined, variables: none });

  beforeEach(async () => {
    folder = await createTestFolder();
    await mkdir(folder.data);
    file = path.join(folder.data, 'secrets.json');
  });
  afterEach(() => folder.remove());

  it('are made once and kept in a file for its owner only', async () => {
    const secrets = await load();
    const [fingerprintKey, vaultKey] = bytesOf(secrets);
    assert.equal(fingerprintKey?.length, 32);
    assert.equal(vaultKey?.length, 32);
    assert.notDeepEqual(fingerprintKey, vaultKey);
    assert.deepEqual(await readdir(folder.data), ['secrets.json']);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const again = await load();
    assert.deepEqual(bytesOf(again), bytesOf(secrets));
    assert.deepEqual(idsOf(again), idsOf(secrets));
  });

  it('stay private after a restore that made the file readable', async () => {
    await load();
    await chmod(file, 0o644);
    await load();
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('are the same for starts at the same moment', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, load));
    const [first] = all.map((one) => bytesOf(one));
    for (const one of all) assert.deepEqual(bytesOf(one), first);
    assert.deepEqual(await readdir(folder.data), ['secrets.json']);
  });

  it('are the same for processes that start at the same moment', async () => {
    const script = `
      const { loadServiceSecrets } = await import(${JSON.stringify(path.join(import.meta.dirname, 'service-secrets.ts'))});
      const secrets = await loadServiceSecrets({ dataDir: process.argv[1], databaseUrl: undefined, variables: {} });
      console.log(secrets.fingerprintKey.id, secrets.vaultKeys.current.id);`;
    const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, folder.data]);
    const printed = (await Promise.all(Array.from({ length: 4 }, start))).map(({ stdout }) => stdout.trim());
    assert.deepEqual(printed, Array(4).fill(idsOf(await load()).join(' ')));
  });

  it('are refused from a damaged file, which is left alone', async () => {
    await load();
    const whole = await readFile(file, 'utf8');
    const {
      fingerprintKey,
      vaultKeys: [vaultKey],
    } = JSON.parse(whole);
    const digit = vaultKey.key[5] === 'A' ? 'B' : 'A';
    const otherKey = vaultKey.key.slice(0, 5) + digit + vaultKey.key.slice(6);
    const damages = {
      empty: '',
      'cut off': whole.slice(0, whole.length / 2),
      'not an object': '[]',
      'without a key': JSON.stringify({ vaultKeys: [vaultKey] }),
      'without a vault key': JSON.stringify({ fingerprintKey, vaultKeys: [] }),
      'of both formats': JSON.stringify({ fingerprintKey, vaultKey, vaultKeys: [vaultKey] }),
      'with a changed key': whole.replace(vaultKey.key, otherKey),
      'with a shorter key': whole.replace(vaultKey.key, randomBytes(16).toString('base64')),
      'with a changed id': whole.replace(vaultKey.id, '0000000000000000'),
    };
    for (const [name, damaged] of Object.entries(damages)) {
      await writeFile(file, damaged);
      await assert.rejects(
        load(),
        (error) => error instanceof StartupError && /secrets\.json is damaged/.test(error.message),
        name,
      );
      const shown = await load().catch((error) => inspect(error, { depth: 10 }));
      assert.deepEqual(findLeaks(String(shown), { vaultKey: vaultKey.key, otherKey }), [], name);
      assert.equal(await readFile(file, 'utf8'), damaged, name);
    }
  });

  it('do not depend on the variables, which belong to another database', async () => {
    const before = await load();
    const { secretVariables: variables } = readConfig({}, { SORTIE_VAULT_KEY: randomBytes(32).toString('hex') });
    const after = await loadServiceSecrets({ dataDir: folder.data, databaseUrl: undefined, variables });
    assert.deepEqual(bytesOf(after), bytesOf(before));
  });

  it('are read from the file of an earlier release, which is written anew when a key is added', async () => {
    const { fingerprintKey, vaultKeys } = await load().then(async () => JSON.parse(await readFile(file, 'utf8')));
    const earlier = JSON.stringify({ fingerprintKey, vaultKey: vaultKeys[0] });
    await writeFile(file, earlier);
    assert.deepEqual(idsOf(await load()), [fingerprintKey.id, vaultKeys[0].id]);
    assert.equal(await readFile(file, 'utf8'), earlier);
    const added = await addVaultKey(folder.data);
    assert.deepEqual(idsOf(await load()), [fingerprintKey.id, added.id, vaultKeys[0].id]);
    assert.deepEqual(Object.keys(JSON.parse(await readFile(file, 'utf8'))), ['fingerprintKey', 'vaultKeys']);
  });

  it('get a new vault key in a file that is still for its owner only, and lose old ones, never the current one', async () => {
    const [fingerprintId = '', first = ''] = idsOf(await load());
    const { id: second } = await addVaultKey(folder.data);
    const { id: third } = await addVaultKey(folder.data);
    assert.deepEqual(idsOf(await load()), [fingerprintId, third, second, first]);
    await removeVaultKeys(folder.data, [third, first]);
    assert.deepEqual(idsOf(await load()), [fingerprintId, third, second]);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder.data), ['secrets.json']);
  });

  it('keep their owner when root changes them', async () => {
    await load();
    const own = await stat(file);
    // Only root can change a file's owner; for any other user the owner to keep is the user itself.
    const owner = process.getuid?.() === 0 ? [12_345, 12_346] : [own.uid, own.gid];
    await chown(file, owner[0] ?? 0, owner[1] ?? 0);
    await addVaultKey(folder.data);
    const { uid, gid } = await stat(file);
    assert.deepEqual([uid, gid], owner);
  });

  it('are looked for again by a running server that meets a key it does not know', async () => {
    const { vaultKeys } = await load();
    const { id: first } = vaultKeys.current;
    const { id: second } = await addVaultKey(folder.data);
    assert.equal(vaultKeys.current.id, first);
    assert.equal(vaultKeys.find('0000000000000000'), undefined);
    assert.equal(vaultKeys.find(second)?.id, second);
    assert.deepEqual([vaultKeys.current.id, vaultKeys.find(first)?.id], [second, first]);
  });

  it('are not made by commands beside a server, which say that the file is missing', async () => {
    assert.throws(() => loadVaultKeys(folder.data, none), /secrets\.json is missing\. Restore it/);
    assert.deepEqual(await readdir(folder.data), []);
    const [, vaultKey] = idsOf(await load());
    assert.equal(loadVaultKeys(folder.data, none).current.id, vaultKey);
  });

  it('cannot be printed', async () => {
    const secrets = await load();
    const { fingerprintKey, vaultKeys } = JSON.parse(await readFile(file, 'utf8'));
    const canaries = { fingerprintKey: fingerprintKey.key, vaultKey: vaultKeys[0].key };
    const printed = inspect(secrets, { depth: 10, showHidden: true }) + JSON.stringify(secrets);
    assert.deepEqual(findLeaks(printed, canaries), []);
    const bytes = Object.fromEntries(bytesOf(secrets).map((key, at) => [at, key.toString('hex')]));
    assert.deepEqual(findLeaks(printed, bytes), []);
  });
});

describe('the secrets of the service with DATABASE_URL', () => {
  const databaseUrl = 'postgres://db.example/sortie';
  const load = (given: Record<string, string>) => {
    const { secretVariables: variables } = readConfig({}, given);
    return loadServiceSecrets({ dataDir: '/nowhere', databaseUrl, variables });
  };
  const refuses = (given: Record<string, string>, message: RegExp) =>
    assert.rejects(load(given), (error) => error instanceof StartupError && message.test(error.message));
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const asBase64 = { SORTIE_FINGERPRINT_KEY: first.toString('base64'), SORTIE_VAULT_KEY: second.toString('base64') };

  it('are taken from the variables, in base64 or hex', async () => {
    assert.deepEqual(bytesOf(await load(asBase64)), [first, second]);
    const asHex = {
      SORTIE_FINGERPRINT_KEY: first.toString('hex'),
      SORTIE_VAULT_KEY: `${second.toString('hex').toUpperCase()}\n`,
    };
    assert.deepEqual(bytesOf(await load(asHex)), [first, second]);
    assert.deepEqual(idsOf(await load(asHex)), idsOf(await load(asBase64)));
  });

  it('are asked for by name, with the way to make them', async () => {
    await refuses({}, /^SORTIE_FINGERPRINT_KEY is not set: .*openssl rand -base64 32/);
    await refuses({ ...asBase64, SORTIE_VAULT_KEY: '' }, /SORTIE_VAULT_KEY.*openssl rand -base64 32/);
  });

  it('are refused when they are not 32 bytes, without being quoted', async () => {
    for (const wrong of [
      'correct horse battery staple',
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      randomBytes(16).toString('hex'),
      `${asBase64.SORTIE_VAULT_KEY.slice(0, 20)} ${asBase64.SORTIE_VAULT_KEY.slice(20)}`,
      `${asBase64.SORTIE_VAULT_KEY.slice(0, 20)}!${asBase64.SORTIE_VAULT_KEY.slice(20)}`,
    ]) {
      const given = { ...asBase64, SORTIE_VAULT_KEY: wrong };
      await refuses(given, /^SORTIE_VAULT_KEY is not a key of 32 bytes.*openssl rand -base64 32/);
      await assert.rejects(load(given), (error) => !inspect(error).includes(wrong));
    }
  });

  it('are refused when one key is used for both', async () => {
    await refuses({ ...asBase64, SORTIE_VAULT_KEY: first.toString('hex') }, /two different keys/);
  });

  it('have old vault keys, separated by commas, which open and do not seal', async () => {
    const [third, fourth] = [randomBytes(32), randomBytes(32)];
    const old = `${third.toString('hex')}, ${fourth.toString('base64')},${second.toString('hex')}`;
    const secrets = await load({ ...asBase64, SORTIE_VAULT_OLD_KEYS: old });
    assert.deepEqual(bytesOf(secrets), [first, second, third, fourth]);
    assert.deepEqual(secrets.vaultKeys.current.key.export(), second);
    for (const key of secrets.vaultKeys.all()) assert.equal(secrets.vaultKeys.find(key.id), key);
    assert.equal(secrets.vaultKeys.find(secrets.fingerprintKey.id), undefined);
    for (const wrong of [`${third.toString('hex')},`, 'abc', `${third.toString('hex')};${fourth.toString('hex')}`]) {
      const given = { ...asBase64, SORTIE_VAULT_OLD_KEYS: wrong };
      await refuses(
        given,
        /^An entry of SORTIE_VAULT_OLD_KEYS is not a key of 32 bytes.*earlier values of SORTIE_VAULT_KEY/,
      );
      await assert.rejects(load(given), (error) => !inspect(error).includes(third.toString('hex')));
    }
    await refuses(
      { ...asBase64, SORTIE_VAULT_OLD_KEYS: first.toString('hex') },
      /OLD_KEYS are equal, but must be two different keys/,
    );
  });

  it('are asked for by commands, which need the vault keys only', async () => {
    const { SORTIE_FINGERPRINT_KEY: _, ...vaultOnly } = readSecretVariables(asBase64);
    const variables = { SORTIE_FINGERPRINT_KEY: undefined, ...vaultOnly };
    assert.deepEqual(loadVaultKeys(undefined, variables).current.key.export(), second);
    assert.throws(
      () => loadVaultKeys(undefined, none),
      /^StartupError: SORTIE_VAULT_KEY is not set\. Set it and SORTIE_VAULT_OLD_KEYS /,
    );
  });

  it('keep their id when they move out of a data folder', async () => {
    const folder = await createTestFolder();
    try {
      await mkdir(folder.data);
      const before = await loadServiceSecrets({ dataDir: folder.data, databaseUrl: undefined, variables: none });
      const stored = JSON.parse(await readFile(path.join(folder.data, 'secrets.json'), 'utf8'));
      const after = await load({
        SORTIE_FINGERPRINT_KEY: stored.fingerprintKey.key,
        SORTIE_VAULT_KEY: stored.vaultKeys[0].key,
      });
      assert.deepEqual(idsOf(after), idsOf(before));
    } finally {
      await folder.remove();
    }
  });
});
