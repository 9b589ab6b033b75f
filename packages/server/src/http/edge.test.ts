import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { clientAddress, floodKey } from './client-address.ts';
import { createEdge, type Edge } from './edge.ts';

function request(options: { address?: string; method?: string; url?: string; headers?: Record<string, string> }) {
  return {
    method: options.method ?? 'GET',
    url: options.url ?? '/v1/levels',
    headers: options.headers ?? {},
    socket: { remoteAddress: options.address ?? '192.0.2.1' },
  } as unknown as IncomingMessage;
}

interface Recorded {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Runs one request through the edge. Returns undefined if it is passed on. */
function send(edge: Edge, message: IncomingMessage): Recorded | undefined {
  let recorded: Recorded | undefined;
  const response = {
    writeHead: (status: number, headers: Record<string, string>) => ({
      end: (body?: unknown) => {
        recorded = { status, headers, body };
      },
    }),
  } as unknown as ServerResponse;
  return edge.refuses(message, response) ? recorded : undefined;
}

describe('the edge', () => {
  it('lets a burst through, then the sustained rate, and refuses the rest with 429 and no body', () => {
    let now = 0;
    const edge = createEdge({ rate: 10, burst: 30, trustedHops: 0, now: () => now });
    const admitted = () => Array.from({ length: 40 }, () => send(edge, request({}))).filter((one) => !one).length;
    assert.equal(admitted(), 30);
    const refused = send(edge, request({}));
    assert.equal(refused?.status, 429);
    assert.equal(refused?.body, undefined);
    assert.equal(refused?.headers['retry-after'], '1');
    assert.equal(
      Object.keys(refused?.headers ?? {}).some((name) => name.startsWith('ratelimit')),
      false,
    );
    now += 1000;
    assert.equal(admitted(), 10);
  });

  it('counts each address for itself', () => {
    const edge = createEdge({ rate: 1, burst: 1, trustedHops: 0, now: () => 0 });
    assert.equal(send(edge, request({ address: '192.0.2.1' })), undefined);
    assert.equal(send(edge, request({ address: '192.0.2.2' })), undefined);
    assert.equal(send(edge, request({ address: '192.0.2.1' }))?.status, 429);
  });

  it('answers 411 to a cancel without Content-Length, and only to that', () => {
    const edge = createEdge({ rate: 100, burst: 100, trustedHops: 0, now: () => 0 });
    const cancel = { method: 'POST', url: '/v1/pentests/abc/cancel' };
    assert.equal(send(edge, request(cancel))?.status, 411);
    assert.equal(send(edge, request({ ...cancel, url: '/v1/pentests/abc/cancel?x=1' }))?.status, 411);
    assert.equal(send(edge, request({ ...cancel, headers: { 'transfer-encoding': 'chunked' } }))?.status, 411);
    assert.equal(send(edge, request({ ...cancel, headers: { 'content-length': '0' } })), undefined);
    assert.equal(send(edge, request({ method: 'POST', url: '/v1/pentests' })), undefined);
    assert.equal(send(edge, request({ ...cancel, url: '/v1/pentests/abc/cancel/' })), undefined);
  });

  it('counts what cannot be parsed together with the requests of its address, and tells of what it refuses', () => {
    const refusals: number[] = [];
    const onRefusal = (status: number) => refusals.push(status);
    const edge = createEdge({ rate: 1, burst: 2, trustedHops: 0, now: () => 0, onRefusal });
    const connection = (remoteAddress?: string) => ({ remoteAddress }) as unknown as Duplex;
    assert.equal(edge.admitsUnparsed(connection('192.0.2.1')), true);
    assert.equal(send(edge, request({ address: '192.0.2.1' })), undefined);
    assert.equal(edge.admitsUnparsed(connection('192.0.2.1')), false);
    assert.equal(send(edge, request({ address: '192.0.2.1' }))?.status, 429);
    assert.equal(edge.admitsUnparsed(connection('192.0.2.2')), true);
    assert.deepEqual(refusals, [429, 429]);
    assert.equal(edge.admitsUnparsed(connection()), false, 'a caller who has hung up');
  });
});

describe('the address a flood is counted by', () => {
  it('is the connection, unless proxies are trusted', () => {
    const message = request({ address: '192.0.2.9', headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.5' } });
    assert.equal(clientAddress(message, 0), '192.0.2.9');
    assert.equal(clientAddress(message, 1), '203.0.113.5');
    assert.equal(clientAddress(message, 2), '198.51.100.1');
    assert.equal(clientAddress(message, 3), '192.0.2.9');
  });

  it('is the forwarded one without its port', () => {
    const forwarded = (entry: string) =>
      clientAddress(request({ address: '192.0.2.9', headers: { 'x-forwarded-for': entry } }), 1);
    assert.equal(forwarded('203.0.113.5:4711'), '203.0.113.5');
    assert.equal(forwarded('[2001:db8::1]:4711'), '2001:db8::1');
    assert.equal(forwarded('[2001:db8::1]'), '2001:db8::1');
    assert.equal(forwarded('2001:db8::1'), '2001:db8::1');
  });

  it('is the connection when what was forwarded is no address', () => {
    for (const entry of ['unknown', '_hidden', '', '203.0.113.5:http', '203.0.113.500', '[203.0.113.5', 'a:1']) {
      const message = request({ address: '192.0.2.9', headers: { 'x-forwarded-for': entry } });
      assert.equal(clientAddress(message, 1), '192.0.2.9', entry);
    }
  });

  it('is the /64 of an IPv6 address and the IPv4 address behind a mapped one', () => {
    assert.equal(floodKey('2001:db8:1:2:3:4:5:6'), floodKey('2001:0db8:0001:0002::9'));
    assert.notEqual(floodKey('2001:db8:1:2::1'), floodKey('2001:db8:1:3::1'));
    assert.equal(floodKey('::ffff:192.0.2.1'), '192.0.2.1');
    assert.equal(floodKey('::1'), '0:0:0:0');
  });
});
