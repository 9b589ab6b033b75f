import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startWebServer } from '@sortie/testing/targets/target-servers.ts';
import { type Content, gatherContent } from './content.ts';
import { isMissing, thoseThere } from './missing.ts';
import { gatherMainPage } from './page/main-page.ts';
import { gatherSecondResponse } from './probes/second-response.ts';

const MAP = '{"version":3,"sources":["src/a.ts"],"sourcesContent":["let a"],"mappings":""}';
const scriptTags = (...sources: string[]) => sources.map((source) => `<script src="${source}"></script>`).join('');

type Files = Readonly<Record<string, string | ((response: ServerResponse, request: IncomingMessage) => void)>>;

/** Serves the page and these files; a function as file writes its own response. */
const siteOf =
  (page: string, files: Files = {}): RequestListener =>
  (request, response) => {
    request.resume();
    const file = request.url === '/' ? page : files[request.url ?? ''];
    response.setHeader('content-type', request.url === '/' ? 'text/html' : 'text/javascript');
    if (typeof file === 'function') file(response, request);
    else response.writeHead(file === undefined ? 404 : 200).end(file ?? 'nothing');
  };

interface Gathered extends Content {
  /** Requests received after the one for the page. */
  asked: string[];
}

async function gather(site: RequestListener, followed = 1): Promise<Gathered> {
  const asked: string[] = [];
  const server = await startWebServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    site(request, response);
  });
  const sender = testSender({ limits: { atOnce: 6, totalMs: 2_000 } });
  try {
    const mainPage = await gatherMainPage(sender, `${server.url}/`);
    assert.ok('hops' in mainPage);
    const content = await gatherContent(sender, mainPage, [{ path: '/openapi.json' }], followed);
    assert.deepEqual(JSON.parse(JSON.stringify(content)), content);
    return { ...content, asked: asked.slice(1) };
  } finally {
    await Promise.all([sender.close(), server.close()]);
  }
}

const bodiesOf = ({ scripts }: Content) => thoseThere(scripts).map(({ body }) => body);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `/s${index}.js`);

