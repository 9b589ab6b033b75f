import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { describeFault } from './describe-fault.ts';

function thrownBy(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

describe('an error of our own in the log', () => {
  it('names the file that cannot be read, and where that happened', () => {
    const told = describeFault(thrownBy(() => readFileSync('/proc/self/nothing')));
    assert.match(told, /^Error \| ENOENT .*open '\/proc\/self\/nothing' \| .*fault\.test\.ts:\d+:\d+/);
  });

  it('quotes nothing that a target or an account may have sent', () => {
    const told = describeFault(thrownBy(() => JSON.parse('canary\n    at canary (canary:1:1)')));
    assert.match(told, /^SyntaxError \| /);
    assert.doesNotMatch(told, /canary/);
    assert.equal(describeFault('canary'), 'thrown: string');
  });
});
