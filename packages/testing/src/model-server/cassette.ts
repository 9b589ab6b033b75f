import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { AskMessage, ModelAnswer } from '../../../engine/src/protocol/model-call.ts';

type Asked = Omit<AskMessage, 'type' | 'id'>;
type Ask = (asked: Asked) => Promise<ModelAnswer>;

/** A recorded session of a model: its answers, and digests of what it was asked. As JSON, it can be kept in a file. */
export type Cassette = { specialist: string; asked: string; answer: ModelAnswer }[];

/** Returns the model with a recorder. */
export function record(model: Ask): { ask: Ask; cassette: Cassette } {
  const cassette: Cassette = [];
  return {
    cassette,
    async ask(asked) {
      const answer = await model(asked);
      cassette.push({ specialist: asked.specialist, asked: digestOf(asked), answer });
      return answer;
    },
  };
}

/**
 * Returns a model that answers each specialist as recorded, in order, and fails if it is asked something else. What the
 * reporter reads has the random values of the proofs, so it may differ.
 */
export function replay(cassette: Cassette): { ask: Ask; left(): number } {
  const waiting = Map.groupBy(cassette, ({ specialist }) => specialist);
  return {
    left: () => [...waiting.values()].reduce((sum, { length }) => sum + length, 0),
    async ask(asked) {
      const next = waiting.get(asked.specialist)?.shift();
      assert.ok(next, `the cassette has no further answer for ${asked.specialist}`);
      if (asked.specialist !== 'reporter')
        assert.equal(digestOf(asked), next.asked, JSON.stringify(asked.request.messages));
      return next.answer;
    },
  };
}

const digestOf = ({ request }: Asked) => createHash('sha256').update(JSON.stringify(request)).digest('hex');
