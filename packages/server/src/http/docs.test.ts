import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { buildOpenApi } from '@sortie/contract';
import fastify, { type FastifyInstance } from 'fastify';
import { loadReference, registerDocs } from './docs.ts';

let app: FastifyInstance;

before(async () => {
  app = fastify();
  app.removeAllContentTypeParsers();
  await registerDocs(app, buildOpenApi());
});

after(() => app.close());

describe('GET /v1/openapi.json', () => {
  it('answers the document to anyone', async () => {
    const answer = await app.inject('/v1/openapi.json');
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(answer.json(), buildOpenApi());
  });

  it('compresses it for those who can read that', async () => {
    const answer = await app.inject({ url: '/v1/openapi.json', headers: { 'accept-encoding': 'br, gzip' } });
    assert.equal(answer.headers['content-encoding'], 'gzip');
    assert.deepEqual(JSON.parse(gunzipSync(answer.rawPayload).toString()), buildOpenApi());
  });

  it('is not sent again to those who have it', async () => {
    const { etag } = (await app.inject('/v1/openapi.json')).headers;
    const answer = await app.inject({ url: '/v1/openapi.json', headers: { 'if-none-match': String(etag) } });
    assert.equal(answer.statusCode, 304);
    assert.equal(answer.body, '');
  });
});

describe('the reference page', () => {
  it('is where people look for it', async () => {
    const answer = await app.inject('/docs');
    assert.equal(answer.statusCode, 302);
    assert.equal(answer.headers.location, 'docs/');
  });

  it('names no other host', async () => {
    const { statusCode, headers, body } = await app.inject('/docs/');
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.doesNotMatch(body, /(?:https?:)?\/\/[\w.-]+\.\w/);
  });

  it('loads its script and the document from here', async () => {
    const { body } = await app.inject('/docs/');
    const script = body.match(/<script src="([^"]+)"/)?.[1] ?? '';
    const { pathname } = new URL(script, 'http://localhost/docs/');
    const answer = await app.inject(pathname);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.ok(answer.rawPayload.length > 1_000_000);
    const document = body.match(/"url": "([^"]+)"/)?.[1] ?? '';
    assert.equal(new URL(document, 'http://localhost/docs/').pathname, '/v1/openapi.json');
  });

  for (const setting of [
    '"telemetry": false',
    '"withDefaultFonts": false',
    '"proxyUrl": ""',
    '"hideClientButton": true',
    '"showDeveloperTools": "never"',
    '"persistAuth": false',
  ]) {
    it(`is set to ${setting}`, async () => {
      assert.ok((await app.inject('/docs/')).body.includes(setting));
    });
  }

  it('has neither an AI agent nor an MCP link', async () => {
    const { body } = await app.inject('/docs/');
    assert.match(body, /"agent": \{\s+"disabled": true/);
    assert.match(body, /"mcp": \{\s+"disabled": true/);
  });

  it('uses settings that the installed version of the script knows', async () => {
    const script = (await app.inject('/docs/js/scalar.js')).body;
    for (const name of ['telemetry', 'withDefaultFonts', 'proxyUrl', 'hideClientButton', 'showDeveloperTools', 'mcp']) {
      assert.match(script, new RegExp(`\\b${name}:`), name);
    }
    assert.match(script, /agent\?\.disabled/);
    assert.match(script, /x-codeSamples/);
  });

  it('may only speak to its own origin, and run only its own scripts', async () => {
    const { headers, body } = await app.inject('/docs/');
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
    );
    assert.deepEqual(policy.get('default-src'), ["'none'"]);
    assert.deepEqual(policy.get('connect-src'), ["'self'"]);
    assert.deepEqual(policy.get('font-src'), ["'self'"]);
    assert.deepEqual(policy.get('frame-ancestors'), ["'none'"]);
    const inline = [...body.matchAll(/<script type="text\/javascript">(.*?)<\/script>/gs)].map(([, text = '']) => text);
    assert.equal(inline.length, 1);
    const hashes = inline.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    assert.deepEqual(policy.get('script-src'), ["'self'", ...hashes]);
    for (const sources of policy.values()) {
      for (const source of sources) assert.match(source, /^('none'|'self'|'unsafe-inline'|'sha256-.+'|data:)$/);
    }
  });

  it('is loaded again after it could not be loaded', async () => {
    const unlucky = fastify();
    let attempts = 0;
    const load = async () => {
      if (attempts++ === 0) throw new Error('out of file handles');
      return loadReference();
    };
    await registerDocs(unlucky, buildOpenApi(), load);
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await unlucky.inject('/docs/')).statusCode);
    await unlucky.close();
    assert.deepEqual(statuses, [500, 200, 200]);
    assert.equal(attempts, 2);
  });

  it('tells no other host where its readers come from', async () => {
    assert.equal((await app.inject('/docs/')).headers['referrer-policy'], 'no-referrer');
  });
});
