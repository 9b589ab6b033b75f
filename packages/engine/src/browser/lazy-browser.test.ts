import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BrowserError, type BrowserProblem } from '../protocol/browser-problem.ts';
import { BROWSER_ENDED } from '../protocol/untested.ts';
import type { Browser } from './browser.ts';
import { lazily } from './lazy-browser.ts';

const opened = (isOpen = () => true) => ({ isOpen, close: async () => undefined }) as unknown as Browser;

/** Fails with each of these problems in turn, then starts. */
function failing(...problems: BrowserProblem[]) {
  const tries: number[] = [];
  const start = async () => {
    tries.push(tries.length + 1);
    const problem = problems[tries.length - 1];
    if (problem) throw new BrowserError(problem, 'for the log');
    return opened();
  };
  return { start, tries };
}

describe('the start of the browser', () => {
  it('is tried again when it fails', async () => {
    const { start, tries } = failing('could not start');
    assert.ok(await lazily(start, 1).open());
    assert.equal(tries.length, 2);
  });

  it('is given up once for the whole run', async () => {
    const { start, tries } = failing('could not start', 'could not start');
    const browser = lazily(start, 1);
    assert.deepEqual([await browser.open(), await browser.open()], [undefined, undefined]);
    assert.equal(browser.problem(), 'could not start');
    assert.equal(tries.length, 2);
  });

  it('tells a missing browser, one without a sandbox and one that does not start apart, each with its cure', async () => {
    const problems: BrowserProblem[] = ['missing', 'no sandbox', 'could not start'];
    const obstacles = [];
    for (const problem of problems) {
      const browser = lazily(failing(problem, problem).start, 1);
      assert.equal(await browser.open(), undefined);
      obstacles.push(browser.obstacle());
    }
    assert.deepEqual(
      obstacles.map(({ reason }) => reason),
      ['There was no browser.', "The browser's sandbox did not work.", 'The browser could not start.'],
    );
    assert.equal(new Set(obstacles.map(({ cure }) => cure)).size, 3);
    assert.equal(lazily(undefined).problem(), 'missing');
  });
});

describe('a browser that crashes', () => {
  it('is started five times, and is then known to be gone', async () => {
    let starts = 0;
    const browser = lazily(async () => {
      starts++;
      return opened(() => false);
    }, 1);
    for (let tries = 0; tries < 5; tries++) assert.ok(await browser.open());
    assert.ok(browser.isGone());
    assert.equal(await browser.open(), undefined);
    assert.deepEqual([starts, browser.obstacle()], [5, BROWSER_ENDED]);
  });
});
