import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { browserCures } from '@sortie/engine';
import { chromiumOnlyByHelper, chromiumWithoutSandbox } from '@sortie/testing/engine/chromium.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { issue } from '@sortie/testing/targets/certificates.ts';
import { startMailServer } from '@sortie/testing/targets/mail-server.ts';
import { startOidcProvider } from '@sortie/testing/targets/oidc-provider.ts';
import { readConfig } from '../config/config.ts';
import { privilegeCures } from '../worker/privileges.ts';
import { checkAuthorities } from './check-authorities.ts';
import { checkBrowser } from './check-browser.ts';
import { compareClocks } from './check-database.ts';
import { checkDisk, checkNameServers, checkServicePorts } from './check-machine.ts';
import { checkMail } from './check-mail.ts';
import { checkSignOn } from './check-sign-on.ts';
import { diagnose } from './diagnose.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortie-doctor-'));
// An engine's user starts the browser from this folder.
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true }));

const freePorts = { port: '0', opsPort: '0', rangePort: '0' };
const data = path.join(folder, 'data');

describe('the doctor', () => {
  it('names the setting that is wrong, and checks nothing else', async () => {
    const [found, ...others] = await diagnose({ data }, { SORTIE_PENTEST_SLOTS: 'many' });
    assert.deepEqual([found?.name, found?.state, others], ['settings', 'failed', []]);
    assert.match(found?.detail ?? '', /^SORTIE_PENTEST_SLOTS must be a whole number/);
  });

  it('names a port that another program uses, with its flag', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const taken = await checkServicePorts(readConfig({ data, ...freePorts, port: String(port) }, {}));
    server.close();
    assert.equal(taken.state, 'failed');
    assert.match(taken.detail, new RegExp(`${port}.*--port`));
    assert.equal((await checkServicePorts(readConfig({ data, ...freePorts }, {}))).state, 'ok');
  });

  it('measures the disk where the data folder will be created', async () => {
    assert.equal((await checkDisk({ dataDir: data }, 1)).state, 'ok');
    const full = await checkDisk({ dataDir: data }, Number.MAX_SAFE_INTEGER);
    assert.equal(full.state, 'failed');
    assert.ok(full.detail.includes(` free in ${folder}`), full.detail);
  });

  it('tells whether the mail server can be reached', async () => {
    const mailServer = await startMailServer();
    const settings = { SORTIE_SMTP_URL: mailServer.url, SORTIE_MAIL_FROM: 'sortie@example.com' };
    const config = readConfig({ data, ...freePorts }, settings);
    assert.equal((await checkMail(config)).state, 'ok');
    await mailServer.close();
    const away = await checkMail(config);
    assert.deepEqual(
      [away.state, /127\.0\.0\.1:\d+: ESOCKET|ECONNECTION/.test(away.detail)],
      ['warning', true],
      away.detail,
    );
    assert.equal((await checkMail(readConfig({ data, ...freePorts }, {}))).state, 'ok');
  });

  it('tells whether the provider of single sign-on names itself as it is set', async () => {
    const provider = await startOidcProvider();
    const settings = {
      SORTIE_OIDC_ISSUER: provider.issuer,
      SORTIE_OIDC_CLIENT_ID: provider.clientId,
      SORTIE_OIDC_CLIENT_SECRET: provider.clientSecret,
    };
    const config = readConfig({ data, ...freePorts }, settings);
    assert.equal((await checkSignOn(config)).state, 'ok');
    provider.faults = { issuer: 'https://other.example' };
    const other = await checkSignOn(config);
    await provider.close();
    assert.deepEqual([other.state, /another issuer/.test(other.detail)], ['warning', true]);
    assert.equal((await checkSignOn(config)).state, 'warning');
    assert.equal((await checkSignOn(readConfig({ data, ...freePorts }, {}))).state, 'ok');
  });

  it('tells a clock that differs from the clock of the database', () => {
    const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000);
    assert.equal(compareClocks(at(0), at(4)).state, 'ok');
    assert.match(compareClocks(at(0), at(60)).detail, /^60 s ahead of /);
    assert.match(compareClocks(at(60), at(0)).detail, /^60 s behind /);
  });

  it('tells a name server that does not respond from one that does', async () => {
    const server = createSocket('udp4');
    let isSilent = true;
    server.on('message', (question, from) => {
      if (isSilent) return;
      const answer = Buffer.from(question);
      answer.writeUInt16BE(0x8183, 2); // a response, recursion available, NXDOMAIN
      answer.writeUInt16BE(0, 10); // without the additional record of the query
      server.send(answer, from.port, from.address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const network = { ...readConfig({}, {}).network, resolvers: [`127.0.0.1:${server.address().port}`] };
    const silent = await checkNameServers({ network }, 200);
    isSilent = false;
    const answering = await checkNameServers({ network }, 10_000);
    server.close();
    assert.equal(silent.state, 'warning');
    assert.match(silent.cure ?? '', /SORTIE_RESOLVERS/);
    assert.equal(answering.state, 'ok', answering.detail);
  });

  it('tells authorities of SORTIE_CA_FILE that have expired, are not valid yet, or cannot be read', async () => {
    const file = path.join(folder, 'authorities.pem');
    const pemOf = (name: string, to: number, from = -60) => issue({ name, isAuthority: true, from, to }).pem;
    const check = (...pems: string[]) => {
      writeFileSync(file, pems.join('\n'));
      return checkAuthorities(readConfig({}, { SORTIE_CA_FILE: file }));
    };
    const [valid, expired, early] = [pemOf('Ours', 30), pemOf('Old', -2), pemOf('Early', 30, 10)];
    assert.equal(check(valid).state, 'ok');
    assert.deepEqual([check(valid, expired).state, check(valid, early).state], ['warning', 'warning']);
    const failed = check(expired);
    assert.equal(failed.state, 'failed');
    assert.match(failed.detail, /^SORTIE_CA_FILE: 1 certificate; "CN=Old" expired \d{4}-\d\d-\d\d$/);
    assert.match(check(early).detail, /"CN=Early" not valid before /);
    assert.match(checkAuthorities(readConfig({}, {})).detail, /SORTIE_CA_FILE is not set/);
    const [unread] = await diagnose({ data }, { SORTIE_CA_FILE: path.join(folder, 'none.pem') });
    assert.equal(unread?.state, 'failed');
    assert.match(unread?.detail ?? '', /^File not found: .*none\.pem \(ENOENT\)\. Correct SORTIE_CA_FILE\.$/);
    const lines = await diagnose({ data, ...freePorts, role: 'api' }, { SORTIE_CA_FILE: file });
    assert.equal(lines.find(({ name }) => name === 'authorities')?.state, 'failed');
  });

  const checkBrowserAt = (environment: 'test' | 'live', SORTIE_CHROMIUM: string) =>
    checkBrowser(readConfig({ environment }, { SORTIE_CHROMIUM, SORTIE_CONTACT: 'abuse@a.example' }));

  it('tells a browser that is missing', async () => {
    const [missing] = await checkBrowserAt('live', path.join(folder, 'no-chromium'));
    assert.deepEqual([missing?.state, missing?.cure], ['warning', browserCures.missing]);
  });

  if (isFull)
    it('tells a browser that has no sandbox, and refuses it in live only', async () => {
      const bare = await chromiumWithoutSandbox(folder);
      for (const [environment, state] of [
        ['test', 'warning'],
        ['live', 'failed'],
      ] as const) {
        const [found] = await checkBrowserAt(environment, bare);
        assert.deepEqual([found?.state, found?.cure], [state, browserCures['no sandbox']], found?.detail);
      }
    });

  if (isFull)
    it('tells whether engines with a browser can gain privileges, which the setuid helper of the sandbox needs', async () => {
      const check = async (SORTIE_CHROMIUM: string) => {
        const found = await checkBrowser(readConfig({ environment: 'test' }, { SORTIE_CHROMIUM }));
        return found.map(({ name, state, cure }) => [name, state, cure]);
      };
      assert.deepEqual(await check(await chromiumOnlyByHelper(folder)), [
        ['browser', 'ok', null],
        ['namespace', 'ok', null],
        ['privileges', 'warning', privilegeCures['setuid helper']],
      ]);
      assert.deepEqual((await check(await chromiumWithoutSandbox(folder))).at(-1), ['privileges', 'ok', null]);
    });

  it('tells a database that cannot be reached, and the limit on the memory of engines', async () => {
    const variables = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const found = await diagnose({ data, ...freePorts }, variables);
    const memory = found.find(({ name }) => name === 'memory');
    assert.match(memory?.detail ?? '', /^the worker ends engines that exceed 1024 MB; /);
    const database = found.find(({ name }) => name === 'database');
    assert.equal(database?.state, 'failed');
    assert.match(database?.detail ?? '', /^connect ECONNREFUSED 127\.0\.0\.1:1$/);
    assert.match(database?.cure ?? '', /^Start PostgreSQL there, .*DATABASE_URL\.$/);
  });
});
