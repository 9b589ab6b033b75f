import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import tls from 'node:tls';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { call } from '@sortie/testing/http/call.ts';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import { assertRefused } from '@sortie/testing/server/first-start.ts';
import { createCertificate, occupyPort } from '@sortie/testing/server/listeners.ts';
import { killLeftovers, quietFlags, startUp, type Up } from '@sortie/testing/server/up.ts';

let folder: TestFolder;
let testDatabase: TestDatabase;
let dataFolders = 0;

before(async () => {
  folder = await createTestFolder();
  testDatabase = await createTestDatabase();
});

after(async () => {
  killLeftovers();
  await testDatabase.drop();
  await folder.remove();
});

/** Later flags win, so that a test can take another port. */
function up(flags: string[], env: Record<string, string> = {}): Up {
  const dataDir = path.join(folder.root, `data-${dataFolders++}`);
  return startUp({
    flags: quietFlags(dataDir, '--no-demo', '--role', 'api', ...flags),
    env: { DATABASE_URL: testDatabase.url, ...env },
  });
}

const fileOf = (name: string) => path.join(folder.root, name);

describe('a port that is already in use', () => {
  it('is named together with the flag that chooses another one', async () => {
    const { port, free } = await occupyPort();
    for (const flag of ['--ops-port', '--port']) {
      await assertRefused(up([flag, port]), new RegExp(`Port ${port} of 127.0.0.1 is already in use.*${flag}`));
    }
    free();
  });

  it('is told together with all others', async () => {
    const taken = await Promise.all([occupyPort(), occupyPort(), occupyPort()]);
    const [api = '', ops = '', range = ''] = taken.map(({ port }) => port);
    const flags = ['--port', api, '--ops-port', ops, '--range-port', range];
    const line = (port: string, flag: string) =>
      `Port ${port} of 127.0.0.1 is already in use. Choose another one with ${flag}.\n`;
    const all = `error: ${line(api, '--port')}${line(range, '--range-port')}${line(ops, '--ops-port')}`;
    const dataDir = path.join(folder.root, 'several');
    const start = () =>
      startUp({ flags: quietFlags(dataDir, '--role', 'all', ...flags), env: { DATABASE_URL: testDatabase.url } });
    await assertRefused(start(), new RegExp(`^${all}$`, 'm'));
    mkdirSync(dataDir);
    writeFileSync(path.join(dataDir, 'left-by-an-earlier-start'), '');
    await assertRefused(start(), new RegExp(`^${all}$`, 'm'));
    for (const { free } of taken) free();
  });
});

describe('a flag', () => {
  it('that is unknown or wrong is refused by its name', async () => {
    for (const [flags, message] of [
      [['--prot', '80'], /unknown option '--prot'/],
      [['--host', '203.0.113.9', '--behind-proxy', '1'], /203\.0\.113\.9 is not an address.*--host/],
      [['--role', 'boss'], /--role.*all, api, worker/s],
      [['--port', 'http'], /--port must be a whole number from 0 to 65535/],
    ] as const)
      await assertRefused(up([...flags]), message);
  });

  it('that would speak plain HTTP to other machines is refused', async () => {
    await assertRefused(up(['--host', '0.0.0.0']), /--host 0\.0\.0\.0 .*--tls-cert.*--behind-proxy/s);
  });
});

describe('TLS', () => {
  it('serves the API, and answers what is no HTTP in the shape of an error', async () => {
    const server = up(createCertificate(folder.root));
    const { baseUrl } = await server.ready();
    assert.match(baseUrl, /^https:\/\/127\.0\.0\.1:\d+$/);
    const ca = readFileSync(fileOf('cert.pem'));
    assert.equal(await httpsStatus(`${baseUrl}/v1/levels`, ca), 401);
    const port = Number(new URL(baseUrl).port);
    const malformed = await sendRaw(tls.connect({ port, host: '127.0.0.1', ca }), 'GET / HTTP/9.9\r\n\r\n');
    assert.match(malformed, /^HTTP\/1\.1 400 .*"code":"VALIDATION_ERROR"/s);
    const plain = await sendRaw(net.connect({ port, host: '127.0.0.1' }), 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.doesNotMatch(plain, /200|401/);
    // A connection that never gets as far as TLS does not hold up the stop.
    const silent = net.connect({ port, host: '127.0.0.1' });
    await once(silent, 'connect');
    const { code, durationMs } = await server.end('SIGTERM');
    assert.equal(code, 0);
    assert.ok(durationMs < 2_900, `${Math.round(durationMs)} ms`);
    silent.destroy();
  });

  it('with files that cannot be used is refused', async () => {
    const [, cert = '', , key = ''] = createCertificate(folder.root);
    writeFileSync(fileOf('junk.pem'), 'junk');
    for (const [flags, message] of [
      [['--tls-cert', cert, '--tls-key', fileOf('junk.pem')], /error: No private key in PEM form: .*junk\.pem\. /],
      [['--tls-cert', fileOf('no.pem'), '--tls-key', key], /error: File not found: .*no\.pem \(ENOENT\)\. /],
      [['--tls-cert', cert], /--tls-cert and --tls-key go together/],
    ] as const)
      await assertRefused(up([...flags]), message);
  });
});

describe('behind a proxy', () => {
  it('the flood limit counts the address that the trusted proxy saw', async () => {
    const flood = { SORTIE_EDGE_RATE: '1', SORTIE_EDGE_BURST: '3' };
    const server = up(['--host', '0.0.0.0', '--behind-proxy', '1'], flood);
    const { baseUrl } = await server.ready();
    const statusFor = async (forwarded: string) =>
      (await call(`${baseUrl}/v1/levels`, { headers: { 'x-forwarded-for': forwarded } })).status;
    const statuses = [];
    // What stands left of the proxy's own entry was written by the caller.
    for (let i = 0; i < 5; i++) statuses.push(await statusFor(`198.51.100.${i}, 203.0.113.7`));
    assert.deepEqual(statuses.slice(0, 3), [401, 401, 401]);
    assert.ok(statuses.includes(429), String(statuses));
    assert.equal(await statusFor('203.0.113.8'), 401);
    assert.equal((await server.end('SIGTERM')).code, 0);
  });
});

function httpsStatus(url: string, ca: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    https
      .get(url, { ca, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', reject);
  });
}

/** Everything that comes back until the connection ends. */
async function sendRaw(socket: net.Socket, message: string): Promise<string> {
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
  socket.write(message);
  if (!socket.closed) await once(socket, 'close');
  return answer;
}
