import type { ModelMessage } from '../protocol/model-call.ts';

/** What a run keeps and a model reads; older results are dropped first. */
const MOST_CHARACTERS = 120_000;
/** The last messages are kept whole, so that the model sees what it has just done. */
const KEPT = 6;
const DROPPED = '[dropped: an older result]';

const lengthOf = (messages: readonly ModelMessage[]) => JSON.stringify(messages).length;

/** Returns the conversation with older results dropped, and with older turns dropped if that is not enough. */
export function shorten(messages: readonly ModelMessage[], most = MOST_CHARACTERS): ModelMessage[] {
  let kept = [...messages];
  for (let index = 1; index < kept.length - KEPT && lengthOf(kept) > most; index++) {
    const message = kept[index];
    if (message?.role === 'tool') {
      kept[index] = { role: 'tool', results: message.results.map((result) => ({ ...result, text: DROPPED })) };
    }
    if (message?.role === 'assistant') kept[index] = { ...message, raw: null };
  }
  // A call and its results go together.
  while (lengthOf(kept) > most && kept.length > KEPT + 1) kept = [...kept.slice(0, 1), ...kept.slice(3)];
  return kept;
}
