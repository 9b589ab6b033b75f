import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
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
  server = createServer(async (request, response) => {
    const [, id = '', kind = ''] = new URL(request.url ?? '/', 'http://lab').pathname.split('/');
    const lab = labs.get(id);
    const value = lab ? readValue(lab, request, await text(request)) : '';
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

/** What a handler reads at the place its lab names. */
function readValue({ location = 'query', parameter }: Lab, { url = '', headers }: IncomingMessage, body: string) {
  const query = new URL(url, 'http://lab').searchParams;
  const cookies = new URLSearchParams(headers.cookie?.replaceAll('; ', '&'));
  const inBody = () =>
    String(
      parameter
        .split('/')
        .slice(1)
        .reduce((value, name) => value?.[name], JSON.parse(body)),
    );
  const inPart = (pattern: RegExp) => pattern.exec(body)?.[1];
  const readers: Record<NonNullable<Lab['location']>, () => string | null | undefined> = {
    query: () => query.get(parameter),
    form: () => new URLSearchParams(body).get(parameter),
    json: inBody,
    graphql: inBody,
    multipart: () => inPart(new RegExp(`name="${parameter}".*?\\r\\n\\r\\n(.*?)\\r\\n--`, 's')),
    fileName: () => inPart(new RegExp(`name="${parameter}"; filename="(.*?)"`)),
    cookie: () => cookies.get(parameter),
    header: () => String(headers[parameter.toLowerCase()] ?? ''),
    // Never sent: only scripts of the page read it.
    fragment: () => '',
  };
  return readers[location]() ?? '';
}

const SENT_IN_BODY = new Set<Lab['location']>(['form', 'json', 'graphql', 'multipart', 'fileName']);

function pointOf(check: ActiveCheck, kind: 'vulnerable' | 'safe'): Point {
  const { location = 'query', parameter: name, value } = labs.get(check.id) as Lab;
  const parameter = { location, name, value };
  const url = `${origin}/${check.id}/${kind}`;
  const method = SENT_IN_BODY.has(location) ? 'POST' : 'GET';
  return { item: { method, url, parameters: [parameter], seenAs: null, contentType: 'text/html' }, parameter };
}

async function findAt(check: ActiveCheck, point: Point): Promise<Verified | undefined> {
  const ask = (value: string, isRaw?: boolean) => session.send(requestWith(point, value, isRaw));
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
