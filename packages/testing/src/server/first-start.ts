import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Admin, defaultCatalogue, findEmbeddedPostgres, openAdmin } from '@sortie/server';
import { type Answer, call } from '../http/call.ts';
import { endpointNames, validRequest } from '../http/endpoint-request.ts';
import type { ReadyLine } from './server.ts';
import { postmasterOf, type Up } from './up.ts';

export const STOP_WITHIN_MS = 5_000;

export async function assertStopped(server: Up, dataFolder: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const { code, durationMs } = await server.end(signal);
  assert.equal(code, 0, server.stderr());
  assert.ok(durationMs < STOP_WITHIN_MS, `the stop took ${Math.round(durationMs)} ms`);
  assert.equal(await postmasterOf(dataFolder), undefined, 'the database was left running');
}

export async function assertRefused(server: Up, message: RegExp): Promise<void> {
  const { code } = await server.end();
  assert.ok(code !== null && code !== 0, `exit ${code}`);
  assert.match(server.stderr(), message);
  assert.doesNotMatch(server.stderr(), /^\s+at /m, 'a stack trace is no message');
  assert.equal(server.stdout(), '');
}

/** Leaves out the target, whose port may differ with each start. */
export const accountOf = ({ demo }: ReadyLine) => demo && { accountId: demo.accountId, apiKey: demo.apiKey };

export async function readBalance({ baseUrl, demo }: ReadyLine): Promise<Answer> {
  assert.ok(demo);
  const answer = await call(`${baseUrl}/v1/credits/balance`, { key: demo.apiKey });
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

/** Once confirmed, the grant must survive every crash. */
export async function grantOneCredit({ demo }: ReadyLine, dataFolder: string): Promise<void> {
  assert.ok(demo);
  await withAdmin(dataFolder, (admin) =>
    admin.credits.grant({ account: demo.accountId, source: 'purchased', amount: '1' }),
  );
}

export async function withAdmin(dataFolder: string, work: (admin: Admin) => Promise<unknown>): Promise<void> {
  const connection = await findEmbeddedPostgres(dataFolder);
  assert.ok(connection);
  const admin = openAdmin({ connection, catalogue: defaultCatalogue });
  await work(admin);
  await admin.close();
}

/** Asserts all permissions, at least 20,000 credits, no budget, and a file that only its owner can read. */
export async function assertDemo(ready: ReadyLine): Promise<void> {
  const { body } = await readBalance(ready);
  assert.ok(Number(body?.available) >= 20_000);
  assert.equal(body?.keyBudget, null);
  assert.equal(body?.memberAllowance, null);
  for (const name of endpointNames) {
    const { path: route, options } = validRequest(name);
    const { status } = await call(ready.baseUrl + route, { ...options, key: ready.demo?.apiKey ?? '' });
    assert.ok([200, 201, 404].includes(status), `${name}: ${status}`);
  }
  const file = path.join(ready.dataDir, 'demo.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), accountOf(ready));
  const { status } = await call(ready.demo?.target?.url ?? '', { key: '' });
  assert.equal(status, 200, 'the demo target is there');
}
