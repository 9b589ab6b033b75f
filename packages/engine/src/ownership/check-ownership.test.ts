import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange, SendFailure, TargetRequest, TargetResponse } from '../http/exchange/exchange.ts';
import { StopSending } from '../http/exchange/sender.ts';
import { OwnershipResult } from '../protocol/ownership-messages.ts';
import { checkOwnership } from './check-ownership.ts';

const token = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6';
const otherToken = 'z9Y8x7W6v5U4t3S2r1Q0p9O8n7M6l5K4';
const origin = 'https://shop.example.com';
const file = `${origin}/.well-known/sortie-verification.txt`;

type Answer = Partial<Omit<TargetResponse, 'body'>> & { body?: string | Buffer };
type Site = Record<string, Answer | SendFailure | StopSending>;

const redirect = (location: string, status = 302): Answer => ({ status, headers: [['Location', location]] });

/** Responds with what the site has at each URL, and with 404 elsewhere. */
function visit(site: Site) {
  const sent: TargetRequest[] = [];
  async function send(request: TargetRequest): Promise<Exchange> {
    sent.push(request);
    const answer = site[request.url] ?? { status: 404 };
    if (answer instanceof StopSending) throw answer;
    const unheard = { request, remote: null, firstByteMs: null, durationMs: 1 };
    if ('code' in answer) return { ...unheard, response: null, failure: answer };
    const { status = 200, headers = [['content-type', 'text/html; charset=utf-8']], isCut = false } = answer;
    return { ...unheard, failure: null, response: { status, headers, isCut, body: Buffer.from(answer.body ?? '') } };
  }
  return { sender: { send }, sent };
}

const noNames = { texts: () => Promise.reject(new Error('not asked')), aliases: () => Promise.reject(new Error()) };

async function check(method: 'file' | 'meta', site: Site) {
  const { sender, sent } = visit(site);
  const question = { method, token, coveredName: null, coveredOrigin: origin };
  const result = OwnershipResult.parse(await checkOwnership(question, { sender, resolver: noNames }));
  for (const request of sent) assert.deepEqual([request.method, request.purpose], ['GET', 'look']);
  assert.deepEqual(
    result.lookUps.map(({ place }) => place),
    sent.map(({ url }) => `GET ${url}`),
  );
  return { ...result, urls: sent.map(({ url }) => url) };
}

const outcomeOf = async (...asked: Parameters<typeof check>) => (await check(...asked)).outcome;

