import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { ActiveCheck, Lab, Point } from '../active-check.ts';
import { type Browser, openBrowser } from '../browser/browser.ts';
import { createSender } from '../http/create-sender.ts';
import { createRedactor } from '../http/redactor.ts';
import type { Sender } from '../http/sender.ts';
import { createSession, type Session } from '../login/session.ts';
import { createTestScope } from '../target/scope.ts';
import { createNonce, type Verified, verify } from '../verify.ts';
import { loadActiveChecks } from './load-checks.ts';
import { requestWith } from './point.ts';

const checks = await loadActiveChecks();
const labs = new Map<string, Lab>(checks.map((check) => [check.id, check.lab()]));

let server: Server;
let origin: string;
let sender: Sender;
let session: Session;
let browser: Browser;

before(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://lab');
    const [, id = '', kind = ''] = pathname.split('/');
    const lab = labs.get(id);
    const value = searchParams.get(lab?.parameter ?? '') ?? '';
    const {
      status = 200,
      headers = {},
      body = '',
    } = (kind === 'safe' ? lab?.safe(value) : lab?.vulnerable(value)) ?? {};
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  const scope = createTestScope({ coveredName: null, coveredOrigin: origin, excludedPaths: [], tokenUrls: [] });
  sender = createSender({
    network: { allowAddresses: [`127.0.0.1/32:${port}`], resolvers: [], userAgent: 'Sortie test' },
    scope,
    runId: 'pen_lab',
    limits: { requests: 5_000, bytes: 100_000_000, untilMs: 120_000, perSecond: 1_000, atOnce: 4 },
  });
  session = createSession({ sender, scope, redactor: createRedactor(), name: null });
  browser = await openBrowser('/usr/bin/chromium', 'Sortie test');
});
after(async () => {
  await browser.close();
  await sender.close();
  server.close();
});

function pointOf(check: ActiveCheck, kind: 'vulnerable' | 'safe'): Point {
  const { parameter: name, value } = labs.get(check.id) as Lab;
  const parameter = { location: 'query' as const, name, value };
  const url = `${origin}/${check.id}/${kind}`;
  return { item: { method: 'GET', url, parameters: [parameter], seenAs: null, contentType: 'text/html' }, parameter };
}

async function findAt(check: ActiveCheck, point: Point): Promise<Verified | undefined> {
  const ask = (value: string) => session.send(requestWith(point, value));
  for (const variant of (await check.probe?.(point, createNonce(), ask)) ?? check.variants) {
    const verified = await verify(check, point, variant, { session, browser, renew: sender.renew });
    if (verified) return verified;
  }
  return undefined;
}

describe('an active check', () => {
  it('is one file with its lab', () => assert.ok(checks.length >= 3));

  for (const check of checks) {
    it(`${check.id} confirms its flaw in the lab, within its budget`, async () => {
      const point = pointOf(check, 'vulnerable');
      assert.ok(check.appliesTo(point));
      const before = sender.requestsSent();
      const verified = await findAt(check, point);
      assert.equal(verified?.confidence, 'CONFIRMED');
      assert.ok(sender.requestsSent() - before <= check.maxRequests);
    });

    it(`${check.id} stays silent on the safe twin, within its budget`, async () => {
      const before = sender.requestsSent();
      assert.equal(await findAt(check, pointOf(check, 'safe')), undefined);
      assert.ok(sender.requestsSent() - before <= check.maxRequests);
    });
  }
});
