import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startBareServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import type { Exchange, Headers, TargetRequest } from '../http/exchange/exchange.ts';
import { type Browser, openBrowser } from './browser.ts';
import { CALLBACK, type PageRequest, type VisitAim } from './visit.ts';

type Answer = string | { status?: number; headers?: Headers; body?: string } | undefined;

let browser: Browser;
const open = async () => {
  browser = await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
};
before(open);
after(() => browser.close());

const call = (expression: string) => `${CALLBACK}(${expression})`;

function exchangeOf(request: Omit<TargetRequest, 'purpose'>, answer: Answer): Exchange {
  const { status = 200, headers = [], body = '' } = typeof answer === 'string' ? { body: answer } : (answer ?? {});
  const response = { status, headers: [['Content-Type', 'text/html'], ...headers] as Headers, body: Buffer.from(body) };
  return {
    request: { ...request, purpose: 'test' },
    response: answer === undefined ? null : { ...response, isCut: false },
    failure: answer === undefined ? { code: 'REFUSED', message: 'Not allowed.' } : null,
    remote: null,
    firstByteMs: 1,
    durationMs: 1,
  };
}

type Site = Record<string, Answer | ((asked: readonly { url: string }[]) => Promise<Answer>)>;

/** Opens `/` of a simulated site. */
async function visit(site: Site, { aim, ...changes }: Partial<PageRequest> & { aim?: VisitAim } = {}) {
  const asked: Omit<TargetRequest, 'purpose'>[] = [];
  const startedAt = performance.now();
  const visited = await browser.visit(
    { method: 'GET', url: 'http://site.test/', ...changes },
    async (request) => {
      asked.push(request);
      const { host, pathname } = new URL(request.url);
      const answer = host === 'site.test' ? site[pathname] : undefined;
      return exchangeOf(request, typeof answer === 'function' ? await answer(asked) : answer);
    },
    aim,
  );
  const urls = asked.map(({ method, url }) => `${method} ${url}`);
  return { visited, calls: visited?.calls ?? [], asked, urls, tookMs: performance.now() - startedAt };
}

