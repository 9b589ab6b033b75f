import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createCommands } from '@sortie/testing/cli/commands.ts';
import { createCanary, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { serviceKeys } from '@sortie/testing/server/service-keys.ts';
import { loadTestSecrets } from '@sortie/testing/start-once/secrets.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { sealCredentials } from '../../../../server/src/credentials/credentials.ts';
import { inTransaction } from '../../../../server/src/db/database.ts';
import type { VaultKeys } from '../../../../server/src/secrets/service-secrets.ts';

const newKey = Buffer.alloc(32, 'another vault').toString('base64');
const rotatedKeys = { SORTIE_VAULT_KEY: newKey, SORTIE_VAULT_OLD_KEYS: serviceKeys.SORTIE_VAULT_KEY };

const canaries = { pass: createCanary('url'), instructions: createCanary(), totpSecret: createCanary('url') };
const credentials = [
  { name: 'customer', user: 'customer@example.com', ...canaries },
  { name: 'clerk', kind: 'BASIC_AUTH' as const, user: 'clerk', pass: '' },
];

let scene: ReviewScene;
let vaultKeys: VaultKeys;
before(async () => {
  scene = await createReviewScene();
  vaultKeys = (await loadTestSecrets(scene.test.url)).vaultKeys;
});
after(() => scene.end());

const { run } = createCommands('');

const admin = (args: readonly string[], keys: Record<string, string> = serviceKeys) =>
  run(['admin', ...args], { env: { DATABASE_URL: scene.test.url, ...keys } });

async function takenRun(): Promise<string> {
  const runId = await scene.completeRun();
  const { accountId } = scene.owner;
  await inTransaction(scene.test.database, (tx) => sealCredentials(tx, vaultKeys, { accountId, runId, credentials }));
  await scene.admin.review.take({ run: runId, reviewer: scene.ada });
  return runId;
}

const WARNING =
  'Warning: these are secrets of the account. This access is recorded in the audit log. Do not keep a copy.\n';

describe('sortie admin review reveal', () => {
  it('prints the values on stdout, those that a terminal would change as JSON, and a warning on stderr', async () => {
    const run = await takenRun();
    const { exitCode, stdout, stderr } = await admin(['review', 'reveal', run, '--reviewer', scene.ada]);
    assert.deepEqual([exitCode, stderr], [0, WARNING]);
    assert.equal(
      stdout,
      [
        'name          customer',
        'kind          FORM_LOGIN',
        'mode          auto',
        'location      header',
        'user          customer@example.com',
        `pass          ${canaries.pass}`,
        `totpSecret    ${canaries.totpSecret}`,
        `instructions  ${JSON.stringify(canaries.instructions)}`,
        '',
        'name      clerk',
        'kind      BASIC_AUTH',
        'mode      auto',
        'location  header',
        'user      clerk',
        'pass      ""',
        '',
      ].join('\n'),
    );
  });

  it('prints one document with --json, of one test account if asked', async () => {
    const run = await takenRun();
    const only = ['--credential', 'customer', '--json'];
    const { stdout, stderr } = await admin(['review', 'reveal', run, '--reviewer', scene.ada, ...only]);
    assert.equal(stderr, WARNING);
    const { credentials: shown, ...rest } = JSON.parse(stdout);
    const clear = { kind: 'FORM_LOGIN', mode: 'auto', location: 'header' };
    const nothing = { tokenUrl: null, scope: null, audience: null };
    assert.deepEqual([rest, shown], [{ run }, [{ ...clear, ...nothing, ...credentials[0] }]]);
  });

  it('prints neither a value nor the warning when it is refused', async () => {
    const run = await takenRun();
    const refusals = [
      { args: ['--reviewer', scene.ben], keys: serviceKeys, message: /^error: The report of \w+ is with/ },
      { args: [], keys: serviceKeys, message: /^error: --reviewer is required/ },
      { args: ['--reviewer', scene.ada, '--credential', 'x'], keys: serviceKeys, message: /It has: customer, clerk/ },
      { args: ['--reviewer', scene.ada], keys: {}, message: /^error: SORTIE_VAULT_KEY is not set\. Set it/ },
      {
        args: ['--reviewer', scene.ada],
        keys: { SORTIE_VAULT_KEY: newKey },
        message: /data key cannot be opened/,
      },
    ];
    for (const { args, keys, message } of refusals) {
      const { exitCode, stdout, stderr } = await admin(['review', 'reveal', run, ...args], keys);
      assert.deepEqual([exitCode, stdout], [1, '']);
      assert.match(stderr, message);
      assert.deepEqual([stderr.includes(WARNING), findLeaks(stderr, canaries)], [false, []]);
    }
    await scene.admin.review.signOff({ run });
    const late = await admin(['review', 'reveal', run, '--reviewer', scene.ada]);
    assert.match(late.stderr, /^error: The report of \w+ was signed off/);
  });
});

describe('sortie admin vault', () => {
  it('status shows the keys and their runs, and rotate rewraps with the current key', async () => {
    const { id: old } = vaultKeys.current;
    const { keys: before } = JSON.parse((await admin(['vault', 'status', '--json'])).stdout);
    const { runs } = before[0];
    assert.deepEqual([before.length, before[0].id, before[0].state, runs > 0], [1, old, 'CURRENT', true]);
    const status = await admin(['vault', 'status'], rotatedKeys);
    const time = '\\d{4}-\\S+Z';
    const line = new RegExp(`^${old} +OLD +${runs} +pen_\\w+ +${time} +${time}$`, 'm');
    assert.match(status.stdout, /^key +state +runs +oldest run +sealed +deletion due\n\w{16} +CURRENT +0 +- +- +-\n/);
    assert.match(status.stdout, line);

    const { exitCode, stdout, stderr } = await admin(['vault', 'rotate'], rotatedKeys);
    assert.deepEqual([exitCode, stderr], [0, '']);
    const current = /^current key +(\w{16})$/m.exec(stdout)?.[1];
    assert.ok(current && current !== old);
    assert.match(stdout, new RegExp(`^rewrapped +${runs}\ndamaged +0\nforgotten +-\nunused +${old}\n`, 'm'));
    assert.match(stdout, /Remove unused keys with: .*--forget-old\. With DATABASE_URL, .* SORTIE_VAULT_OLD_KEYS/);
    const without = await admin(['vault', 'status', '--json'], { SORTIE_VAULT_KEY: newKey });
    assert.deepEqual(
      JSON.parse(without.stdout).keys.map((key: { id: string; runs: number }) => [key.id, key.runs]),
      [[current, runs]],
    );
    const missing = await admin(['vault', 'rotate'], serviceKeys);
    assert.match(missing.stdout, /^missing +\w{16}$/m);
    assert.match(
      missing.stdout,
      /^Data keys wrapped with the missing vault keys cannot be decrypted\. See docs\/operating\.md/m,
    );
    await admin(['vault', 'rotate'], { SORTIE_VAULT_KEY: serviceKeys.SORTIE_VAULT_KEY, SORTIE_VAULT_OLD_KEYS: newKey });
  });

  it('rotate --forget-old applies only to data folders', async () => {
    const { exitCode, stderr } = await admin(['vault', 'rotate', '--forget-old']);
    assert.equal(exitCode, 1);
    assert.match(stderr, /^error: --forget-old applies only to keys in a data folder\. .*SORTIE_VAULT_OLD_KEYS/);
  });

  it('forget deletes, and receipts lists what was deleted', async () => {
    const run = await takenRun();
    const { accountId } = scene.owner;
    const { exitCode, stdout } = await admin(['vault', 'forget', run], {});
    assert.equal(exitCode, 0);
    assert.match(stdout, new RegExp(`^run +${run}\naccount +${accountId}\ntest accounts +customer,clerk\nsealed `));
    const again = await admin(['vault', 'forget', run], {});
    assert.match(again.stderr, /^error: Nothing is stored for the run \w+\. Its test accounts were deleted at/);
    const { stdout: listed } = await admin(['vault', 'receipts', '--account', accountId], {});
    assert.match(listed, /^run +account +deleted +reason +sealed +key +test accounts\n/);
    assert.match(listed, new RegExp(`^${run} .* OPERATOR .* customer \\(FORM_LOGIN\\),clerk \\(BASIC_AUTH\\)$`, 'm'));
    const { id: empty } = await scene.admin.account.create({ name: 'Empty', kind: 'personal' });
    assert.equal((await admin(['vault', 'receipts', '--account', empty], {})).stdout, 'no deletions yet\n');
  });

  it('names a data key that was tampered with, and what to do', async () => {
    const run = await takenRun();
    const { pool } = scene.test.database;
    await pool.query(`update credential_key set wrapped_key = wrapped_key || '\\x00' where run_id = $1`, [run]);
    const { stdout } = await admin(['vault', 'rotate'], rotatedKeys);
    assert.match(stdout, /^damaged +1$/m);
    assert.match(stdout, new RegExp(`cannot be decrypted: ${run}\\. .*npx sortie admin vault forget RUN\n$`));
  });
});
