import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EndpointName, endpoints, permissions } from '@sortie/contract';
import { createCommands } from '@sortie/testing/cli/commands.ts';
import { assertPassedTheGates, assertRefused, shownLimit } from '@sortie/testing/http/assert-answer.ts';
import { type Answer, call } from '@sortie/testing/http/call.ts';
import { endpointNames, validRequest } from '@sortie/testing/http/endpoint-request.ts';
import type { TestServer } from '@sortie/testing/server/server.ts';
import { ofOtherEnvironment, partsOfKey, withChecksum } from '@sortie/testing/world/key-text.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;
let secondServer: TestServer;
let owner: Member;

before(async () => {
  world = await createWorld({ env: { SORTIE_LOG_LEVEL: 'debug' } });
  secondServer = await world.addServer();
  owner = await world.createMember();
});
after(() => world.end());

function send(name: EndpointName, key: string | undefined, server: TestServer = world.server): Promise<Answer> {
  const { path: address, options } = validRequest(name);
  return call(server.baseUrl + address, { ...options, ...(key === undefined ? {} : { key }) });
}

const readBalance = (headers: Record<string, string | string[]>) =>
  call(`${world.server.baseUrl}/v1/credits/balance`, { headers });

describe('a key is sent as "Authorization: Bearer <API_KEY>"', () => {
  it('opens the door', async () => {
    assert.equal((await readBalance({ authorization: `Bearer ${owner.apiKey}` })).status, 200);
  });

  it('with the scheme in any case and any number of spaces after it', async () => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR', 'Bearer  ']) {
      assert.equal((await readBalance({ authorization: `${scheme} ${owner.apiKey}` })).status, 200, scheme);
    }
  });

  it('and in no other scheme or shape', async () => {
    const { apiKey } = owner;
    const basic = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
    const shapes = ['', 'Bearer', 'Bearer ', apiKey, basic, `Token ${apiKey}`, `Bearer${apiKey}`, `Bearer\t${apiKey}`];
    const decorated = [`Bearer "${apiKey}"`, `Bearer ${apiKey},`, `Bearer ${apiKey} x`, `Bearer x ${apiKey}`];
    for (const authorization of [...shapes, ...decorated, `Bearer ${apiKey}, Bearer ${apiKey}`]) {
      assertRefused(await readBalance({ authorization }), 'UNAUTHORIZED');
    }
  });

  it('and not in a repeated header, even when both are the same', async () => {
    const good = `Bearer ${owner.apiKey}`;
    for (const authorization of [
      [good, good],
      [good, 'Bearer x'],
      ['Bearer x', good],
      ['', good],
    ]) {
      assertRefused(await readBalance({ authorization }), 'UNAUTHORIZED');
    }
  });

  it('and nowhere else', async () => {
    const { apiKey } = owner;
    assertRefused(await readBalance({ 'x-api-key': apiKey, cookie: `key=${apiKey}` }), 'UNAUTHORIZED');
    assertRefused(await readBalance({ 'proxy-authorization': `Bearer ${apiKey}` }), 'UNAUTHORIZED');
    const inQuery = await call(`${world.server.baseUrl}/v1/credits/balance?access_token=${apiKey}&api_key=${apiKey}`);
    assertRefused(inQuery, 'UNAUTHORIZED');
  });

  it('by every request under /v1, and by none for the documentation', async () => {
    assertRefused(await call(`${world.server.baseUrl}/v1/nothing-here`), 'UNAUTHORIZED');
    assertRefused(await call(`${world.server.baseUrl}/v1`), 'UNAUTHORIZED');
    for (const address of ['/v1/openapi.json', '/docs/']) {
      assert.equal((await call(world.server.baseUrl + address)).status, 200, address);
    }
  });
});

