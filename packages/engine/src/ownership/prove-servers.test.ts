import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { after, before, beforeEach, describe, it } from 'node:test';
import { pentestOrder, playPentest } from '@sortie/testing/engine/pentest-orders.ts';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { issue } from '@sortie/testing/targets/certificates.ts';
import { type NameServer, startNameServer } from '@sortie/testing/targets/name-server.ts';
import { listenAndCount, startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { createEgressLedger, UNMASKED } from '../http/record/egress-ledger.ts';
import { createNameLookUp } from '../target/resolve.ts';
import { createServerProof, lookAtServers } from './prove-servers.ts';

const FILE = '/.well-known/sortie-verification.txt';
const TOKEN = 'a'.repeat(32);
const authority = issue({ name: 'An authority of the operator', isAuthority: true });
const certificate = issue({ name: 'shop.test', names: ['shop.test'], issuer: authority });

/** Response of the server at each address to a path. */
const answers = new Map<string, (path: string) => string | number>();
const asked: string[] = [];
/** Addresses that the names resolve to: each query takes the next entry, and the last entry stays. */
let leads: string[][];

let [first, second]: TargetServer[] = [];
let secured: TargetServer;
let names: NameServer;
before(async () => {
  const start = (host: string, port?: number) =>
    startWebServer(
      ({ url = '' }, response) => {
        asked.push(`${host}${url}`);
        const answer = answers.get(host)?.(url) ?? 404;
        const type = { 'content-type': url === FILE ? 'text/plain' : 'text/html' };
        if (typeof answer === 'number') response.writeHead(answer, type).end();
        else response.writeHead(200, type).end(answer);
      },
      host,
      port,
    );
  first = await start('127.0.0.1');
  second = await start('127.0.0.2', first.port);
  const { pem, keyPem } = certificate;
  secured = await listenAndCount(createServer({ cert: pem, key: keyPem }, (_, response) => response.end('Hello')));
  names = await startNameServer((_, type) =>
    type === 'A' ? ((leads.length > 1 ? leads.shift() : leads[0]) ?? []) : [],
  );
});
after(() => Promise.all([first, second, secured, names].map((server) => server?.close())));
beforeEach(() => {
  answers.clear();
  asked.length = 0;
  leads = [['127.0.0.1']];
});

const network = () => ({
  allowAddresses: ['127.0.0.0/8'],
  resolvers: [names.address],
  userAgent: 'Sortie test',
  authorities: authority.pem,
});
const proves = (path: string) => (path === FILE ? TOKEN : 404);
const originOf = (server: TargetServer | undefined, scheme = 'http', host = 'shop.test') =>
  `${scheme}://${host}:${server?.port}`;

const look = (origin: string, given = network()) =>
  lookAtServers(
    { origin, tokens: ['b'.repeat(32), TOKEN] },
    {
      network: given,
      runId: 'chk_1',
      ledger: createEgressLedger(UNMASKED),
      resolver: createNameLookUp(given.resolvers),
    },
  );

describe('a server shows that it belongs to a name', () => {
  it('by the file with a token of the account, served from that very address', async () => {
    assert.equal((await look(originOf(first))).outcome, 'NOT_FOUND');
    answers.set('127.0.0.1', proves);
    assert.equal((await look(originOf(first))).outcome, 'FOUND');
    leads = [['127.0.0.1', '127.0.0.2']];
    const { outcome, message, lookUps } = await look(originOf(first));
    assert.equal(outcome, 'NOT_FOUND');
    assert.match(message, /^The server at 127\.0\.0\.2 does not prove that it belongs to shop\.test\. Serve http/);
    assert.equal(lookUps.length, 2);
    answers.set('127.0.0.2', proves);
    assert.equal((await look(originOf(first))).outcome, 'FOUND');
  });

  it('by the meta tag', async () => {
    const page = `<html><head><meta name="sortie-verification" content="${TOKEN}"></head></html>`;
    answers.set('127.0.0.1', (path) => (path === '/' ? page : 404));
    assert.equal((await look(originOf(first))).outcome, 'FOUND');
  });

  it('by a certificate that is valid for the name, of an authority that the operator trusts', async () => {
    assert.equal((await look(originOf(secured, 'https'))).outcome, 'FOUND');
    const other = await look(originOf(secured, 'https', 'other.test'));
    assert.equal(other.outcome, 'NOT_FOUND');
    assert.match(other.message, /its certificate is not valid for this name/);
    const { authorities, ...publicOnly } = network();
    assert.ok(authorities);
    assert.equal((await look(originOf(secured, 'https'), publicOnly as never)).outcome, 'NOT_FOUND');
  });

  it('or nothing is found out while it answers with errors, and nothing is asked where no server is', async () => {
    answers.set('127.0.0.1', () => 503);
    assert.equal((await look(originOf(first))).outcome, 'UNKNOWN');
    leads = [['127.0.0.3']];
    const { outcome, lookUps } = await look(originOf(first));
    assert.deepEqual([outcome, lookUps[0]?.seen], ['FOUND', ['no server responds']]);
  });
});

describe('a run', () => {
  const order = (origin: string) =>
    pentestOrder(origin, {
      network: network(),
      engagement: {
        ...pentestOrder(origin).engagement,
        coveredName: 'shop.test',
        coveredOrigin: null,
        proofTokens: [TOKEN],
      },
      budget: { milliseconds: 60_000, requests: 60 },
    });

  it('ends in VERIFYING when the server does not prove that it belongs to the name', async () => {
    answers.set('127.0.0.1', (path) => (path === '/' ? 'Hello' : 404));
    const { ended, steps } = await playPentest(order(originOf(first)));
    assert.ok(ended !== 'paused' && ended.outcome === 'FAILED');
    assert.match(ended.summary, /The server at 127\.0\.0\.1 does not prove that it belongs to shop\.test/);
    assert.deepEqual(steps, []);
    assert.deepEqual(asked, [`127.0.0.1${FILE}`, '127.0.0.1/']);
  });

  it('attacks no address that its name leads to later and that does not belong to it', async () => {
    answers.set('127.0.0.1', (path) => (path === '/' ? '<a href="/item?id=1">item</a>' : proves(path)));
    answers.set('127.0.0.2', () => 'the server of another owner');
    leads = [['127.0.0.1'], ['127.0.0.2']];
    const tokens = [TOKEN];
    const unproven: string[] = [];
    const coverage = { coveredName: 'shop.test', coveredOrigin: null };
    const onUnproven = (reason: string) => void unproven.push(reason);
    const prove = createServerProof({ network: network(), runId: 'pen_1', coverage, tokens, onUnproven });
    const sender = testSender({ network: network(), prove });
    const send = () => sender.send({ method: 'GET', url: `${originOf(first)}/attack`, purpose: 'look' });
    assert.equal((await send()).response?.status, 404);
    sender.renew();
    for (let time = 0; time < 2; time++) {
      const { failure } = await send();
      assert.equal(failure?.code, 'UNREACHABLE');
      assert.match(failure.message, /The server at 127\.0\.0\.2 does not prove/);
    }
    assert.deepEqual(asked, [`127.0.0.1${FILE}`, '127.0.0.1/attack', `127.0.0.2${FILE}`, '127.0.0.2/']);
    assert.equal(unproven.length, 1);
    const [contacted] = sender.takeEgress().filter(({ address }) => address === '127.0.0.2');
    assert.equal(contacted?.requests, 2);
    await sender.close();
  });

  it('contacts hosts outside of its verification without a proof, and never by TLS without a valid certificate', async () => {
    const options = { coverage: { coveredName: 'shop.test', coveredOrigin: null }, tokens: [TOKEN], onUnproven() {} };
    const prove = createServerProof({ network: network(), runId: 'pen_1', ...options });
    const sender = testSender({ network: network(), prove, verifyTls: false });
    const statusOf = async (url: string) => {
      const { response, failure } = await sender.send({ method: 'GET', url, purpose: 'look' });
      return response?.status ?? failure?.code;
    };
    assert.equal(await statusOf(`${originOf(first, 'http', 'cdn.test')}/`), 404);
    assert.equal(await statusOf(`${originOf(secured, 'https', 'sub.shop.test')}/`), 'TLS');
    await sender.close();
  });
});