describe('a page in the browser', () => {
  it('calls us with its word and nothing else', async () => {
    const { calls, visited } = await visit({ '/': `<script>${call('"word"')};${call('{toString:null}')}</script>` });
    assert.deepEqual(calls, ['word']);
    assert.equal(visited?.exchange.response?.status, 200);
    assert.deepEqual((await visit({ '/': '<p>word</p>' })).calls, []);
  });

  it('is what a form was answered with, and its redirect is followed without the form', async () => {
    const form = {
      method: 'POST',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']] as const,
      body: 'a=1',
    };
    const { calls, asked } = await visit({ '/': `<script>${call('location.pathname')};fetch("/x")</script>` }, form);
    assert.deepEqual(calls, ['/']);
    assert.deepEqual(
      asked.map(({ method, body }) => [method, body]),
      [
        ['POST', 'a=1'],
        ['GET', undefined],
      ],
    );
    const thanks = { '/': { status: 303, headers: [['Location', '/thanks']] as const }, '/thanks': 'Thank you.' };
    assert.deepEqual((await visit(thanks, form)).urls, ['POST http://site.test/', 'GET http://site.test/thanks']);
  });

  it('is not what runs in a sandbox or at another origin inside it', async () => {
    const script = (word: string) => `<script>${call(`'${word}'`)}</script>`;
    const frames = `<iframe srcdoc="${script('own')}"></iframe><iframe sandbox="allow-scripts" srcdoc="${script('boxed')}"></iframe>
      <iframe src="data:text/html,${encodeURIComponent(script('data'))}"></iframe>`;
    assert.deepEqual((await visit({ '/': frames })).calls, ['own']);
  });

  it('is left as soon as what was awaited has come, and looked at until there is something to see', async () => {
    const later = `<script>${call('"early"')}; setTimeout(() => document.body.append("late"), 200)</script>`;
    const look = 'document.body.innerText.includes("late") ? "seen" : ""';
    assert.equal((await visit({ '/': later }, { aim: { look } })).visited?.seen, 'seen');
    const left = await visit({ '/': later }, { aim: { look, awaited: 'early' } });
    assert.deepEqual([left.calls, left.visited?.seen], [['early'], undefined]);
  });

  it('that is busy for a while is looked at all the same, and one that is busy for ever is not waited for', async () => {
    const busy = (ms: number) =>
      `<p>there</p><script>onload = () => setTimeout(() => { const end = Date.now() + ${ms}; while (Date.now() < end); })</script>`;
    const look = 'document.body.innerText.includes("there") ? "seen" : ""';
    assert.equal((await visit({ '/': busy(2_000) }, { aim: { look } })).visited?.seen, 'seen');
    const { visited, tookMs } = await visit({ '/': busy(60_000) }, { aim: { look } });
    assert.deepEqual([visited?.exchange.response?.status, visited?.seen], [200, undefined]);
    assert.ok(tookMs < 20_000, `${Math.round(tookMs)} ms`);
  });

  it('is not taken for quiet before what has to come, unless that takes seconds', async () => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    const late = '<script>setTimeout(() => fetch("/late"), 1500)</script>';
    const come = async () => {
      resolve();
      return 'late';
    };
    assert.deepEqual((await visit({ '/': late, '/late': come })).urls, ['GET http://site.test/']);
    const { urls, tookMs } = await visit({ '/': late, '/late': come }, { aim: { until } });
    assert.deepEqual(urls, ['GET http://site.test/', 'GET http://site.test/late']);
    assert.ok(tookMs < 4_500, `${Math.round(tookMs)} ms`);
    const never = await visit({ '/': '<p>nothing</p>' }, { aim: { until: new Promise(() => undefined) } });
    assert.ok(never.tookMs > 5_000 && never.tookMs < 12_000, `${Math.round(never.tookMs)} ms`);
  });

  it('asks through the sender also from a frame that is nobody of this site, each time', async () => {
    const frame =
      '<iframe sandbox=allow-scripts srcdoc="<script>fetch(&quot;http://site.test/x&quot;)</script>"></iframe>';
    for (let times = 0; times < 10; times++) {
      const { urls } = await visit({ '/': frame, '/x': 'x' });
      assert.deepEqual(urls, ['GET http://site.test/', 'GET http://site.test/x'], `the ${times + 1}th time`);
    }
  });

  it('is waited for while its scripts are answered, and not for what is never answered', async () => {
    const fetched = (path: string) =>
      `fetch("${path}").then((answer) => answer.text()).then((text) => ${call('text')})`;
    const late = async () => setTimeout(1_000, 'late');
    const asking = `<script>onload = () => setTimeout(() => ${fetched('/late')}, 100)</script>`;
    assert.deepEqual((await visit({ '/': asking, '/late': late })).calls, ['late']);
    const held = Promise.withResolvers<Answer>();
    const polling = `<script>onload = () => ${fetched('/never')}</script>`;
    const { calls, urls } = await visit({ '/': polling, '/never': () => held.promise });
    held.resolve('too late');
    assert.deepEqual([calls, urls.length], [[], 2]);
  });

  it('sees what may not be sent as a network that failed', async () => {
    const script = `fetch("http://elsewhere.test/x").catch((error) => ${call('error.name')})`;
    assert.deepEqual((await visit({ '/': `<script>${script}</script>` })).calls, ['TypeError']);
    const { visited, calls } = await visit({});
    assert.equal(visited?.exchange.failure?.code, 'REFUSED');
    assert.deepEqual(calls, []);
  });

  it('reads what another site answers with cookies only if that site allows it to', async () => {
    const reads = async (headers: Headers) => {
      const script = `fetch('http://bank.test/', { credentials: 'include' }).then((answer) => answer.text())
        .then((text) => ${call('text')}, (error) => ${call('error.name')})`;
      const visited = await browser.visit({ method: 'GET', url: 'http://site.test/' }, async (request) =>
        exchangeOf(
          request,
          request.url === 'http://site.test/' ? `<script>${script}</script>` : { headers, body: 'balance' },
        ),
      );
      return visited?.calls;
    };
    const credentials = ['Access-Control-Allow-Credentials', 'true'] as const;
    const allow = (origin: string) => ['Access-Control-Allow-Origin', origin] as const;
    assert.deepEqual(await reads([]), ['TypeError']);
    assert.deepEqual(await reads([credentials]), ['TypeError']);
    assert.deepEqual(await reads([allow('http://site.test')]), ['TypeError']);
    assert.deepEqual(await reads([allow('*'), credentials]), ['TypeError']);
    assert.deepEqual(await reads([allow('null'), credentials]), ['TypeError']);
    assert.deepEqual(await reads([allow('http://site.test'), credentials]), ['balance']);
  });

  it('is where its redirects lead, each of them asked for by the sender', async () => {
    const to = (location: string) => ({ status: 302, headers: [['Location', location]] as const });
    const site = { '/': to('/two'), '/two': to('/three'), '/three': `<script>${call('location.pathname')}</script>` };
    const { calls, urls, visited } = await visit(site);
    assert.deepEqual(calls, ['/three']);
    assert.deepEqual(urls, ['GET http://site.test/', 'GET http://site.test/two', 'GET http://site.test/three']);
    assert.equal(visited?.exchange.request.url, 'http://site.test/three');
    const ring = await visit({ '/': to('/') });
    assert.ok(ring.urls.length <= 6);
    const loaded = `<script>fetch("/r").then((answer) => answer.text()).then((text) => ${call('text')})</script>`;
    assert.deepEqual((await visit({ '/': loaded, '/r': to('/end'), '/end': 'arrived' })).calls, ['arrived']);
    assert.deepEqual((await visit({ '/': to('file:///etc/passwd') })).calls, []);
  });

  it('keeps the cookies of its site and its own, and forgets them before the next visit', async () => {
    const body = `<script>document.cookie = "b=2"; fetch("/c").then(() => ${call('document.cookie')})</script>`;
    const { asked, calls } = await visit({ '/': { headers: [['Set-Cookie', 'a=1']], body }, '/c': '' });
    assert.deepEqual(calls, ['a=1; b=2']);
    assert.equal(asked[1]?.headers?.find(([name]) => name === 'cookie')?.[1], 'a=1; b=2');
    assert.deepEqual((await visit({ '/': `<script>${call('document.cookie')}</script>` })).calls, ['']);
  });

  it('whose requests may no longer be sent ends the visit with the reason', async () => {
    const stop = new Error('The requests are used up.');
    await assert.rejects(visit({ '/': () => Promise.reject(stop) }), stop);
    await assert.rejects(visit({ '/': '<img src="/x">', '/x': () => Promise.reject(stop) }), stop);
    assert.deepEqual((await visit({ '/': `<script>${call('1+"1"')}</script>` })).calls, ['11']);
  });
});

