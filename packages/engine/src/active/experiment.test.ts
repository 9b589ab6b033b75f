import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { observed } from '@sortie/testing/engine/judging.ts';
import { answersTo, cleanUp, evenUnanswered, ifPossible, type Observation, type PlannedRequest } from './experiment.ts';

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

  it('lack one that is sent only if possible and was not sent; if it was sent, it has to be answered', () => {
    const plan = { attack: step, page: ifPossible(step), never: undefined };
    assert.deepEqual(answersTo(plan, given({ attack: answer })), { attack: answer, page: undefined, never: undefined });
    assert.equal(answersTo(plan, given({ attack: answer, page: unanswered })), undefined);
  });

  it('include one without a response where only its effect counts, but it has to be sent', () => {
    const plan = { attack: evenUnanswered(step) };
    assert.deepEqual(answersTo(plan, given({ attack: unanswered })), { attack: unanswered });
    assert.equal(answersTo(plan, given({})), undefined);
  });

  it('do not depend on what undoes a change', () => {
    const plan = { attack: step, back: cleanUp(step) };
    assert.deepEqual(answersTo(plan, given({ attack: answer })), { attack: answer, back: undefined });
    assert.deepEqual(answersTo(plan, given({ attack: answer, back: unanswered })), {
      attack: answer,
      back: unanswered,
    });
  });

  it('are none without a control, however it is planned', () => {
    const control: PlannedRequest = { ...step, isControl: true, mayBeUnsent: true, mayBeUnanswered: true };
    assert.equal(answersTo({ attack: step, control }, given({ attack: answer })), undefined);
    // @ts-expect-error A control is always sent.
    ifPossible({ ...step, isControl: true });
  });
});