describe('the scripts of a page', () => {
  it('are loaded once each, in the order of the page, and nothing else is', async () => {
    const page = `<link rel=stylesheet href=/a.css><img src=/a.png>${scriptTags('/b.js', '/a.js?v=1#x', '/b.js')}
      <script type="text/template" src="/t.html"></script><!-- ${scriptTags('/c.js')} -->`;
    const { asked, ...content } = await gather(siteOf(page, { '/b.js': 'b', '/a.js?v=1': 'a' }));
    assert.deepEqual(bodiesOf(content), ['b', 'a']);
    assert.deepEqual(asked.filter((one) => /\.(js|css|png|html)\b/.test(one)).sort(), ['GET /a.js?v=1', 'GET /b.js']);
  });

  it('of other sites are not loaded', async () => {
    const { asked, scripts } = await gather(
      siteOf(scriptTags('http://cdn.example/a.js', 'http://user@127.0.0.1/a.js')),
    );
    assert.deepEqual(scripts, []);
    assert.ok(!asked.some((one) => one.includes('.js') && !one.includes('.json')));
  });

  it('that are gone are left out, also where an app answers everything with its page', async () => {
    const files: Files = {
      '/page.js': '<!doctype html><title>App</title>',
      '/html.js': (response) => void response.setHeader('content-type', 'text/html').end('<div>'),
    };
    assert.deepEqual((await gather(siteOf(scriptTags('/gone.js', '/page.js', '/html.js'), files))).scripts, []);
  });

  it('are twenty at most, and it is said that there are more', async () => {
    const { scripts, asked } = await gather(siteOf(scriptTags(...numbered(30)), { '/s0.js': 'x' }));
    assert.equal(asked.filter((one) => one.endsWith('.js')).length, 20);
    assert.match(scripts.filter(isMissing)[0]?.missing ?? '', /30 first-party scripts; the scan read 20 of them/);
  });

  it('are fewer where redirects have taken their requests', async () => {
    const { scripts, asked } = await gather(siteOf(scriptTags(...numbered(30))), 104);
    assert.ok(asked.length <= 120 - 12 - 104 - 1, `${asked.length} requests`);
    assert.equal(scripts.filter(isMissing).length, 1);
    assert.equal((await gather(siteOf(scriptTags('/a.js')), 200)).asked.length, 0);
  });

  it('are read up to a million bytes each, and five million together', async () => {
    const big: Files[string] = (response) => void response.end(Buffer.alloc(1_500_000, 'x'));
    const sources = numbered(10);
    const { scripts } = await gather(
      siteOf(scriptTags(...sources), Object.fromEntries(sources.map((path) => [path, big]))),
    );
    const read = thoseThere(scripts);
    assert.ok(read.every(({ isCut, body }) => isCut && body.length <= 1_000_000));
    assert.ok(read.reduce((sum, { body }) => sum + body.length, 0) <= 5_000_000);
    assert.equal(read.length, 5);
    assert.equal(scripts.filter(isMissing).length, 5 + 1, 'those that were not read, and that others were cut');
  });

  it('are left alone as soon as the site asks for fewer requests', async () => {
    const busy: Files[string] = (response) => void response.writeHead(429, { 'retry-after': '0' }).end();
    const sources = numbered(18);
    const site = siteOf(scriptTags(...sources), Object.fromEntries(sources.map((path) => [path, busy])));
    const { scripts, asked } = await gather(site);
    assert.ok(asked.filter((one) => one.endsWith('.js')).length <= 6, `${asked}`);
    assert.equal(scripts.filter(isMissing).length, 18);
  });

  it('are not there on what is no page', async () => {
    const { scripts } = await gather((_, response) =>
      response.setHeader('content-type', 'text/plain').end(scriptTags('/a.js')),
    );
    assert.deepEqual(scripts, []);
  });
});

describe('the source maps of scripts', () => {
  const page = scriptTags('/a.js');
  const sourcesOf = ({ sourceMaps }: Content) => thoseThere(sourceMaps).map(({ sources }) => sources.join());

  it('are found by the last comment of a script, and by its header', async () => {
    const files = {
      '/js/a.js': '//# sourceMappingURL=wrong.map\nlet a;\n//# sourceMappingURL=a.js.map\n',
      '/js/a.js.map': MAP,
      '/b.js': (response: ServerResponse) => void response.setHeader('SourceMap', '/maps/b').end('let b'),
      '/maps/b': MAP.replace('a.ts', 'b.ts'),
    };
    const content = await gather(siteOf(scriptTags('/js/a.js', '/b.js'), files));
    assert.deepEqual(sourcesOf(content), ['src/a.ts', 'src/b.ts']);
    assert.ok(!content.asked.includes('GET /js/wrong.map'));
    assert.equal(thoseThere(content.sourceMaps)[0]?.hasContent, true);
  });

  it('may stand in the script itself', async () => {
    const inline = `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${Buffer.from(MAP).toString('base64')}`;
    const content = await gather(siteOf(page, { '/a.js': `let a;\n${inline}` }));
    assert.deepEqual(sourcesOf(content), ['src/a.ts']);
  });

  for (const [name, body] of [
    ['a page', '<!doctype html><title>App</title>'],
    ['another JSON', '{"version":3}'],
    ['one of another version', '{"version":2,"sources":["a"]}'],
    ['one without sources', '{"version":3,"sources":[]}'],
    ['a list', '[3]'],
    ['half of one', MAP.slice(0, -1)],
    ['nothing', ''],
  ] as const) {
    it(`are not ${name}`, async () => {
      const files = { '/a.js': '//# sourceMappingURL=a.js.map', '/a.js.map': body };
      assert.deepEqual((await gather(siteOf(page, files))).sourceMaps, []);
    });
  }

  it('are not asked for at other sites', async () => {
    const { asked, sourceMaps } = await gather(
      siteOf(page, { '/a.js': '//# sourceMappingURL=http://a.example/a.map' }),
    );
    assert.deepEqual([sourceMaps, asked.filter((one) => one.includes('map'))], [[], []]);
  });

  it('that are too large to be read are missing, and eight are read at most', async () => {
    const sources = numbered(12);
    const files = Object.fromEntries(
      sources.flatMap((path): [string, Files[string]][] => [
        [path, `//# sourceMappingURL=${path}.map`],
        [`${path}.map`, path === '/s0.js' ? (response) => void response.end(`{"a":"${'x'.repeat(3_000_000)}`) : MAP],
      ]),
    );
    const { sourceMaps, asked } = await gather(siteOf(scriptTags(...sources), files));
    assert.equal(asked.filter((one) => one.endsWith('.map')).length, 8);
    const reasons = sourceMaps.filter(isMissing).map(({ missing }) => missing);
    assert.match(reasons.join(), /exceeds the size limit.*12 source maps; the scan read 8 of them/);
    assert.equal(thoseThere(sourceMaps).length, 7);
  });
});

