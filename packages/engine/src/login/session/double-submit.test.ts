import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { createLoginSites } from '@sortie/testing/targets/login-site.ts';
import { doubleSubmitSite } from '@sortie/testing/targets/logins/double-submit.ts';
import { recordExchange } from '../../http/record/record.ts';
import { repeatCsrf } from './double-submit.ts';
import { createSession } from './session.ts';

const { attempt, start, toolsFor, closeAll } = createLoginSites();
afterEach(closeAll);

const OLD = '0123456789abcdef';
const FORM = 'application/x-www-form-urlencoded';
const writes = {
  header: { type: 'application/json', body: '{"colour":"red"}' },
  'form field': { type: FORM, body: `csrf_token=${OLD}&colour=red` },
  'multipart field': {
    type: 'multipart/form-data; boundary=xyz',
    body: `--xyz\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\n${OLD}\r\n--xyz--\r\n`,
  },
  'JSON property': { type: 'application/json', body: `{"csrf_token":"${OLD}","colour":"red"}` },
};

describe('a write after the login', () => {
  for (const place of ['header', 'form field', 'multipart field', 'JSON property'] as const) {
    it(`repeats the CSRF cookie in the ${place}, each time with its current value`, async () => {
      const site = doubleSubmitSite(place);
      const { result, server, seen } = await attempt(site);
      assert.ok('proof' in result, JSON.stringify(result));
      const { type, body } = writes[place];
      const write = {
        method: 'POST',
        url: `${server.url}/colour`,
        headers: [['Content-Type', type]] as const,
        body,
      };
      for (let count = 1; count <= 2; count++) {
        await result.session.send(write);
        assert.equal(site.saved.length, count, seen.at(-1)?.text);
      }
      const { response } = await result.session.send(write, { isCrossSite: true });
      assert.equal(response?.status, 403);
      assert.equal(site.saved.length, 2);
    });
  }
});

describe('a request with a CSRF cookie', () => {
  const sent = (
    changes: { method?: string; headers?: [string, string][]; body?: string | Uint8Array },
    cookie = 'new%2Bvalue1',
  ) =>
    repeatCsrf(
      {
        method: 'POST',
        ...changes,
        headers: [['Cookie', `a=1; csrf=${cookie}`], ...(changes.headers ?? [])],
      },
      new Set(['old-value0']),
      () => {},
    );

  it('has it in a header, decoded, unless it reads', () => {
    assert.deepEqual(sent({}).headers.at(-1), ['X-CSRF-Token', 'new+value1']);
    assert.equal(sent({ method: 'GET' }).headers.length, 1);
  });

  it('keeps tokens that are derived from the cookie, and payloads', () => {
    const derived: [string, string] = ['x-csrf-token', 'derived-from-it'];
    assert.deepEqual(sent({ headers: [derived] }).headers.slice(1), [derived]);
    for (const body of [
      'csrf=derived-from-it&b=1',
      `csrf=old-value0'--&b=1`,
      '{"csrf":"x"}',
      `csrf=1'or'1'='1&b=1`,
      '{"csrf":"srt3f9a-ab"}',
      'note=csrf',
      'a=0123456789',
    ])
      assert.equal(sent({ body }).body, body);
  });

  it('has its value in place of an older one, and every other byte as it is', () => {
    assert.deepEqual(sent({ headers: [['X-CSRF-Token', 'old-value0']] }).headers.at(-1), [
      'X-CSRF-Token',
      'new+value1',
    ]);
    assert.equal(sent({ body: 'b=%7e&csrf=old-value0&c' }).body, 'b=%7e&csrf=new%2Bvalue1&c');
    assert.equal(sent({ body: '{ "csrf":"old-value0" }' }).body, '{ "csrf":"new+value1" }');
  });

  it('keeps the bytes of a file in a multipart form', () => {
    const part = (name: string, text: string, file = '') =>
      `--xyz\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
    const binary = 'csrf \u00ff\u0080';
    const write = (token: string) => {
      const text = `${part('csrf', token)}${part('csrf_file', binary, '; filename="a"')}${part('note', 'ä')}--xyz--\r\n`;
      return Buffer.from(text, 'latin1');
    };
    const headers: [string, string][] = [['Content-Type', 'multipart/form-data; boundary=xyz']];
    assert.deepEqual(sent({ headers, body: write('old-value0') }).body, write('new+value1'));
    assert.deepEqual(sent({ headers, body: write('payload') }).body, write('payload'));
  });

  it('has its value in place of one recorded before the run, if both are random values of one format', () => {
    const [recorded, now] = ['0123456789abcdef', 'fedcba9876543210'];
    assert.equal(sent({ body: `csrf=${recorded}` }, now).body, `csrf=${now}`);
    assert.equal(sent({ body: 'csrf=s0123456789abcde' }, now).body, 'csrf=s0123456789abcde');
  });
});

describe('the evidence of a write', () => {
  for (const value of ['k7Qz', 'k7Qz-value-of-the-cookie']) {
    it(`has no CSRF token from a configured Cookie header: ${value}`, async () => {
      const { server } = await start(() => ({}));
      const { sender, scope, redactor } = toolsFor(server);
      const headers = [['Cookie', `sid=some-session; csrf=${value}; theme=dark`]] as const;
      const identity = { origin: new URL(server.url).origin, headers, query: [] };
      const session = createSession({ sender, scope, redactor, name: 'alice', identity });
      const exchange = await session.send({ method: 'POST', url: `${server.url}/colour`, body: `csrf=${value}` });
      const recorded = recordExchange(exchange, redactor);
      assert.ok(exchange.request.headers?.some(([name, sent]) => name === 'X-CSRF-Token' && sent === value));
      assert.ok(!JSON.stringify(recorded).includes(value), JSON.stringify(recorded));
      assert.equal(redactor.redact('some-session in dark'), '[redacted] in dark');
    });
  }
});
