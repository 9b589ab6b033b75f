import assert from 'node:assert/strict';
import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import vm from 'node:vm';
import { rolldown } from 'rolldown';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'sortie-sdk-'));
const built = path.join(folder, 'built');
const installed = path.join(folder, 'node_modules/@sortie/sdk');
after(() => rmSync(folder, { recursive: true, force: true }));

function run(program: string, args: string[], options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, ...options, encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${error ?? ''}\n${stdout}\n${stderr}`);
  return String(stdout);
}

before(() => {
  run('npm', ['run', 'build', '-w', 'packages/sdk', '--', built]);
  run('npm', ['pack', built, '--pack-destination', folder]);
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module", "private": true }');
  run('npm', ['install', '--offline', '--no-audit', './sortie-sdk-0.1.0.tgz'], { cwd: folder });
});

describe('the package, in an empty folder', () => {
  it('needs no other package', () => {
    const names = readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(names, ['@sortie']);
    assert.deepEqual(readdirSync(path.join(folder, 'node_modules/@sortie')), ['sdk']);
    const { dependencies, private: isPrivate } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    assert.deepEqual([dependencies, isPrivate], [undefined, undefined]);
  });

  it('imports only its own files, in its code and in its types', () => {
    const files = globSync('{lib,src}/**/*.{js,ts}', { cwd: installed });
    const imported = files.flatMap((file) =>
      [...readFileSync(path.join(installed, file), 'utf8').matchAll(/\b(?:from|import\(?) '([^']+)'/g)].map(
        ([, name]) => name,
      ),
    );
    assert.ok(files.length > 40 && imported.length > 40);
    assert.deepEqual(
      imported.filter((name) => !name?.startsWith('./')),
      [],
    );
  });

  it('has no tests and nothing of its build', () => {
    assert.deepEqual(globSync('**/{*.test.*,build/**,tsconfig*}', { cwd: installed }), []);
  });
});

const consumer = `
import { ApiError, type Client, createClient, createSecret, isKnownCode, type Judgement } from '@sortie/sdk';

const client: Client = createClient({ apiKey: createSecret('key'), baseUrl: 'https://sortie.example' });

export async function gate(): Promise<string> {
  const started = await client.pentests.start({
    targetUrl: 'https://shop.example/',
    verificationId: 'ver_1',
    depth: 'DEEP',
    credentials: [{ name: 'a', user: 'u', pass: createSecret('p'), kind: 'BASIC_AUTH' }],
  });
  const key: string = started.idempotencyKey;
  const judgement: Judgement = await client.waitForJudgement(started.data.id, { maxWaitMs: 1, policy: { failOn: 'high' } });
  switch (judgement.kind) {
    case 'passed':
      return judgement.pentest.id;
    case 'failed':
      return judgement.failing.map(({ title, fingerprint }) => title + fingerprint).join() + key;
    case 'ended':
      return judgement.findings[0]?.cweId ?? '';
    case 'undecided':
      return judgement.reason;
    case 'unsupported':
      return judgement.status;
  }
}

export async function read(): Promise<number | null> {
  for await (const finding of client.scans.findingsAll('scn_1', { severity: ['HIGH', 'low'] })) finding.scoreImpact.toFixed();
  for await (const record of client.credits.usageAll({ from: new Date(), to: '2026-01-01' })) record.balanceAfter.held.toFixed();
  // A value of tomorrow is as good a text as one of today.
  const status: 'QUEUED' | (string & {}) = (await client.pentests.get('pen_1')).data.status;
  await client.pentests.list({ status: ['QUEUED', status] });
  return (await client.credits.balance()).rateLimit?.remaining ?? null;
}

export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  return isKnownCode(error.code) && error.code === 'RATE_LIMITED' ? String(error.retryAfter) : error.message;
}

// @ts-expect-error: a pentest needs a target
void client.pentests.start({ verificationId: 'ver_1' });
// @ts-expect-error: the API does not start this level
void client.pentests.start({ targetUrl: 'https://shop.example/', verificationId: 'ver_1', depth: 'MAXIMUM' });
// @ts-expect-error: no such field
void client.scans.start({ url: 'example.com', surprise: true });
// @ts-expect-error: no such field in an answer
void client.scans.get('scn_1').then(({ data }) => data.surprise);
// @ts-expect-error: a judgement is not a boolean
const passed: boolean = await client.waitForScan('scn_1');
void passed;
`;

const common = {
  noEmit: true,
  strict: true,
  skipLibCheck: false,
  target: 'es2022',
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  types: [],
};

describe('the types of the package', () => {
  const consumers: Record<string, object> = {
    'in Node, with the types of browsers': { ...common, module: 'nodenext' },
    'in a bundler': { ...common, module: 'esnext', moduleResolution: 'bundler' },
    'in Node, without the types of browsers': {
      ...common,
      module: 'nodenext',
      lib: ['es2022'],
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
    },
    'with the strictness of defaults': { ...common, module: 'nodenext', exactOptionalPropertyTypes: false },
  };
  for (const [name, compilerOptions] of Object.entries(consumers)) {
    it(`are strict and complete ${name}`, () => {
      writeFileSync(path.join(folder, 'consumer.ts'), consumer);
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
      run(path.join(root, 'node_modules/.bin/tsc'), ['--project', folder]);
    });
  }

  it('are those of the contract', () => {
    const source = path.join(root, 'packages/sdk/src');
    const published = path.join(built, 'src');
    const file = path.join(folder, 'same/same.ts');
    mkdirSync(path.dirname(file));
    const text = `