describe('a page that does not behave ends within the limits', () => {
  // A fresh browser for each test, so that none affects the next.
  beforeEach(async () => {
    await browser.close();
    await open();
  });

  const never = () => new Promise<never>(() => undefined);
  const scripts: Record<string, string> = {
    'loops for ever': 'for (;;);',
    'takes all memory': 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length));',
    'opens dialogs': 'for (let n = 0; n < 20; n++) alert(n); onbeforeunload = () => "stay"; print();',
    'opens windows': 'for (let n = 0; n < 20; n++) window.open("/popup" + n);',
    'calls us for ever': `setInterval(() => { for (let n = 0; n < 500; n++) ${call('"flood"')} }, 1)`,
    'asks for ever': 'setInterval(() => { for (let n = 0; n < 50; n++) fetch("/x" + Math.random()) }, 1)',
    'goes round in circles': 'location.href = "/?" + Math.random()',
  };
  for (const [name, script] of Object.entries(scripts)) {
    it(`when it ${name}`, async () => {
      const { calls, asked, tookMs } = await visit({ '/': `<script>${call('"ran"')}; ${script}</script>` });
      assert.ok(tookMs < 45_000, `${tookMs} ms`);
      assert.equal(calls[0], 'ran');
      assert.ok(asked.length <= 150);
      assert.ok(calls.length <= 1_000);
    });
  }

  it('when it never finishes loading', async () => {
    const { calls, tookMs } = await visit({
      '/': `<script>${call('"ran"')}</script><img src="/never">`,
      '/never': never,
    });
    assert.ok(tookMs < 45_000);
    assert.deepEqual(calls, ['ran']);
    assert.equal((await visit({ '/': never })).visited, undefined);
  });

  it('and the next visit is as good as the first', async () => {
    await visit({ '/': `<script>${scripts['opens dialogs']}</script>` });
    assert.deepEqual((await visit({ '/': `<script>${call('"word"')}</script>` })).calls, ['word']);
  });
});

