import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createRedactor } from '../../../http/record/redactor.ts';
import { createSender } from '../../../http/send/create-sender.ts';
import { createSession } from '../../../login/session/session.ts';
import { createNonce, verify } from '../../../pentest/testing/verify.ts';
import { createTestScope } from '../../../target/scope.ts';
import type { Point } from '../../define-active-check.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import { createRunMemory } from '../../run-memory.ts';
import byTime from './sql-injection-time.ts';

const ask = openTeaShop(asPage);
/** Responds as slowly as its database reports. */
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://lab');
  const kind = url.searchParams.get('kind') ?? '';
  const isFlawed = url.pathname === '/flawed';
  const { seconds = 0 } = isFlawed
    ? ask(`select name from tea where kind = '${kind}'`)
    : ask('select name from tea where kind = ?', kind);
  await wait(seconds * 1_000);
  response.end('Thank you');
});
let origin: string;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

async function test(path: string) {
  const scope = createTestScope({ coveredName: null, coveredOrigin: origin, excludedPaths: [], tokenUrls: [] });
  const { port } = new URL(origin);
  const sender = createSender({
    network: { allowAddresses: [`127.0.0.1/32:${port}`], resolvers: [], userAgent: 'Sortie test' },
    scope,
    runId: 'pen_time',
    limits: { requests: 100, bytes: 1_000_000, untilMs: 120_000, perSecond: 100, atOnce: 4 },
  });
  const session = createSession({ sender, scope, redactor: createRedactor(), name: null });
  const parameter = { location: 'query' as const, name: 'kind', value: 'green' };
  const item: Point['item'] = {
    method: 'GET',
    url: `${origin}${path}`,
    parameters: [parameter],
    seenAs: null,
    contentType: 'text/html',
  };
  const point: Point = { item, parameter };
  const known = { inventory: [item], accounts: [] };
  const verifying = { sessionOf: () => session, as: null, known, renew: sender.renew };
  const variants = await byTime.probe?.(point, createNonce(), {
    ask: (request) => session.send(request),
    askAsNewVisitor: (request) => session.send(request),
    open: () => assert.fail('nothing is shown in a browser'),
    credentialsOf: async () => [],
    willChange: () => assert.fail('nothing is changed'),
    known,
    memory: createRunMemory(),
  });
  const [variant] = variants ?? [];
  const verified = variant === undefined ? undefined : await verify(byTime, point, variant, verifying);
  await sender.close();
  return verified?.confidence;
}

describe('a database that waits', () => {
  it('is found by the time that answers really take', async () => assert.equal(await test('/flawed'), 'CONFIRMED'));
  it('is not found where it does not', async () => assert.equal(await test('/safe'), undefined));
});