describe('a verification by file', () => {
  const found = ['', '\n', '\r\n', ' \t', '\ufeff'];
  for (const around of found) {
    it(`is found when the content is the token within ${JSON.stringify(around)}`, async () => {
      const { outcome, message } = await check('file', { [file]: { body: `${around}${token}${around}` } });
      assert.equal(outcome, 'FOUND');
      assert.equal(message, `Found the token ${token} at ${file}.`);
    });
  }

  const others: Record<string, Answer> = {
    'another token': { body: otherToken },
    'the token in another case': { body: token.toLowerCase() },
    'the token among other lines': { body: `${token}\n${otherToken}` },
    'the token twice': { body: `${token}\n${token}` },
    'a page that repeats the token': { body: `<html><body>${token}</body></html>` },
    'the token with a name': { body: `sortie-verification=${token}` },
    'the token with a null byte': { body: `${token}\0` },
    nothing: { body: '' },
    'the token in an answer that was cut': { body: token, isCut: true },
    'the token with status 404': { status: 404, body: token },
    'the token with status 401': { status: 401, body: token },
    'the token with status 203': { status: 203, body: token },
    'the token with status 206': { status: 206, body: token },
    'the token in a redirect without a place': { status: 302, body: token },
  };
  for (const [what, answer] of Object.entries(others)) {
    it(`is not found in ${what}`, async () => assert.equal(await outcomeOf('file', { [file]: answer }), 'NOT_FOUND'));
  }

  it('follows one redirect on its origin, and only one', async () => {
    const once = await check('file', { [file]: redirect('/proof.txt'), [`${origin}/proof.txt`]: { body: token } });
    assert.deepEqual([once.outcome, once.urls], ['FOUND', [file, `${origin}/proof.txt`]]);
    const twice = { [file]: redirect('/a'), [`${origin}/a`]: redirect('/b'), [`${origin}/b`]: { body: token } };
    const result = await check('file', twice);
    assert.deepEqual([result.outcome, result.urls], ['NOT_FOUND', [file, `${origin}/a`]]);
    assert.match(result.message, /too many redirects/);
  });

  const elsewhere = [
    'https://evil.test/proof.txt',
    '//evil.test/proof.txt',
    'http://shop.example.com/.well-known/sortie-verification.txt',
    'https://shop.example.com:8443/proof.txt',
    'https://www.shop.example.com/proof.txt',
    'https://shop.example.com@evil.test/',
    'https:\\\\evil.test',
  ];
  for (const location of elsewhere) {
    it(`does not follow a redirect to ${location}`, async () => {
      const { outcome, urls, message } = await check('file', {
        [file]: redirect(location),
        [new URL(location, file).href]: { body: token },
      });
      assert.deepEqual([outcome, urls], ['NOT_FOUND', [file]]);
      assert.match(message, /redirects to another origin/);
    });
  }

  it('is unknown when the site cannot be heard, is overloaded or broken', async () => {
    const codes = ['REFUSED', 'UNREACHABLE', 'TLS', 'TIMEOUT', 'PROTOCOL', 'TOO_LARGE'] as const;
    for (const code of codes) {
      const { outcome, message } = await check('file', { [file]: { code, message: 'Nobody answers.' } });
      assert.equal(outcome, 'UNKNOWN', code);
      assert.match(message, /^Could not look up the token .*: Nobody answers\. /);
    }
    assert.equal(await outcomeOf('file', { [file]: new StopSending('time', 'The time is up.') }), 'UNKNOWN');
    for (const status of [429, 500, 502, 503]) {
      assert.equal(await outcomeOf('file', { [file]: { status, body: token } }), 'UNKNOWN', String(status));
    }
  });

  it('says what was seen and what to do, without repeating what strangers wrote', async () => {
    const { message, lookUps } = await check('file', { [file]: { body: 'password=hunter2' } });
    assert.match(message, new RegExp(`^Did not find the token ${token} at ${file}: .*Publish a file there`));
    assert.doesNotMatch(JSON.stringify([message, lookUps]), /hunter2/);
    assert.match(JSON.stringify(lookUps), /status 200, text\/html, 16 bytes/);
    const other = await check('file', { [file]: { body: otherToken } });
    assert.match(other.message, new RegExp(`the file has another token, ${otherToken}`));
  });
});

