import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInventory } from '../inventory/inventory.ts';
import { requestOf } from '../requests/write-request.ts';
import { readScript } from './read-script.ts';
import { itemOfRequest } from './seen-request.ts';

const PAGE = 'http://shop.test/';

/** Returns the headers of the first request that a script sends, by name. */
function headersIn(script: string): Record<string, string> {
  const [request] = readScript(script, `${PAGE}app.js`, PAGE).requests;
  const headers = request?.parameters.filter(({ location }) => location === 'header') ?? [];
  return Object.fromEntries(headers.map(({ name, value }) => [name, value]));
}

describe('the headers that a script sets', () => {
  it('belong to its request, whichever way it is sent', () => {
    const tenant = { 'X-Tenant': 'north' };
    for (const script of [
      "fetch('/api/stock', { headers: { 'X-Tenant': 'north' } })",
      "axios.get('/api/stock', { headers: { 'X-Tenant': 'north' } })",
      "axios.post('/api/stock', { id: 1 }, { headers: { 'X-Tenant': 'north' } })",
      "$.ajax({ url: '/api/stock', headers: { 'X-Tenant': 'north' } })",
      "function load() { var x = new XMLHttpRequest(); x.open('GET', '/api/stock'); x.setRequestHeader('X-Tenant', 'north'); x.send() }",
    ]) {
      assert.deepEqual(headersIn(script), tenant, script);
    }
  });

  it('do not belong to a request of another function', () => {
    const other = "function other(x) { x.setRequestHeader('X-Other', '1') }";
    assert.deepEqual(headersIn(`function load(x) { x.open('GET', '/api/stock') } ${other}`), {});
  });

  it('are not those of browsers or of the session', () => {
    const own = {
      Accept: '*/*',
      Authorization: 'Bearer 1',
      'X-CSRF-Token': '1',
      'X-Api-Key': '1',
      'Sec-Fetch-Mode': 'x',
    };
    const random = { 'X-Visitor': 'b3f1c2d4e5a697886a5b4c3d' };
    const headers = JSON.stringify({ ...own, ...random, 'X-View': 'short' });
    assert.deepEqual(headersIn(`fetch('/api/stock', { headers: ${headers} })`), { 'X-View': 'short' });
  });
});

describe('the headers of a request seen in the browser', () => {
  const seen = { as: null, status: 200, contentType: 'application/json' };
  const request = {
    method: 'GET',
    url: `${PAGE}api/stock`,
    headers: [
      ['accept', '*/*'],
      ['referer', PAGE],
      ['x-tenant', 'north'],
    ],
  } as const;

  it('are insertion points, and are sent with each test of the request', () => {
    const item = itemOfRequest(request, seen);
    assert.deepEqual(item?.parameters, [{ location: 'header', name: 'x-tenant', value: 'north' }]);
    assert.deepEqual(item && requestOf(item).headers, [['x-tenant', 'north']]);
  });

  it('are added to the request if it is already known without them', () => {
    const inventory = createInventory();
    const plain = itemOfRequest({ ...request, headers: [] }, seen);
    const full = itemOfRequest(request, seen);
    assert.ok(plain && full);
    assert.equal(inventory.add(plain), true);
    assert.equal(inventory.add(full), false);
    assert.deepEqual(inventory.items()[0]?.parameters, full.parameters);
  });
});
