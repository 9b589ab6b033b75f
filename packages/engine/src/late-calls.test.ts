import assert from 'node:assert/strict';
import querystring from 'node:querystring';
import { afterEach, describe, it } from 'node:test';
import { startTestListener } from '../../../test/support/outside.ts';
import { startWebServer, type TargetServer } from '../../../test/support/target-servers.ts';
import type { PentestOrder } from './messages.ts';
import { runPentest } from './pentest.ts';
import type { Reporter, StepDone } from './reporter.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** A page whose picture the site fetches: it hands the address to `take` and answers at once. */
async function startGallery(take: (url: string) => unknown): Promise<TargetServer> {
  const server = await startWebServer(async ({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://gallery.test');
    if (pathname === '/frame') await take(searchParams.get('src') ?? '');
    response.writeHead(pathname === '/' || pathname === '/frame' ? 200 : 404, { 'content-type': 'text/html' });
    response.end('<a href="/frame?src=tea.png">Tea</a>');
  });
  open.push(server);
  return server;
}

function orderFor({ url, port }: TargetServer, outside: PentestOrder['outside']): PentestOrder {
  return {
    type: 'pentest',
    runId: 'pen_gallery',
    targetUrl: `${url}/`,
    done: [],
    state: null,
    attempt: 1,
    deaths: 0,
    depth: 'LEAD',
    script: null,
    engagement: {
      coveredName: null,
      coveredOrigin: url,
      excludedPaths: [],
      requestsPerSecond: 1_000,
      windowMs: null,
    },
    budget: { milliseconds: 120_000, requests: 3_000 },
    credentials: [],
    network: { allowAddresses: [`127.0.0.1/32:${port}`], resolvers: ['127.0.0.1:1'], userAgent: 'Sortie test' },
    chromium: null,
    outside: outside ?? null,
  };
}

async function play(order: PentestOrder, reporter: Partial<Pick<Reporter, 'enter'>> & Pick<Reporter, 'heard'>) {
  const steps: StepDone[] = [];
  const ended = await runPentest(order, {
    enter: () => undefined,
    went: () => undefined,
    keep: async () => undefined,
    save: async (step) => void steps.push(step),
    ...reporter,
  });
  assert.ok(ended !== 'paused');
  const found = steps.flatMap(({ phase, findings }) => findings.map((finding) => ({ phase, ...finding })));
  return { summary: ended.summary, found: found.filter(({ cwe }) => cwe === 918) };
}

async function listen() {
  const listener = await startTestListener({ runId: 'pen_gallery', hasZone: false });
  open.push(listener);
  return listener;
}

describe('a target that calls us', () => {
  it('at once is found by the test, with the calls as evidence', async () => {
    const { order, ask, tools } = await listen();
    const { found, summary } = await play(orderFor(await startGallery(tools.get), order), { heard: ask });
    assert.deepEqual(
      found.map(({ phase, confidence, parameter }) => [phase, confidence, parameter]),
      [['WEB_TEST', 'CONFIRMED', 'src']],
    );
    const attack = found[0]?.evidence?.find(({ label }) => label === 'address of our listener');
    assert.match(attack?.response ?? '', /Heard by our listener:\nHTTP from 127\.0\.0\.1 at 20/);
    assert.doesNotMatch(summary, /heard nothing/);
  });

  it('only when the tests are over is found all the same', async () => {
    const { order, ask, tools } = await listen();
    const waiting: string[] = [];
    let isLate = true;
    let arriving: Promise<unknown> = Promise.resolve();
    const gallery = await startGallery((url) => (isLate ? waiting.push(url) : tools.get(url)));
    const { found } = await play(orderFor(gallery, order), {
      enter(phase) {
        if (phase !== 'ANALYSIS') return;
        isLate = false;
        arriving = Promise.all(waiting.map(tools.get));
      },
      async heard(labels) {
        await arriving;
        return ask(labels);
      },
    });
    assert.deepEqual(
      found.map(({ phase, confidence }) => [phase, confidence]),
      [['ANALYSIS', 'CONFIRMED']],
    );
  });

  it('for every address that passes by is no finding', async () => {
    const { order, ask, tools } = await listen();
    const seen: Promise<unknown>[] = [];
    const server = await startWebServer(async ({ url = '/' }, response) => {
      for (const [address] of querystring.unescape(url).matchAll(/http:\/\/127[^&?"]+/g)) seen.push(tools.get(address));
      await Promise.all(seen.splice(0));
      response.writeHead(200, { 'content-type': 'text/html' }).end('<a href="/frame?src=tea.png">Tea</a>');
    });
    open.push(server);
    assert.deepEqual((await play(orderFor(server, order), { heard: ask })).found, []);
  });
});

describe('a run that hears nothing', () => {
  it('says that nobody listened, and does not count the checks that need it', async () => {
    const { summary } = await play(orderFor(await startGallery(() => undefined), null), {});
    assert.match(summary, /^Could not test requests \(server-side-request-forgery\): No listener was configured/m);
    assert.doesNotMatch(summary, /Tested .*server-side-request-forgery/);
  });

  it('says so where somebody listened', async () => {
    const { order, ask } = await listen();
    const { summary } = await play(orderFor(await startGallery(() => undefined), order), { heard: ask });
    assert.match(summary, /The listener heard nothing of the target/);
    assert.match(summary, /Tested .*server-side-request-forgery/);
  });
});
