import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorCodes, errors } from '@sortie/contract';
import { screenFor, screenOf } from './screens.ts';

describe('the screens of the dashboard', () => {
  it('are named for refusals that people mend there', () => {
    assert.equal(screenFor('TARGET_NOT_ASSIGNED', 'https://sortie.example'), 'https://sortie.example/to/targets');
    assert.equal(screenFor('INTERNAL_ERROR', 'https://sortie.example'), undefined);
  });

  it('are those that the messages of the service name', () => {
    for (const code of errorCodes) {
      const [, named] = /\(\/to\/([\w/]+)\)/.exec(errors[code].message) ?? [];
      const linked = screenFor(code, 'https://sortie.example');
      assert.equal(linked, named && `https://sortie.example/to/${named}`, code);
    }
  });

  it('keep the path of the service', () => {
    assert.equal(
      screenOf('https://a.example/sortie', 'acc_1', 'runs/pen_1'),
      'https://a.example/sortie/accounts/acc_1/runs/pen_1',
    );
  });
});