describe('the APIs of a site', () => {
  it('are looked for where its scripts say, on the site itself, and where nobody has asked yet', async () => {
    const script =
      'fetch("/v2/graphql");a="https://api.example/graphql";b="/docs/swagger.json";c="/openapi.json";d="/a/b"';
    const { asked, apiSurfaces } = await gather(
      siteOf(scriptTags('/a.js'), { '/a.js': script, '/v2/graphql': '{"data":1}', '/docs/swagger.json': '{}' }),
    );
    assert.deepEqual(asked.slice(1), ['POST /v2/graphql', 'GET /docs/swagger.json', 'GET /swagger.json']);
    assert.deepEqual(
      thoseThere(apiSurfaces).map(({ kind, answer }) => [kind, answer.status]),
      [
        ['graphql', 200],
        ['description', 200],
        ['description', 404],
      ],
    );
  });

  it('are asked for nothing but how they describe themselves', async () => {
    let body = '';
    const files: Files = {
      '/v2/graphql': (response, request) => {
        request.on('data', (chunk: Buffer) => {
          body += chunk.toString();
        });
        request.on('end', () => response.end('{}'));
      },
    };
    await gather(siteOf('<script>api="/v2/graphql"</script>', files));
    assert.equal(body, '{"query":"{__schema{queryType{name}}}"}');
  });
});

describe('a second look at a page', () => {
  async function look(
    policy: string | undefined,
    second: (response: ServerResponse) => void = (response) => void response.end(),
  ) {
    let asked = 0;
    const server = await startWebServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      if (policy) response.setHeader('content-security-policy', policy);
      if (++asked === 1) response.end('first');
      else second(response);
    });
    const sender = testSender();
    const mainPage = await gatherMainPage(sender, `${server.url}/`);
    assert.ok('hops' in mainPage);
    const answer = await gatherSecondResponse(sender, mainPage);
    await Promise.all([sender.close(), server.close()]);
    return { answer, asked };
  }

  it('is taken where the policy has a nonce, and nowhere else', async () => {
    const { answer, asked } = await look("script-src 'nonce-4AEemGb0xJptoIGF'");
    assert.ok(answer && !isMissing(answer) && asked === 2);
    assert.deepEqual(await look("script-src 'self'"), { answer: null, asked: 1 });
    assert.deepEqual(await look(undefined), { answer: null, asked: 1 });
  });

  it('is missing where another page comes, or none', async () => {
    for (const status of [429, 500]) {
      const { answer } = await look(
        "script-src 'nonce-4AEemGb0xJptoIGF'",
        (response) => void response.writeHead(status).end(),
      );
      assert.ok(isMissing(answer), `${status}`);
    }
  });
});
