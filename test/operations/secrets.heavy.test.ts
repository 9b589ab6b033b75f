import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { call } from '@sortie/testing/http/call.ts';
import { sendRaw } from '@sortie/testing/http/raw-message.ts';
import {
  createSecret,
  loadServiceSecrets,
  openCredentials,
  openDescriptions,
  sealedFields,
} from '@sortie/testing/inside/server.ts';
import { casesOf } from '@sortie/testing/runner/test-size.ts';
import {
  cutWaiting,
  failingOn,
  interruptStarts,
  refusingRows,
  type StartTable,
  withoutDatabase,
} from '@sortie/testing/secrets/broken-starts.ts';
import { createCanaries, credentialsOfEveryKind, secretDescription } from '@sortie/testing/secrets/canaries.ts';
import { fingerprintWith, guessableHashes } from '@sortie/testing/secrets/hashes.ts';
import { hiddenIn } from '@sortie/testing/secrets/hidden.ts';
import { dumpTables, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { plantedForms, plants } from '@sortie/testing/secrets/plants.ts';
import { refusals } from '@sortie/testing/secrets/refusals.ts';
import { madeUpMembers, refusedStarts } from '@sortie/testing/secrets/refused-starts.ts';
import { createScene, otherFingerprintKey, type Scene, type Starter } from '@sortie/testing/secrets/scene.ts';
import { serviceKeys } from '@sortie/testing/server/service-keys.ts';
import { waitFor } from '@sortie/testing/server/up.ts';

let scene: Scene;
let owner: Starter;
let ownersRun: string;
const ownersKey = randomUUID();

before(async () => {
  scene = await createScene();
  owner = await scene.createStarter();
  await scene.world.admin.account.setPlan({ id: owner.accountId, plan: 'business' });
});
after(() => scene?.end());

const connection = () => scene.world.testDatabase.connection;
const readRows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await scene.world.testDatabase.database.pool.query<Row>(text, values)).rows;

const get = (path: string, { apiKey }: Starter) =>
  scene.record(call(scene.world.server.baseUrl + path, { key: apiKey }));

async function isServing(): Promise<boolean> {
  const { status } = await get('/v1/credits/balance', owner);
  assert.ok(status === 200 || status === 500, String(status));
  return status === 200;
}

/** The test accounts of the owner's run, opened with the service's own key. */
async function openOwners() {
  return openCredentials(scene.world.testDatabase.database.queries, await loadVaultKeys(), ownersIds());
}

const ownersIds = () => ({ accountId: owner.accountId, runId: ownersRun });

async function loadVaultKeys() {
  const variables = {
    SORTIE_FINGERPRINT_KEY: createSecret(serviceKeys.SORTIE_FINGERPRINT_KEY),
    SORTIE_VAULT_KEY: createSecret(serviceKeys.SORTIE_VAULT_KEY),
  };
  const { url: databaseUrl } = scene.world.testDatabase;
  return (await loadServiceSecrets({ dataDir: '', databaseUrl, variables })).vaultKeys;
}

/** The API description of the owner's run. */
async function openOwnersDescription(): Promise<string[]> {
  const { queries } = scene.world.testDatabase.database;
  const ids = { ...ownersIds(), verificationId: owner.start.verificationId };
  const opened = await openDescriptions(queries, await loadVaultKeys(), ids);
  return opened.map(({ text }) => text.reveal());
}

