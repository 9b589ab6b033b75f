import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseVictims, type MeasuredProcess } from './engine-memory.ts';

const LIMIT = 1_000;
const engine = (megabytes: number): MeasuredProcess => ({ pid: 1, megabytes, depth: 0, isPage: false });
const browser = (megabytes: number): MeasuredProcess => ({ pid: 2, megabytes, depth: 1, isPage: false });
const helper = (megabytes: number): MeasuredProcess => ({ pid: 3, megabytes, depth: 2, isPage: false });
const page = (pid: number, megabytes: number): MeasuredProcess => ({ pid, megabytes, depth: 3, isPage: true });

describe('an engine that keeps to its memory', () => {
  it('ends nothing', () => {
    assert.deepEqual(chooseVictims([engine(200), browser(100), page(10, 300)], LIMIT), []);
  });

  it('loses a page that takes more than half of it, and nothing else', () => {
    assert.deepEqual(chooseVictims([engine(200), browser(100), page(10, 501), page(11, 100)], LIMIT), [10]);
    assert.deepEqual(chooseVictims([engine(200), browser(100), page(10, 9_000)], LIMIT), [10]);
  });

  it('loses the largest of many pages, until the rest fits', () => {
    const pages = [page(10, 300), page(11, 400), page(12, 350)];
    assert.deepEqual(chooseVictims([engine(200), browser(100), ...pages], LIMIT), [11]);
  });

  it('loses its browser before it ends itself', () => {
    assert.deepEqual(chooseVictims([engine(200), browser(700), helper(200), page(10, 50)], LIMIT), [2, 3, 10]);
    assert.deepEqual(chooseVictims([engine(200), browser(100), helper(800)], LIMIT), [2, 3]);
  });

  it('is ended for what its own process takes', () => {
    assert.equal(chooseVictims([engine(1_001)], LIMIT), 'engine');
    assert.equal(chooseVictims([engine(1_001), browser(100), page(10, 600)], LIMIT), 'engine');
  });
});