describe('401 UNAUTHORIZED: no key, or it is invalid, expired, revoked or of another environment', () => {
  let badKeys: Record<string, string | undefined>;

  before(async () => {
    const expiring = await world.createKey(owner, { expires: '10m' });
    const revoked = await world.createKey(owner);
    for (const { apiKey } of [expiring, revoked]) assertPassedTheGates(await send('getCreditsBalance', apiKey));
    await world.admin.clock.advance({ duration: '10m' });
    await world.admin.key.revoke({ id: revoked.apiKeyId });
    const { id, secret } = partsOfKey(owner.apiKey);
    const other = await world.createMember();
    badKeys = {
      missing: undefined,
      junk: 'junk',
      'of the other environment, with the id and secret of a key of this one': ofOtherEnvironment(owner.apiKey),
      'of an environment that does not exist': withChecksum(`srt_prod_${id}_${secret}`),
      'with a wrong checksum': owner.apiKey.slice(0, -1) + (owner.apiKey.endsWith('0') ? '1' : '0'),
      'without its checksum': owner.apiKey.slice(0, -6),
      'with an unknown id': withChecksum(`srt_test_${'0'.repeat(12)}_${secret}`),
      'with a wrong secret': withChecksum(`srt_test_${id}_${'0'.repeat(32)}`),
      "with another key's secret": withChecksum(`srt_test_${id}_${partsOfKey(other.apiKey).secret}`),
      expired: expiring.apiKey,
      revoked: revoked.apiKey,
    };
  });

  it('is tried with keys that are computed as the service does it', () => {
    const { id, secret } = partsOfKey(owner.apiKey);
    assert.equal(withChecksum(`srt_test_${id}_${secret}`), owner.apiKey);
  });

  it('answers every reason with the same bytes and headers', async () => {
    for (const name of ['getCreditsBalance', 'startPentest'] as const) {
      const seen = new Set<string>();
      for (const [reason, key] of Object.entries(badKeys)) {
        const answer = await send(name, key);
        assertRefused(answer, 'UNAUTHORIZED');
        const { date: _date, 'x-request-id': _id, ...headers } = answer.headers;
        seen.add(JSON.stringify({ text: answer.text, headers }));
        assert.equal(seen.size, 1, `a key ${reason} is told apart: ${[...seen].join('\n')}`);
      }
    }
  });

  it('counts nothing and shows an untouched window of the key limit', async () => {
    const { rows: before } = await world.testDatabase.database.pool.query('select * from rate_counter order by 1');
    for (const key of Object.values(badKeys)) {
      assert.deepEqual(shownLimit((await send('listLevels', key)).headers), { limit: 120, remaining: 120, reset: 60 });
      assert.deepEqual(shownLimit((await send('startScan', key)).headers), { limit: 10, remaining: 10, reset: 60 });
    }
    const { rows: after } = await world.testDatabase.database.pool.query('select * from rate_counter order by 1');
    assert.deepEqual(after, before);
  });

  it('is not answered to a key that has not expired yet', async () => {
    const member = await world.createKey(owner, { expires: '1h' });
    await world.admin.clock.advance({ duration: '59m' });
    assertPassedTheGates(await send('getCreditsBalance', member.apiKey));
    await world.admin.clock.advance({ duration: '60s' });
    assertRefused(await send('getCreditsBalance', member.apiKey), 'UNAUTHORIZED');
  });
});