import type * as Source from '${source}/contract.ts';
import type * as SourceTypes from '${source}/types.ts';
import type * as Published from '${published}/contract.ts';
import type * as PublishedTypes from '${published}/types.ts';
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
export const same: [
  Same<Source.Answers, Published.Answers>,
  Same<Source.Bodies, Published.Bodies>,
  Same<Source.ErrorCode, Published.ErrorCode>,
  Same<Source.PentestStatus, Published.PentestStatus>,
  Same<keyof Source.Queries, keyof Published.Queries>,
  Same<{ [N in Source.EndpointName]: SourceTypes.Query<N> }, { [N in Source.EndpointName]: PublishedTypes.Query<N> }>,
] = [true, true, true, true, true, true];
export const different: Same<Source.Answers['getScan'], Published.Answers['getPentest']> = false;
`;
    writeFileSync(file, text);
    const compilerOptions = {
      ...common,
      skipLibCheck: true,
      module: 'nodenext',
      target: 'es2024',
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
      allowImportingTsExtensions: true,
    };
    const project = path.join(folder, 'same/tsconfig.json');
    writeFileSync(project, JSON.stringify({ compilerOptions, files: ['same.ts'] }));
    run(path.join(root, 'node_modules/.bin/tsc'), ['--project', project]);
  });
});

const answers: Record<string, object> = {
  'POST /v1/scans': { id: 'scn_1', domain: 'example.com', status: 'STARTED' },
  'GET /v1/scans/scn_1': { id: 'scn_1', status: 'COMPLETED', score: 88, failure: null },
  'GET /v1/scans/scn_1/findings': { id: 'scn_1', status: 'COMPLETED', total: 0, nextOffset: null, findings: [] },
};

describe('the code of the package', () => {
  it('runs in Node', async () => {
    const server = http.createServer((request, response) => {
      const answer = answers[`${request.method} ${request.url?.split('?')[0]}`];
      response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? {}));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const program = `
      import { createClient } from '@sortie/sdk';
      const client = createClient({ apiKey: 'key', baseUrl: 'http://127.0.0.1:${port}' });
      const { data } = await client.scans.start({ url: 'example.com' });
      const { kind, score } = await client.waitForScan(data.id, { maxWaitMs: 0 });
      console.log(kind, score);`;
    writeFileSync(path.join(folder, 'run.js'), program);
    const child = spawn(process.execPath, ['run.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = await Promise.all([child.stdout.toArray(), once(child, 'close')]);
    server.close();
    assert.equal(Buffer.concat(output).toString().trim(), 'passed 88');
  });

  it('is bundled for browsers without a word, and runs where there is nothing of Node', async () => {
    const input = path.join(folder, 'page.js');
    writeFileSync(input, "export * from '@sortie/sdk';");
    const warnings: string[] = [];
    const bundle = await rolldown({
      input,
      platform: 'browser',
      onLog: (_level, { message }) => warnings.push(message),
    });
    const { output } = await bundle.generate({ format: 'iife', name: 'sdk', minify: true });
    await bundle.close();
    assert.deepEqual([warnings, output.length], [[], 1]);
    const { code } = output[0];
    assert.ok(code.length < 30_000, `${code.length} characters`);

    const fetch = async (url: string, { method }: { method: string }) => {
      const answer = answers[`${method} ${new URL(url).pathname}`];
      return { status: 200, headers: new Headers(), text: async () => JSON.stringify(answer) };
    };
    const browser = { fetch, URL, URLSearchParams, AbortSignal, crypto, performance, setTimeout, clearTimeout };
    const program = `${code};
      const client = sdk.createClient({ apiKey: 'key', baseUrl: 'https://sortie.example' });
      client.scans.start({ url: 'example.com' }).then(({ data }) => client.waitForScan(data.id, { maxWaitMs: 0 }));`;
    const judgement = await vm.runInNewContext(program, browser);
    assert.deepEqual([judgement.kind, judgement.score], ['passed', 88]);
  });
});
