import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCli } from '@sortie/testing/cli/cli.ts';
import type { Finished } from '@sortie/testing/cli/commands.ts';
import { issue } from '@sortie/testing/targets/certificates.ts';
import { listenAndCount, startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { Scan, ScanFindingsResponse } from '../../../../contract/src/scans.ts';

const binary = path.resolve(import.meta.dirname, '../../../../../node_modules/.bin/sortie');

const ESCAPE = '\u001b';

function node(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<Finished> {
  // Removes the developer's own settings.
  const { SORTIE_ALLOW_ADDRESSES: _allowed, FORCE_COLOR: _colour, ...env } = process.env;
  return new Promise((done) => {
    execFile(process.execPath, args, { env: { ...env, ...variables }, timeout: 60_000 }, (error, stdout, stderr) =>
      done({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const sortie = (args: readonly string[], env?: Record<string, string>) =>
  runCli(['scan', ...args], { ...(env && { env }) });

let folder: string;
let site: TargetServer;
let secured: TargetServer;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-scan-'));
  site = await startWebServer((request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html', 'set-cookie': 'session=1' });
    response.end('<h1>Hello</h1>');
  });
  const { pem, keyPem } = issue({ name: 'other.test', names: ['other.test'], from: -60, to: -1 });
  const https = createHttpsServer({ key: keyPem, cert: pem }, (request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
  });
  secured = await listenAndCount(https);
});
after(async () => {
  await Promise.all([site.close(), secured.close(), rm(folder, { recursive: true })]);
});

describe('sortie scan --local', () => {
  it('prints score, groups, findings and costs, and keeps what it gathered for its owner alone', async () => {
    const file = path.join(folder, 'plain.json');
    await writeFile(file, 'something older', { mode: 0o644 });
    const allowed = { SORTIE_ALLOW_ADDRESSES: `127.0.0.1/32:${site.port},[::1/128]:${site.port}` };
    const url = `http://localhost:${site.port}/`;
    const { exitCode, stdout, stderr } = await sortie([url, '--local', '--save', file], allowed);
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, new RegExp(`^Site +${url}\nScore +\\d+ of 100, grade [A-F]\\+?\n`));
    assert.match(stdout, /^Checks +\d+ run \(\d+ failed, \d+ passed\), \d+ not applicable, \d+ not run\n/m);
    assert.match(stdout, /^Sent +\d+ requests over \d+ connections in \d+\.\d s\n/m);
    assert.match(stdout, /^ {2}cookies +-25 {2}\(limit 25\)\n/m);
    assert.match(stdout, /^Findings, worst first: \d+ \(2 high, /m);
    assert.match(stdout, new RegExp(`^HIGH +-25 {2}Session cookie .*\n +cookie-on-http at ${url}\n +Fix: `, 'm'));
    assert.doesNotMatch(stdout, /CWE-|See: /);
    assert.ok(!stdout.includes(ESCAPE) && !stderr.includes(ESCAPE) && !stderr.includes('\r'));
    assert.match(stderr, new RegExp(`^Scanning ${url}\nfinished main page \\(1 request, \\d+\\.\\d s\\)\n`));
    assert.match(stderr, /\nfinished files \(\d+ requests, .*\n/);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    for (const [flags, reason] of [
      [['--fail-on', 'high', '--min-confidence', 'tentative'], '2 findings of HIGH or higher'],
      [['--min-score', '100'], 'the score is below 100'],
    ] as const) {
      const strict = await sortie([...flags, 'replay', file]);
      assert.equal(strict.exitCode, 1, strict.stderr);
      assert.ok(strict.stdout.endsWith(`\n✗ Failed: ${reason}\n`), strict.stdout);
    }
    const { format, version, createdAt } = JSON.parse(await readFile(file, 'utf8'));
    assert.deepEqual([format, version], ['sortie-artifacts', 1]);
    assert.ok(Math.abs(Date.now() - Date.parse(createdAt)) < 600_000);
  });

  it('prints nothing on stdout but the Scan of the API and its findings with --json; replay says the same', async () => {
    const file = path.join(folder, 'secured.json');
    const allow = ['--allow-address', `127.0.0.1/32:${secured.port}`];
    const url = `https://127.0.0.1:${secured.port}/`;
    const first = await sortie([url, '--local', '--json', '--save', file, ...allow]);
    assert.equal(first.exitCode, 0, first.stderr);
    const { findings, ...scan } = JSON.parse(first.stdout);
    assert.deepEqual(Scan.strict().parse(scan), scan);
    const page = { id: scan.id, status: scan.status, total: scan.findingCounts.total, nextOffset: null, findings };
    assert.deepEqual(ScanFindingsResponse.parse(page).findings, findings);
    assert.deepEqual([scan.url, scan.domain, scan.apiKeyId, scan.failure], [url, '127.0.0.1', null, null]);
    assert.ok(findings.some(({ checkId }: { checkId: string }) => checkId === 'cert-expired'));
    assert.equal(new Set(findings.map(({ id }: { id: string }) => id)).size, findings.length);
    const taken = findings.reduce((sum: number, finding: { scoreImpact: number }) => sum + finding.scoreImpact, 0);
    assert.equal(100 - scan.score, taken);
    await secured.close();
    const again = await node([binary, 'scan', 'replay', file, '--json']);
    assert.deepEqual(again, { exitCode: 0, stdout: first.stdout, stderr: '' });
  });

  it('fails by the policy that it was given, and says so in its document', async () => {
    const flags = ['--local', '--json', '--allow-address', `127.0.0.1/32:${site.port}`];
    const url = `http://127.0.0.1:${site.port}/`;
    const { exitCode, stdout, stderr } = await sortie([url, ...flags, '--fail-on', 'high', '--min-score', '1']);
    assert.equal(exitCode, 1, stderr);
    const { outcome, failing, findings, ...document } = JSON.parse(stdout);
    assert.deepEqual([outcome, document.exitCode], ['failed', 1]);
    const worst = findings.filter(({ severity }: { severity: string }) => severity === 'HIGH');
    assert.deepEqual(
      failing,
      worst.map(({ id }: { id: string }) => id),
    );
    assert.equal(failing.length, 2);
    const lenient = await sortie([url, ...flags, '--fail-on', 'critical']);
    assert.equal(lenient.exitCode, 0, lenient.stderr);
    assert.deepEqual([JSON.parse(lenient.stdout).outcome, JSON.parse(lenient.stdout).failing], ['passed', []]);
  });

  it('refuses a policy that means nothing before it sends anything', async () => {
    const allow = ['--allow-address', `127.0.0.1/32:${site.port}`];
    for (const flags of [
      ['--fail-on', 'grave'],
      ['--min-score', '101'],
      ['--min-confidence', 'sure'],
    ]) {
      const { exitCode, stdout, stderr } = await sortie([
        `http://127.0.0.1:${site.port}/`,
        '--local',
        ...allow,
        ...flags,
      ]);
      assert.deepEqual([exitCode, stdout], [2, ''], stderr);
      assert.match(stderr, new RegExp(`^error: ${flags[0]} must be `));
    }
  });

  it('refuses an address that is not public, and says how to allow it', async () => {
    const { exitCode, stdout, stderr } = await sortie([`http://localhost:${site.port}/`, '--local']);
    assert.deepEqual([exitCode, stdout], [5, '']);
    const flags = `--allow-address 127.0.0.1/32:${site.port} --allow-address '[::1/128]:${site.port}'`;
    const words = 'Scan a URL that does not resolve or redirect there. If the target is yours, add';
    assert.ok(stderr.includes(`error: localhost: 127.0.0.1 is not a public address. ${words} ${flags} [`), stderr);
  });

  it('says that nobody answers, as a Scan without a score', async () => {
    const url = `http://127.0.0.1:${secured.port}/`;
    const { exitCode, stdout } = await sortie([url, '--local', '--json', '--allow-address', '127.0.0.1/32']);
    assert.equal(exitCode, 3);
    const { findings, ...scan } = JSON.parse(stdout);
    assert.deepEqual(Scan.strict().parse(scan), scan);
    assert.deepEqual([scan.score, scan.failure.code, findings], [null, 'TARGET_UNREACHABLE', []]);
    assert.match(scan.failure.message, / that the site can be reached from this machine; then scan again\.$/);
  });
});

describe('sortie scan', () => {
  /** Logs the engine modules that the command loads. */
  const spy = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) {
      if (url.includes('/packages/engine/')) process.stderr.write(url + '\\n');
      return next(url, context);
    } });`;
  const watched = ['--import', `data:text/javascript,${encodeURIComponent(spy)}`, binary];

  it('loads the engine for a scan, and for nothing else', async () => {
    const help = await node([...watched, 'scan', '--help']);
    assert.deepEqual([help.exitCode, help.stderr], [0, '']);
    assert.match(help.stdout, /Exit codes:\n {2}0 /);
    const everything = await node([...watched, '--help']);
    assert.deepEqual([everything.exitCode, everything.stderr], [0, '']);
    assert.match(everything.stdout, /^ {2}scan {2}/m);
  });

  it('asks the service without --local, and loads nothing of the engine for it', async () => {
    const nobody = { XDG_CONFIG_HOME: folder, SORTIE_API_KEY: '', SORTIE_API_KEY_FILE: '' };
    const { exitCode, stdout, stderr } = await node([...watched, 'scan', 'https://site.example/', '--json'], nobody);
    assert.equal(exitCode, 4, stderr);
    assert.equal(stderr, '');
    const { schema, code } = JSON.parse(stdout);
    assert.deepEqual([schema, code], ['sortie.error/1', 'NO_API_KEY']);
  });

  it('does not keep or allow anything without --local', async () => {
    const { exitCode, stderr } = await sortie(['https://site.example/', '--save', path.join(folder, 'none.json')]);
    assert.equal(exitCode, 2);
    assert.match(stderr, /^error: --save and --allow-address need --local$/m);
  });
});