describe('the full key is shown once', () => {
  const cli = async (...parameters: string[]) => {
    const commands = createCommands(world.testDatabase.url);
    const { exitCode, stdout, stderr } = await commands.run(['admin', ...parameters, '--json']);
    assert.equal(exitCode, 0, stderr);
    return { answer: JSON.parse(stdout), output: stdout + stderr };
  };

  /** Every row of every table as text; bytes are written in hexadecimal. */
  async function dumpDatabase(): Promise<string> {
    const { pool } = world.testDatabase.database;
    const { rows: tables } = await pool.query<{ name: string }>(`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema')`);
    assert.ok(tables.length > 10);
    const dumps = tables.map(async ({ name }) => {
      const { rows } = await pool.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`);
      return `${name}\n${rows.map(({ row }) => row).join('\n')}`;
    });
    return (await Promise.all(dumps)).join('\n');
  }

  it('when it is created: not in lists, the audit log, the database in any form, or the logs', async () => {
    const { accountId, userId } = owner;
    const created = await cli('key', 'create', '--account', accountId, '--user', userId, '--permissions', 'all');
    const { id, key } = created.answer as { id: string; key: string };
    const { secret } = partsOfKey(key);
    assert.equal(partsOfKey(key).id, id);
    assert.equal(created.output.split(secret).length, 2, 'it is shown exactly once');

    for (const server of [world.server, secondServer]) assertPassedTheGates(await send('startScan', key, server));
    await send('startScan', `${key}x`);
    await call(`${world.server.baseUrl}/v1/scans?key=${key}`, { method: 'POST', key, body: `{"url": "${key}"` });
    const places: Record<string, string> = {
      'key list': (await cli('key', 'list', '--account', accountId)).output,
      'audit list': (await cli('audit', 'list', '--account', accountId)).output,
      'key revoke': (await cli('key', 'revoke', id)).output,
      database: await dumpDatabase(),
      log: world.server.log(),
      'log of the second server': secondServer.log(),
    };
    assert.match(places['key list'] ?? '', new RegExp(id));
    assert.match(places.log ?? '', new RegExp(id), 'the log was read');
    const hash = createHash('sha256').update(secret).digest('hex');
    assert.match(places.database ?? '', new RegExp(hash), 'the dump holds the hash');

    for (const [place, text] of Object.entries(places)) {
      for (const [form, written] of Object.entries(formsOf(secret))) {
        assert.ok(!text.toLowerCase().includes(written.toLowerCase()), `${form} of the secret is in: ${place}`);
      }
    }
  });

  /** Without the ends that depend on what stands around the secret. */
  function formsOf(secret: string): Record<string, string> {
    const base64 = [0, 1, 2].map((shift) =>
      Buffer.from('_'.repeat(shift) + secret)
        .toString('base64')
        .slice(4, 40),
    );
    return {
      'the text': secret,
      'half of the text': secret.slice(0, 16),
      'the other half of the text': secret.slice(16),
      'the reverse': [...secret].reverse().join(''),
      hexadecimal: Buffer.from(secret).toString('hex'),
      'base 64': base64[0] ?? '',
      'base 64, shifted by one': base64[1] ?? '',
      'base 64, shifted by two': base64[2] ?? '',
    };
  }
});

describe('each endpoint requires the permission listed for it', () => {
  for (const permission of permissions) {
    it(`a key with only ${permission} opens exactly the endpoints that list it, and those that list none`, async () => {
      const { apiKey } = await world.createKey(owner, { permissions: permission });
      for (const name of endpointNames) {
        const answer = await send(name, apiKey);
        if ([permission, null].includes(endpoints[name].permission)) assertPassedTheGates(answer);
        else assertRefused(answer, 'FORBIDDEN');
      }
    });
  }
});

describe("a call is refused with 403 FORBIDDEN when the creator's role lacks the permission", () => {
  it('as the role is today: a change takes effect at once, on every server', async () => {
    const member = await world.createMember({ accountId: owner.accountId, role: 'ADMIN' });
    const membership = { account: member.accountId, user: member.userId };
    const servers = [world.server, secondServer];
    for (const server of servers) assertPassedTheGates(await send('startPentest', member.apiKey, server));
    await world.admin.member.setRole({ ...membership, role: 'VIEWER' });
    for (const server of servers) {
      assertRefused(await send('startPentest', member.apiKey, server), 'FORBIDDEN');
      assert.equal((await send('getCreditsBalance', member.apiKey, server)).status, 200);
    }
    await world.admin.member.setRole({ ...membership, role: 'MEMBER' });
    for (const server of servers) assertPassedTheGates(await send('startPentest', member.apiKey, server));
  });

  it('or the creator has left the account, until they are back', async () => {
    const member = await world.createMember({ accountId: owner.accountId, role: 'MEMBER' });
    const membership = { account: member.accountId, user: member.userId };
    await world.admin.member.remove(membership);
    for (const name of endpointNames) assertRefused(await send(name, member.apiKey), 'FORBIDDEN');
    await world.admin.member.add({ ...membership, role: 'VIEWER' });
    assert.equal((await send('getCreditsBalance', member.apiKey)).status, 200);
  });

  it("and no role gives a key more than the key's own permissions", async () => {
    const { apiKey } = await world.createKey(owner, { permissions: 'credits:read' });
    assertRefused(await send('listPentests', apiKey), 'FORBIDDEN');
  });
});

describe('403 ACCOUNT_SUSPENDED is returned when the account is suspended', () => {
  it('for all keys of the account and no others, on every server, until it is resumed', async () => {
    const suspended = await world.createMember();
    const colleague = await world.createMember({ accountId: suspended.accountId, role: 'MEMBER' });
    await world.admin.account.suspend({ id: suspended.accountId });
    for (const server of [world.server, secondServer]) {
      for (const { apiKey } of [suspended, colleague]) {
        assertRefused(await send('getCreditsBalance', apiKey, server), 'ACCOUNT_SUSPENDED');
      }
      assert.equal((await send('getCreditsBalance', owner.apiKey, server)).status, 200);
    }
    await world.admin.account.resume({ id: suspended.accountId });
    for (const server of [world.server, secondServer]) {
      assert.equal((await send('getCreditsBalance', suspended.apiKey, server)).status, 200);
    }
  });

  it('also when the same person has another account that is not', async () => {
    const member = await world.createMember();
    await world.admin.member.add({ account: owner.accountId, user: member.userId, role: 'ADMIN' });
    const elsewhere = await world.createKey({ accountId: owner.accountId, userId: member.userId });
    await world.admin.account.suspend({ id: member.accountId });
    assertRefused(await send('getCreditsBalance', member.apiKey), 'ACCOUNT_SUSPENDED');
    assert.equal((await send('getCreditsBalance', elsewhere.apiKey)).status, 200);
  });
});

describe('revocation', () => {
  it('takes effect within two seconds on every server, and leaves other keys alone', async () => {
    const revoked = await world.createKey(owner);
    const kept = await world.createKey(owner);
    const servers = [world.server, secondServer];
    for (const server of servers) assertPassedTheGates(await send('getCreditsBalance', revoked.apiKey, server));
    await world.admin.key.revoke({ id: revoked.apiKeyId });
    await sleep(2_000);
    for (const server of servers) {
      assertRefused(await send('getCreditsBalance', revoked.apiKey, server), 'UNAUTHORIZED');
      assert.equal((await send('getCreditsBalance', kept.apiKey, server)).status, 200);
    }
  });

  it('takes effect at once for starts', async () => {
    const revoked = await world.createKey(owner);
    const servers = [world.server, secondServer];
    for (const server of servers) assertPassedTheGates(await send('startPentest', revoked.apiKey, server));
    await world.admin.key.revoke({ id: revoked.apiKeyId });
    for (const server of servers) {
      assertRefused(await send('startPentest', revoked.apiKey, server), 'UNAUTHORIZED');
      assertRefused(await send('startScan', revoked.apiKey, server), 'UNAUTHORIZED');
    }
  });
});

describe("a key's last-used time", () => {
  const lastUsed = async ({ accountId, apiKeyId }: Member) => {
    const { keys } = await world.admin.key.list({ account: accountId });
    return keys.find(({ id }) => id === apiKeyId)?.lastUsedAt?.getTime();
  };

  async function until<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const value = await read();
      if (isRight(value)) return value;
      assert.ok(attempt < 200, `still ${value}`);
      await sleep(50);
    }
  }

  it('is written at most once a minute, by all servers together', async () => {
    const { pool } = world.testDatabase.database;
    const member = await world.createMember();
    const keys = await Promise.all(Array.from({ length: 10 }, () => world.createKey(member)));
    await pool.query(`
      create table written (key_id text, at timestamptz);
      create function note_written() returns trigger language plpgsql as
        $$ begin insert into written values (new.id, new.last_used_at); return null; end $$;
      create trigger note_written after update of last_used_at on api_key for each row execute function note_written()`);
    const writes = async () => {
      const { rows } = await pool.query<{ times: number }>(
        'select count(written.key_id)::integer as times from unnest($1::text[]) as id left join written on key_id = id group by id',
        [keys.map(({ apiKeyId }) => apiKeyId)],
      );
      return new Set(rows.map(({ times }) => times));
    };
    const lastUses = () => Promise.all(keys.map(lastUsed));
    const useOften = () =>
      Promise.all(
        keys.flatMap(({ apiKey }) =>
          [world.server, secondServer].flatMap((server) => [1, 2, 3].map(() => send('listLevels', apiKey, server))),
        ),
      );
    assert.ok((await lastUses()).every((at) => at === undefined));
    await useOften();
    const first = await until(lastUses, (all) => all.every((at) => at !== undefined));
    await useOften();
    assert.deepEqual(await lastUses(), first);
    assert.deepEqual(await writes(), new Set([1]));

    await world.admin.clock.advance({ duration: '61s' });
    await useOften();
    const second = await until(lastUses, (all) => all.every((at, i) => at !== first[i]));
    for (const [i, at] of second.entries()) assert.ok(Number(at) - Number(first[i]) >= 60_000, `${first[i]} ${at}`);
    assert.deepEqual(await writes(), new Set([2]));
  });

  it('is not written by a request that is refused for its key', async () => {
    const { id } = partsOfKey(owner.apiKey);
    const member = await world.createKey(owner);
    await send('getCreditsBalance', withChecksum(`srt_test_${partsOfKey(member.apiKey).id}_${'0'.repeat(32)}`));
    await send('getCreditsBalance', owner.apiKey);
    await until(
      () => lastUsed({ ...owner, apiKeyId: id }),
      (at) => at !== undefined,
    );
    assert.equal(await lastUsed(member), undefined);
  });
});
