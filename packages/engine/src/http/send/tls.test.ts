import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { type NameServer, startNameServer } from '@sortie/testing/targets/name-server.ts';
import { listenAndCount, startBareServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';

/** A constant, so that the command is not mistaken for a binary of an npm package. */
const OPENSSL = 'openssl';

let folder: string;
let certificate: string;
let server: TargetServer;
let names: NameServer;
const usual = getCACertificates('default');

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sortie-tls-'));
  const [key, cert] = ['key.pem', 'cert.pem'].map((file) => path.join(folder, file)) as [string, string];
  const command = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=shop.test`;
  const alternatives = 'subjectAltName=DNS:shop.test,IP:127.0.0.1';
  execFileSync(OPENSSL, [...command.split(' '), '-addext', alternatives, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  certificate = readFileSync(cert, 'utf8');
  const https = createServer({ key: readFileSync(key), cert: certificate }, (request, response) => {
    response.end(String((request.socket as TLSSocket & { servername: string }).servername));
  });
  server = await listenAndCount(https);
  names = await startNameServer(() => ['127.0.0.1']);
});
after(async () => {
  setDefaultCACertificates(usual);
  await Promise.all([server, names].map((one) => one.close()));
  rmSync(folder, { recursive: true });
});

async function ask(host: string, verifyTls: boolean, port = server.port) {
  const network = { allowAddresses: ['127.0.0.0/8'], resolvers: [names.address] };
  const sender = testSender({ network, verifyTls, limits: { connectMs: 1_000 } });
  const headers = [['Host', 'evil.example']] as const;
  const exchanges = [];
  for (const url of [`https://${host}:${port}/`, `https://${host}:${port}/again`]) {
    exchanges.push(
      await sender.send({ method: 'GET', url, purpose: 'look', headers: exchanges.length ? headers : [] }),
    );
  }
  await sender.close();
  return exchanges;
}

describe('TLS', () => {
  it('asks for the name though it connects to an address, whatever the Host header says', async () => {
    const before = server.connections();
    const exchanges = await ask('shop.test', false);
    for (const { response, remote } of exchanges) {
      assert.equal(response?.body.toString(), 'shop.test');
      assert.equal(remote?.address, '127.0.0.1');
    }
    assert.equal(server.connections(), before + 1);
  });

  it('asks for no name where there is only an address', async () => {
    assert.equal((await ask('127.0.0.1', false))[0]?.response?.body.toString(), 'false');
  });

  it('fails with a certificate that nobody vouches for', async () => {
    const [exchange] = await ask('shop.test', true);
    assert.equal(exchange?.failure?.code, 'TLS');
    assert.match(exchange?.failure?.message ?? '', /self-signed/);
  });

  it('fails with it for a request that insists, though others are sent, and over the connection of none of them', async () => {
    const sender = testSender({ verifyTls: false });
    const request = { method: 'GET', url: `https://127.0.0.1:${server.port}/`, purpose: 'look' } as const;
    assert.equal((await sender.send(request)).response?.status, 200);
    assert.equal((await sender.send({ ...request, verifyTls: true })).failure?.code, 'TLS');
    assert.equal((await sender.send(request)).response?.status, 200);
    await sender.close();
  });

  it('accepts a certificate that fits, and none for another name', async () => {
    setDefaultCACertificates([certificate]);
    assert.equal((await ask('shop.test', true))[0]?.response?.status, 200);
    assert.equal((await ask('127.0.0.1', true))[0]?.response?.status, 200);
    assert.equal((await ask('other.test', true))[0]?.failure?.code, 'TLS');
    setDefaultCACertificates(usual);
  });

  it('fails where nobody speaks it, and where nobody says anything', async () => {
    const plain = await startBareServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const silent = await startBareServer(() => {});
    assert.deepEqual((await ask('127.0.0.1', false, plain.port))[0]?.failure, {
      code: 'TLS',
      message: 'The TLS connection failed: the server does not speak TLS on this port',
    });
    assert.equal((await ask('127.0.0.1', false, silent.port))[0]?.failure?.code, 'TIMEOUT');
    await Promise.all([plain, silent].map((one) => one.close()));
  });

  it('says why there is none, without the places in OpenSSL', async () => {
    const old = createServer({ ciphers: 'ECDHE-RSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' });
    const bare = await listenAndCount(old);
    const [exchange] = await ask('127.0.0.1', false, bare.port);
    assert.equal(exchange?.failure?.message, 'The TLS connection failed: ssl/tls alert handshake failure');
    await bare.close();
  });

  it('counts its bytes', async () => {
    const sender = testSender({ verifyTls: false, limits: { bytes: 500 } });
    const request = {
      method: 'GET',
      url: `https://127.0.0.1:${server.port}/${'x'.repeat(500)}`,
      purpose: 'look',
    } as const;
    assert.equal((await sender.send(request)).response?.status, 200);
    await assert.rejects(sender.send(request), /traffic budget/);
    await sender.close();
  });

  it('carries raw bytes too', async () => {
    const sender = testSender({ verifyTls: false });
    const bytes = Buffer.from('GET / HTTP/1.0\r\n\r\n');
    const request = {
      host: '127.0.0.1',
      port: server.port,
      tls: true,
      servername: 'raw.test',
      bytes,
      purpose: 'look',
    } as const;
    assert.match((await sender.sendRaw(request)).received.toString(), /raw\.test$/);
    await sender.close();
  });
});
