import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AskMessage, ModelAnswer } from '../../../engine/src/protocol/model-call.ts';
import type { Reply, SeenCall, SeenMessage } from './protocol.ts';

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

type Script = (call: SeenCall) => Reply;

/** A recorded session of a model's server: its replies, and the conversations that it received. */
export type Tape = { agent: string; asked: readonly SeenMessage[]; reply: Reply }[];

const agentOf = ({ instructions }: SeenCall) => createHash('sha256').update(instructions).digest('hex');

/** Returns the script with a recorder. */
export function recordReplies(script: Script): { script: Script; tape: Tape } {
  const tape: Tape = [];
  return {
    tape,
    script(call) {
      const reply = script(call);
      tape.push({ agent: agentOf(call), asked: structuredClone(call.messages), reply });
      return reply;
    },
  };
}

/** Returns a script that replies as recorded. Whatever else is asked is refused and kept; what the reporter reads may differ. */
export function replayReplies(tape: Tape): {
  script: Script;
  left(): number;
  others: [asked: readonly SeenMessage[], recorded: readonly SeenMessage[]][];
} {
  const waiting = Map.groupBy(structuredClone(tape), ({ agent }) => agent);
  const others: [asked: readonly SeenMessage[], recorded: readonly SeenMessage[]][] = [];
  return {
    others,
    left: () => [...waiting.values()].reduce((sum, { length }) => sum + length, 0),
    script(call) {
      const next = waiting.get(agentOf(call))?.shift();
      // Answers that were stored have the keys of their calls in another order.
      const asked = call.messages;
      if (next && (call.tools.includes('rewrite') || isDeepStrictEqual(next.asked, asked))) return next.reply;
      others.push([asked, next?.asked ?? []]);
      return { status: 400 };
    },
  };
}