describe('a verification by meta tag', () => {
  const page = `${origin}/`;
  const tag = (content = token) => `<meta name="sortie-verification" content="${content}">`;
  const withPage = (body: string) => outcomeOf('meta', { [page]: { body } });

  const pages: Record<string, string> = {
    'the head': `<!doctype html><html><head><title>Shop</title>${tag()}</head><body>Hello</body></html>`,
    'a head that is not written out': `<!doctype html><title>Shop</title>${tag()}<p>Hello`,
    'a name in other letters': `<head><META NAME='Sortie-Verification' CONTENT=${token}></head>`,
    'two tags that agree': `<head>${tag()}${tag()}</head>`,
    'the head, with another one in the body': `<head>${tag()}</head><body>${tag(otherToken)}</body>`,
    'a page that was cut in its body': `<head>${tag()}</head><body><p class="`,
  };
  for (const [where, body] of Object.entries(pages)) {
    it(`is found in ${where}`, async () => assert.equal(await withPage(body), 'FOUND'));
  }

  const traps: Record<string, string> = {
    'the body': `<head></head><body>${tag()}</body>`,
    'the body of a page without a head': `<p>Comments</p>${tag()}`,
    'a head that something ended before': `<head><p>Hello</p>${tag()}</head>`,
    'what follows the head': `<head><title>Shop</title></head>${tag()}<body></body>`,
    'a comment': `<head><!-- ${tag()} --></head>`,
    'a template': `<head><template>${tag()}</template></head>`,
    'a noscript': `<head><noscript>${tag()}</noscript></head>`,
    'a script': `<head><script>document.write('${tag()}')</script></head>`,
    'a title': `<head><title>${tag()}</title></head>`,
    'a style': `<head><style>${tag()}</style></head>`,
    'a text area': `<body><textarea>${tag()}</textarea></body>`,
    'an attribute': `<head><meta name="description" content='${tag()}'></head>`,
    'a drawing': `<svg><head>${tag()}</head></svg>`,
    'two tags that disagree': `<head>${tag(otherToken)}${tag()}</head>`,
    'two tags that disagree, ours first': `<head>${tag()}${tag(otherToken)}</head>`,
    'a tag of another name': `<head><meta name="verification" content="${token}"></head>`,
    'a property instead of a name': `<head><meta property="sortie-verification" content="${token}"></head>`,
    'another token': `<head>${tag(otherToken)}</head>`,
    'a value with more in it': `<head>${tag(`${token} `)}</head>`,
    'a tag without a value': '<head><meta name="sortie-verification"></head>',
    'an empty page': '',
  };
  for (const [where, body] of Object.entries(traps)) {
    it(`is not found in ${where}`, async () => assert.equal(await withPage(body), 'NOT_FOUND'));
  }

  it('is read from HTML with status 200 only', async () => {
    const body = `<head>${tag()}</head>`;
    const plain: Answer = { body, headers: [['Content-Type', 'text/plain']] };
    for (const answer of [plain, { body, headers: [] }, { body, status: 404 }, { body, status: 403 }]) {
      assert.equal(await outcomeOf('meta', { [page]: answer }), 'NOT_FOUND');
    }
    assert.equal(await outcomeOf('meta', { [page]: { body, status: 503 } }), 'UNKNOWN');
    assert.equal(await outcomeOf('meta', { [page]: { code: 'TLS', message: 'Bad certificate.' } }), 'UNKNOWN');
    const xhtml: Answer = { body, headers: [['content-type', 'application/xhtml+xml']] };
    assert.equal(await outcomeOf('meta', { [page]: xhtml }), 'FOUND');
  });

  it('follows redirects on its origin, five at most', async () => {
    const body = `<head>${tag()}</head>`;
    const hops = (count: number): Site => ({
      [page]: redirect('/1#top', 308),
      ...Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `${origin}/${index + 1}`,
          index + 1 === count ? { body } : redirect(`/${index + 2}`, 301),
        ]),
      ),
    });
    assert.equal(await outcomeOf('meta', hops(5)), 'FOUND');
    assert.equal(await outcomeOf('meta', hops(6)), 'NOT_FOUND');
    const away = { [page]: redirect('https://www.example.com/'), 'https://www.example.com/': { body } };
    assert.equal(await outcomeOf('meta', away), 'NOT_FOUND');
  });

  it('shows tokens that were seen, and nothing else of the page', async () => {
    const { lookUps, message } = await check('meta', {
      [page]: { body: `<head>${tag(otherToken)}${tag('hunter2')}</head>` },
    });
    assert.match(message, /several such tags with different values/);
    assert.match(JSON.stringify(lookUps), new RegExp(otherToken));
    assert.doesNotMatch(JSON.stringify(lookUps), /hunter2/);
  });
});