describe('POST /v1/pentests with secrets in every field', () => {
  it('answers 201, the same to a retry, and reads that tell of the run, all without them', async () => {
    const first = await scene.send(owner, owner.start, { idempotencyKey: ownersKey });
    assert.equal(first.status, 201, first.text);
    const again = await scene.send(owner, owner.start, { idempotencyKey: ownersKey });
    assert.deepEqual([again.status, again.text], [201, first.text]);
    ownersRun = String(first.body?.id);
    const run = `/v1/pentests/${ownersRun}`;
    for (const path of [run, `${run}/findings`, '/v1/pentests', '/v1/credits/usage']) {
      assert.equal((await get(path, owner)).status, 200, path);
    }
  });

  it('answers 400 to whatever is wrong, naming the place, in words that do not depend on any value', async () => {
    const starts = refusedStarts(owner.start, scene.secrets);
    const others = createCanaries();
    const credentials = credentialsOfEveryKind(others, scene.labels);
    const apiDescription = secretDescription(others);
    const sameWithOthers = refusedStarts({ ...owner.start, credentials, apiDescription }, others);
    for (const [index, { what, body, field, headers = {} }] of starts.entries()) {
      const answer = await scene.send(owner, body, { headers });
      assert.equal(answer.body?.field, field, `${what}: ${answer.text}`);
      assertRefused(answer, 'VALIDATION_ERROR', field);
      const same = sameWithOthers[index];
      const other = await scene.send(owner, same?.body, same?.headers ? { headers: same.headers } : {});
      assert.equal(other.text, answer.text, what);
    }
    assert.ok(starts.length > 80, String(starts.length));
  });

  it('answers 400 to a member that the caller made up, with its name as the field and nothing of what is in it', async () => {
    for (const { body, field } of madeUpMembers(owner.start, scene.secrets, scene.names)) {
      assertRefused(await scene.send(owner, body), 'VALIDATION_ERROR', field);
    }
  });

  it('answers 400 to what is not HTTP, and to a body that ends in the middle if anybody is left to be told', async () => {
    const { baseUrl } = scene.world.server;
    const body = JSON.stringify(owner.start);
    const head = (length: number | string) =>
      `POST /v1/pentests HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${owner.apiKey}\r\n` +
      `Content-Type: application/json\r\nIdempotency-Key: ${randomUUID()}\r\nContent-Length: ${length}\r\n\r\n`;
    const half = Buffer.from(body.slice(0, body.length / 2));
    const wrong = [`${head('many')}`, `POST /v1/pentests?pass=${scene.secrets.create('in a request line')}\r\n\r\n`];
    const outcomes = [
      ...(await Promise.all(wrong.map((text) => sendRaw(baseUrl, [text, Buffer.from(body)])))),
      await sendRaw(baseUrl, [head(Buffer.byteLength(body)), half], { finishAfterMs: 50 }),
      await sendRaw(baseUrl, [head(Buffer.byteLength(body)), half], { cutAfterMs: 50 }),
    ];
    const answers = outcomes.flatMap((outcome) => outcome.answers);
    assert.ok(answers.length >= wrong.length && answers.every(({ status }) => status === 400));
    for (const { status, headers, text } of answers) await scene.record({ status, headers, text, body: undefined });
  });

  for (const [name, { code, send }] of Object.entries(refusals)) {
    it(`answers ${name}`, async () => assertRefused(await send(scene, owner), code));
  }

  it('answers 422 to another body under the same key', async () => {
    const answer = await scene.send(owner, { ...owner.start, depth: 'LEAD' }, { idempotencyKey: ownersKey });
    assertRefused(answer, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('answers 500 when the run cannot be handed over, and 409 to a retry', async () => {
    const starter = await scene.createStarter();
    const idempotencyKey = randomUUID();
    await scene.world.admin.fault.handover({ failNext: '1' });
    assertRefused(await scene.send(starter, starter.start, { idempotencyKey }), 'INTERNAL_ERROR');
    assertRefused(await scene.send(starter, starter.start, { idempotencyKey }), 'IDEMPOTENCY_IN_PROGRESS');
  });

  const events = casesOf(
    ['insert on credential', 'insert on api_description', 'update on idempotency_claim'],
    ['insert on idempotency_claim', 'insert on pentest', 'insert on credential_key', 'update on pentest'],
  );
  for (const event of events) {
    it(`answers 500 when the database fails at the ${event} and quotes it`, async () => {
      const starter = await scene.createStarter();
      const text = scene.databaseWords.create(event, 'url');
      const send = () => scene.send(starter, starter.start);
      assertRefused(await failingOn(connection(), { event, text }, send), 'INTERNAL_ERROR');
    });
  }

  for (const table of casesOf(['credential', 'api_description'], ['idempotency_claim', 'pentest'])) {
    it(`answers 500 when the database refuses a row of ${table} and quotes it`, async () => {
      const starter = await scene.createStarter();
      const answer = await refusingRows(connection(), table, () => scene.send(starter, starter.start));
      assertRefused(answer, 'INTERNAL_ERROR');
    });
  }

  /** Two starts that wait for a table. */
  async function interrupt(table: StartTable, work: Parameters<typeof interruptStarts>[1]['interrupt']) {
    const starters = [await scene.createStarter(), await scene.createStarter()];
    const send = () => starters.map((starter) => scene.send(starter, starter.start));
    const outcomes = await interruptStarts(connection(), { table, send, interrupt: work });
    for (const outcome of outcomes) {
      assert.ok(outcome.status === 'fulfilled');
      assertRefused(outcome.value, 'INTERNAL_ERROR');
    }
  }

  for (const table of casesOf(['credential'], ['idempotency_claim', 'pentest', 'api_description'])) {
    it(`answers 500 when its connections are cut while it writes ${table}`, () =>
      interrupt(table, (client) => cutWaiting(client, table)));
  }

  it('answers 500 when the database is gone in the middle of it', async () => {
    await interrupt('credential', () =>
      withoutDatabase(connection(), async () => {
        const warning = 'a claim could not be released';
        await waitFor(() => scene.world.server.log().includes(warning), { what: warning });
        assert.equal(await isServing(), false);
      }),
    );
    await waitFor(isServing, { what: 'the server to have its database back' });
  });
});

/** Returns which of the hashes begin somewhere in the text: the beginning of a hash gives it away as well. */
function beginningsIn(text: string, hashes: readonly string[]): string[] {
  const byWord = Map.groupBy(
    hashes.map((hash) => hash.slice(0, 32)),
    (beginning) => beginning.slice(0, 8),
  );
  const found = new Set<string>();
  for (let at = 0; at < text.length - 7; at++) {
    for (const beginning of byWord.get(text.slice(at, at + 8)) ?? []) {
      if (text.startsWith(beginning, at)) found.add(beginning);
    }
  }
  return [...found];
}

describe('what is kept of a start', () => {
  async function fingerprintOf(idempotencyKey: string): Promise<string> {
    const rows = await readRows<{ fingerprint: Buffer }>(
      'select fingerprint from idempotency_claim where idempotency_key = $1',
      [idempotencyKey],
    );
    assert.equal(rows.length, 1);
    return rows[0]?.fingerprint.toString('hex') ?? '';
  }

  it("is a fingerprint made with the service's own key: with another one, the same start has another", async () => {
    const first = await fingerprintOf(ownersKey);
    assert.equal(first, fingerprintWith(serviceKeys.SORTIE_FINGERPRINT_KEY, owner.start));
    const idempotencyKey = randomUUID();
    const colleague = await scene.createKey(owner);
    const answer = await scene.send(colleague, owner.start, { server: scene.fragile, idempotencyKey });
    assert.equal(answer.status, 201, answer.text);
    const other = await fingerprintOf(idempotencyKey);
    assert.equal(other, fingerprintWith(otherFingerprintKey, owner.start));
    assert.notEqual(other, first);
  });

  it('is no hash that could be made without that key, of the body or of any part of it', async () => {
    const dump = (await dumpTables(scene.world.testDatabase.database)).toString('latin1');
    const fingerprint = await fingerprintOf(ownersKey);
    const guessableKeys = ['', 'sortie', ownersKey, owner.accountId, owner.apiKeyId, owner.userId];
    const guesses = [...guessableHashes(owner.start, guessableKeys)];
    assert.deepEqual(beginningsIn(dump, [fingerprint]), [fingerprint.slice(0, 32)]);
    assert.deepEqual(beginningsIn(dump, guesses), []);
    assert.ok(guesses.length > 5_000, String(guesses.length));
  });

  it('are sealed test accounts, which open to exactly what was sent, in its order', async () => {
    const opened = (await openOwners()).map(({ name, kind, mode, location, ...sealed }) => ({
      ...{ name, kind, mode, location },
      ...Object.fromEntries(sealedFields.map((field) => [field, sealed[field]?.reveal()])),
    }));
    const defaults = { kind: 'FORM_LOGIN', mode: 'auto', location: 'header' };
    const nothing = Object.fromEntries(sealedFields.map((field) => [field, undefined]));
    const sent = owner.start.credentials.map((one) => ({ ...defaults, ...nothing, ...one }));
    assert.deepEqual(opened, sent);
  });

  it('is a sealed API description, which opens to exactly what was sent', async () => {
    assert.deepEqual(await openOwnersDescription(), [owner.start.apiDescription]);
  });
});

describe('a server that is killed in the middle of a start', () => {
  it('leaves nothing behind', async () => {
    const starter = await scene.createStarter();
    const { fragile, surfaces, secrets } = scene;
    const outcomes = await interruptStarts(connection(), {
      table: 'credential',
      send: () => [scene.send(starter, starter.start, { server: fragile })],
      async interrupt() {
        for (const surface of ['arguments', 'environments', 'database sessions'] as const) {
          assert.deepEqual(secrets.findIn(await surfaces[surface]()), [], surface);
        }
        await fragile.stop('SIGKILL');
      },
    });
    assert.equal(outcomes[0]?.status, 'rejected');
    const rows = await readRows('select id from pentest where account_id = $1', [starter.accountId]);
    assert.deepEqual(rows, []);
  });
});

describe('the secrets of all these starts', () => {
  const surfaces = [...new Set(plants.map(({ surface }) => surface))];

  before(async () => {
    await scene.record(call(`${scene.world.server.opsUrl}/metrics`));
    await completeLog();
  });

  // They verify the test rather than the product.
  for (const { surface, where, alphabet, plant } of casesOf([], plants)) {
    it(`would be found in ${where}, in every form`, async () => {
      const leaks = Object.entries(plantedForms).map(([form, write]) => {
        const canaries = createCanaries();
        return { form, mark: canaries.mark, text: write(canaries.create(form, alphabet)) };
      });
      const marks = Object.fromEntries(leaks.map(({ form, mark }) => [form, mark]));
      const texts = leaks.map(({ text }) => text);
      await plant(scene, texts, async () => {
        const found = findLeaks(await scene.surfaces[surface](), marks).map(({ canary }) => canary);
        assert.deepEqual([...new Set(found)], Object.keys(plantedForms));
      });
    });
  }

  for (const surface of surfaces) {
    it(`are not in the ${surface}`, async () => {
      const searched = await scene.surfaces[surface]();
      assert.deepEqual(findLeaks(searched, hiddenIn(surface, scene)), [], scene.secrets.findIn(searched).join('\n'));
      if (!surface.startsWith('database')) assert.deepEqual(scene.secrets.findPiecesIn(searched), []);
    });
  }

  it('are not in a refusal that names a made-up member, which has that name as its field and nowhere else', () => {
    const naming = scene.answers.filter(({ text }) => scene.names.findIn(text).length > 0);
    assert.ok(naming.length > 0);
    for (const { headers, body } of naming) {
      const { field, ...others } = body ?? {};
      assert.ok(String(field).includes(scene.names.mark));
      assert.deepEqual(scene.names.findIn(JSON.stringify([headers, others])), []);
    }
  });

  it('are in no table under the name of their test account, which is in clear beside them and nowhere else', async () => {
    const tables = await readRows<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const naming: string[] = [];
    for (const { name } of tables) {
      const found = await readRows(`select from ${name} as row where strpos(row::text, $1) > 0 limit 1`, [
        scene.labels.mark,
      ]);
      if (found.length > 0) naming.push(name);
    }
    assert.deepEqual(naming, ['public.credential']);
  });
});

async function completeLog(): Promise<void> {
  const probe = await get('/v1/credits/balance', owner);
  const last = String(probe.headers['x-request-id']);
  await waitFor(() => scene.world.server.log().includes(last), { what: 'the log to be complete' });
}

describe('stored test accounts', () => {
  const countRows = () =>
    readRows(
      `select (select count(*) from credential)::int as accounts, (select count(*) from credential_key)::int as keys,
         (select count(*) from api_description)::int as descriptions`,
    );

  /** The daily job has had its turn on the service clock. */
  async function afterDailyJob(duration: string): Promise<void> {
    await scene.world.admin.clock.advance({ duration });
    const due = `select from recurring_job where name = 'delete-old-credentials' and due_at <= service_now()`;
    await waitFor(async () => (await readRows(due)).length === 0, { what: 'the daily job' });
  }

  it('are all still there after 29 days', async () => {
    const [before] = await countRows();
    await afterDailyJob('29d');
    assert.deepEqual(await countRows(), [before]);
    assert.equal((await openOwners()).length, owner.start.credentials.length);
  });

  it('are deleted when they are 30 days old, while their runs stay', async () => {
    const runs = await readRows('select id from pentest order by id');
    await afterDailyJob('1d');
    assert.deepEqual(await countRows(), [{ accounts: 0, keys: 0, descriptions: 0 }]);
    assert.deepEqual([await openOwners(), await openOwnersDescription()], [[], []]);
    assert.deepEqual(await readRows('select id from pentest order by id'), runs);
    const answer = await get(`/v1/pentests/${ownersRun}`, owner);
    assert.deepEqual([answer.status, answer.body?.id], [200, ownersRun]);
  });

  it('leave no trace in the log when they go', async () => {
    await completeLog();
    assert.match(scene.world.server.log(), /"msg":"old test accounts were deleted"/);
    assert.deepEqual(scene.secrets.findIn(await scene.surfaces.logs()), []);
    assert.deepEqual(scene.labels.findIn(await scene.surfaces.logs()), []);
  });
});
