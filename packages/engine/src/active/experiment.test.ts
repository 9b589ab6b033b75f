import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { observed } from '@sortie/testing/engine/judging.ts';
import { answersTo, type Observation, optional } from './experiment.ts';

const request = { method: 'GET', url: 'http://shop.test/' };
const step = { label: 'a request', request };
const answer = observed({ body: 'hello' });
const unanswered: Observation = { ...answer, response: null, failure: { code: 'TIMEOUT', message: 'No response.' } };
const given = (observations: Record<string, Observation>) => new Map(Object.entries(observations));

describe('the responses that a proof is judged by', () => {
  it('have the keys of the plan', () => {
    assert.deepEqual(answersTo({ attack: step, control: step }, given({ attack: answer, control: answer })), {
      attack: answer,
      control: answer,
    });
  });

  it('are none if a required one is missing or was never sent', () => {
    const plan = { attack: step, control: step };
    assert.equal(answersTo(plan, given({ attack: answer })), undefined);
    assert.equal(answersTo(plan, given({ attack: answer, control: unanswered })), undefined);
  });

  it('lack an optional one that was not sent, and tell it apart from one that got no response', () => {
    const plan = { attack: step, page: optional(step), never: undefined };
    const expected = { attack: answer, page: undefined, never: undefined };
    assert.deepEqual(answersTo(plan, given({ attack: answer })), expected);
    assert.deepEqual(answersTo(plan, given({ attack: answer, page: unanswered })), { ...expected, page: unanswered });
  });

  it('include a request that only its callback tells about', () => {
    const heard = [{ label: 'tag', kind: 'http' as const, at: '2026-01-01T00:00:00Z', from: '192.0.2.1', detail: '' }];
    const called: Observation = { ...unanswered, heard };
    const plan = { attack: { ...step, calling: { tag: 'tag', kind: 'http' as const } } };
    assert.deepEqual(answersTo(plan, given({ attack: called })), { attack: called });
    assert.equal(answersTo(plan, given({})), undefined);
  });
});
