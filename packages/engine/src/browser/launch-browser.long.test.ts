import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CHROMIUM, chromiumWithoutSandbox, writeProgram } from '@sortie/testing/engine/chromium.ts';
import { descendantsOf, read } from '@sortie/testing/server/processes.ts';
import { BrowserError, type BrowserProblem } from '../protocol/browser-problem.ts';
import { launchBrowser } from './launch-browser.ts';
import { tryBrowser } from './try-browser.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-launch-'));
  await chmod(folder, 0o755);
  await mkdir(path.join(folder, 'profile'));
  await chmod(path.join(folder, 'profile'), 0o777);
});
after(() => rm(folder, { recursive: true }));

const program = (name: string, lines: string) => writeProgram(folder, name, lines);
const withoutSandbox = () => chromiumWithoutSandbox(folder);

const isProblem = (problem: BrowserProblem) => (error: unknown) =>
  error instanceof BrowserError && error.problem === problem;

describe('starting the browser', () => {
  it('tells a missing browser, one that cannot start and one without a sandbox apart', async () => {
    const broken = await program('broken', 'exit 1');
    const missing = path.join(folder, 'nowhere');
    await assert.rejects(launchBrowser(missing, 'preferred'), isProblem('missing'));
    await assert.rejects(launchBrowser(broken, 'preferred'), isProblem('could not start'));
    await assert.rejects(launchBrowser(await withoutSandbox(), 'required'), isProblem('no sandbox'));
    const states = await Promise.all([missing, broken, await withoutSandbox()].map((each) => tryOnce(each)));
    assert.deepEqual(states, ['missing', 'could not start', 'no sandbox']);
  });

  it('without a sandbox is a fallback only where it is allowed, and is said', async () => {
    const { browser, isSandboxed } = await launchBrowser(await withoutSandbox(), 'preferred');
    await browser.close();
    assert.equal(isSandboxed, false);
  });

  it('is tried a second time', async () => {
    const mark = path.join(folder, 'tried');
    const flaky = `[ -e ${mark} ] || { : > ${mark}; exit 1; }; exec ${CHROMIUM} --no-sandbox "$@"`;
    const { browser, isSandboxed } = await launchBrowser(await program('flaky', flaky), 'required');
    await browser.close();
    assert.equal(isSandboxed, true, 'it was not asked to do without');
  });

  it('tells truly whether pages are in a sandbox', async () => {
    const { browser, isSandboxed } = await launchBrowser(await unprivileged(), 'preferred');
    await browser.newPage();
    const filters = descendantsOf(process.pid).filter(isRenderer).map(seccompOf);
    await browser.close();
    assert.deepEqual([...new Set(filters)], [isSandboxed ? '2' : '0']);
  });
});

const tryOnce = async (chromium: string) => (await tryBrowser({ chromium })).state;

/** Chromium as a non-root user, with a profile that this user can write. */
function unprivileged(): Promise<string> {
  const user = process.getuid?.() === 0 ? 'setpriv --reuid=65534 --regid=65534 --clear-groups' : '';
  const profile = path.join(folder, 'profile');
  return program('unprivileged', `exec ${user} ${CHROMIUM} "$@" --user-data-dir=${profile}`);
}

const isRenderer = (pid: number) => read(`/proc/${pid}/cmdline`).includes('--type=renderer');

const seccompOf = (pid: number) => /^Seccomp:\s+(\d)$/m.exec(read(`/proc/${pid}/status`))?.[1];