describe('a verification by DNS', () => {
  const name = 'example.com';
  const wanted = `sortie-verification=${token}`;

  async function ask(records: string[] | Error, aliases: string[] | Error = []) {
    const asked: string[] = [];
    const answer = (what: string[] | Error) => (one: string) => {
      asked.push(one);
      return what instanceof Error ? Promise.reject(what) : Promise.resolve(what);
    };
    const question = { method: 'dns', token, coveredName: name, coveredOrigin: null } as const;
    const resolver = { texts: answer(records), aliases: answer(aliases) };
    const { sender, sent } = visit({});
    const result = OwnershipResult.parse(await checkOwnership(question, { sender, resolver }));
    assert.deepEqual([new Set(asked), sent], [new Set([name]), []]);
    return result;
  }

  it('is found in a record of exactly that value, among others', async () => {
    const { outcome, message, lookUps } = await ask(['v=spf1 -all', wanted, `sortie-verification=${otherToken}`]);
    assert.deepEqual([outcome, message], ['FOUND', `Found the TXT record ${wanted} at example.com.`]);
    assert.deepEqual(lookUps.at(-1), {
      place: 'TXT example.com',
      seen: [wanted, `sortie-verification=${otherToken}`, '1 of other services'],
    });
  });

  const others: Record<string, string[]> = {
    'no record': [],
    'another token': [`sortie-verification=${otherToken}`],
    'the token alone': [token],
    'a record that begins with it': [`${wanted}1`],
    'a record that ends with it': [`x ${wanted}`],
    'a value in quotes': [`"${wanted}"`],
    'a value with spaces': [`sortie-verification= ${token}`, `${wanted} `],
    'a name in capitals': [`SORTIE-VERIFICATION=${token}`],
    'two records that make it together': ['sortie-verification=', token],
  };
  for (const [what, records] of Object.entries(others)) {
    it(`is not found in ${what}`, async () => {
      const { outcome, message } = await ask(records);
      assert.equal(outcome, 'NOT_FOUND');
      assert.match(message, /^Did not find the TXT record .* Add the record, /);
    });
  }

  it("is not found behind an alias, where it is another name's", async () => {
    const { outcome, message } = await ask([wanted], ['shops.provider.test']);
    assert.equal(outcome, 'NOT_FOUND');
    assert.match(
      message,
      /CNAME record to shops\.provider\.test\. Publish the record on a parent domain, or verify by file/,
    );
  });

  it('is unknown when the name servers do not answer', async () => {
    const trouble = Object.assign(new Error('queryTxt ESERVFAIL'), { code: 'ESERVFAIL' });
    for (const { outcome, message, lookUps } of [await ask(trouble), await ask([wanted], trouble)]) {
      assert.equal(outcome, 'UNKNOWN');
      assert.match(message, /did not respond \(ESERVFAIL\)/);
      assert.deepEqual(lookUps.at(-1)?.seen, ['no response (ESERVFAIL)']);
    }
  });

  it('shows nothing of records that are for other services', async () => {
    assert.doesNotMatch(JSON.stringify(await ask(['other-verification=hunter2'])), /hunter2/);
  });
});

describe('an ownership check', () => {
  it('says where its connections went', async () => {
    const entry = { host: 'shop.example.com', port: 443, address: '192.0.2.7', outcome: 'CONTACTED' as const };
    const egress = [{ ...entry, reason: null, connections: 1, requests: 1 }];
    const question = { method: 'file', token, coveredName: null, coveredOrigin: origin } as const;
    const { sender } = visit({ [file]: { body: token } });
    const result = await checkOwnership(question, { sender, resolver: noNames, egress: () => egress });
    assert.deepEqual(result.egress, egress);
  });

  it('stays within what may be said, however long names and answers are', async () => {
    const longOrigin = `https://${'a.'.repeat(125)}com:65535`;
    const long = `https://${'b.'.repeat(125)}com/${'c'.repeat(5_000)}`;
    const { sender } = visit({ [`${longOrigin}/`]: redirect(`/${'d'.repeat(5_000)}`) });
    const meta = { method: 'meta', token, coveredName: null, coveredOrigin: longOrigin } as const;
    OwnershipResult.parse(await checkOwnership(meta, { sender, resolver: noNames }));
    const away = visit({ [`${longOrigin}/.well-known/sortie-verification.txt`]: redirect(long) });
    const byFile = { ...meta, method: 'file' } as const;
    OwnershipResult.parse(await checkOwnership(byFile, { sender: away.sender, resolver: noNames }));
    const failing = { send: async () => Promise.reject(new StopSending('time', 'x'.repeat(5_000))) };
    OwnershipResult.parse(await checkOwnership(byFile, { sender: failing, resolver: noNames }));
  });
});