describe('the browser has no network of its own', () => {
  const servers: TargetServer[] = [];
  const udp = createSocket('udp4');
  let datagrams = 0;
  before(async () => {
    for (const host of ['127.0.0.1', '::1']) servers.push(await startBareServer((socket) => socket.destroy(), host));
    udp.on('message', () => void datagrams++).bind(0, '127.0.0.1');
    await once(udp, 'listening');
  });
  after(async () => {
    for (const server of servers) await server.close();
    udp.close();
  });

  /** Every way in which a page can open a connection to one origin. */
  function waysTo(origin: string, stun: string): string {
    const socket = origin.replace('http', 'ws');
    return `<link rel="preconnect" href="${origin}/"><link rel="dns-prefetch" href="${origin}/">
      <link rel="prefetch" href="${origin}/prefetch"><link rel="preload" as="script" href="${origin}/preload">
      <link rel="prerender" href="${origin}/prerender"><link rel="stylesheet" href="${origin}/css"><link rel="manifest" href="${origin}/m">
      <link rel="icon" href="${origin}/icon"><script type="speculationrules">{"prefetch":[{"urls":["${origin}/s"]}]}</script>
      <img src="${origin}/img"><iframe src="${origin}/frame"></iframe><object data="${origin}/object"></object>
      <video src="${origin}/video"></video><iframe name="f"></iframe><img src="/slow" onerror="leave()">
      <form id="f" method="post" action="${origin}/form" target="f"><input name="a" value="1"></form>
      <a id="d" download href="${origin}/download">d</a><a id="p" ping="${origin}/ping" href="#x">p</a>
      <iframe srcdoc='<meta http-equiv="refresh" content="0;url=${origin}/refresh">'></iframe>
      <a id="file" href="file:///etc/passwd" target="_blank">f</a><a id="chrome" href="chrome://settings" target="_blank">c</a>
      <script>
        const tries = [
          () => fetch("${origin}/fetch", { method: "POST", body: "secret", mode: "no-cors", keepalive: true }),
          () => { const x = new XMLHttpRequest(); x.open("GET", "${origin}/xhr"); x.send(); },
          () => new WebSocket("${socket}/socket"),
          () => new EventSource("${origin}/events"),
          () => navigator.sendBeacon("${origin}/beacon", "secret"),
          () => new Worker(URL.createObjectURL(new Blob(['fetch("${origin}/worker"); new WebSocket("${socket}/w")']))),
          () => navigator.serviceWorker.register("/worker.js"),
          () => new WebTransport("${origin.replace('http:', 'https:')}/transport"),
          () => { const c = new RTCPeerConnection({ iceServers: [{ urls: "stun:${stun}" }, { urls: "turn:${stun}?transport=tcp", username: "u", credential: "c" }] });
            c.createDataChannel("x"); c.createOffer().then((offer) => c.setLocalDescription(offer)); },
          () => document.getElementById("f").submit(),
          () => document.getElementById("p").click(),
        ];
        // These may end the loading of the page, and with it all others.
        const ways = [
          () => window.open("${origin}/popup"),
          () => document.getElementById("d").click(),
          () => document.getElementById("file").click(),
          () => document.getElementById("chrome").click(),
        ];
        const tryAll = (all) => { for (const one of all) try { Promise.resolve(one()).catch(() => {}); } catch {} };
        const leave = () => tryAll(ways);
        tryAll(tries);
        ${call('"tried"')};
      </script>`;
  }

  const WAYS = ['fetch', 'xhr', 'events', 'img', 'frame', 'css', 'form', 'beacon', 'worker'];

  /** Keeps the page loading until it has tried every way. */
  const tried = (place: string) => async (asked: readonly { url: string }[]) => {
    const isTried = (way: string) => asked.some(({ url }) => url === `${place}/${way}`);
    for (let left = 400; left > 0 && !WAYS.every(isTried); left--) await setTimeout(20);
    return '';
  };

  it('and no byte gets out but through the sender', async () => {
    const { port } = udp.address();
    const places = servers.map(({ url }) => url).concat(servers.map((each) => `http://localhost:${each.port}`));
    for (const place of places) {
      const { calls, urls } = await visit({
        '/': waysTo(place, `127.0.0.1:${port}`),
        '/worker.js': '',
        '/slow': tried(place),
      });
      assert.deepEqual(calls, ['tried']);
      // The attempts show in the requests that the sender received and refused.
      for (const path of WAYS)
        assert.ok(
          urls.some((url) => url.endsWith(`${place}/${path}`)),
          `${path} was not tried`,
        );
      assert.ok(urls.every((url) => /^[A-Z]+ https?:/.test(url)));
    }
    assert.deepEqual(
      servers.map((server) => server.connections()),
      [0, 0],
    );
    assert.equal(datagrams, 0);
  });

  it('also not when the page itself goes there', async () => {
    const [server] = servers;
    const leave = `<meta http-equiv="refresh" content="0;url=${server?.url}/meta"><script>${call('"left"')}</script>`;
    const { urls } = await visit({ '/': leave });
    assert.ok(urls.includes(`GET ${server?.url}/meta`));
    for (const url of ['file:///etc/passwd', 'chrome://version', 'javascript:1', `ftp://127.0.0.1:${server?.port}/`]) {
      const { calls } = await visit({
        '/': `<script>${call('"left"')}; location.href = ${JSON.stringify(url)}</script>`,
      });
      assert.deepEqual(calls, ['left']);
    }
    assert.deepEqual(
      servers.map((each) => each.connections()),
      [0, 0],
    );
  });
});
