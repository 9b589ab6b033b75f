import { isDeepStrictEqual } from 'node:util';
import { type View, viewModel } from './comparison.ts';
import type { Model } from './model.ts';

/** One of several concurrent operations, as an atomic event. */
export interface Happening {
  name: string;
  answer: unknown;
  inModel(model: Model): unknown;
  /** Set for clock moves only, which may also happen in the middle of another operation. */
  seconds?: number;
}

/**
 * Returns the model after an order of the events that yields all their results and the view, or undefined if none does.
 */
export function explain(model: Model, happenings: readonly Happening[], view: View): Model | undefined {
  const tried = new Set<string>();
  function goOn(before: Model, left: readonly Happening[]): Model | undefined {
    if (left.length === 0) return isDeepStrictEqual(viewModel(before), view) ? before : undefined;
    // Includes the results, because two operations of the same name may have different ones.
    const place = JSON.stringify([left.map(({ name, answer }) => [name, answer]), before]);
    if (tried.has(place)) return undefined;
    tried.add(place);
    for (const next of left) {
      const rest = left.filter((each) => each !== next);
      const after = step(before, next);
      const found = after && goOn(after, rest);
      if (found) return found;
      for (const { model: moved, move } of movedDuring(before, next, rest)) {
        const foundLater = goOn(
          moved,
          rest.filter((each) => each !== move),
        );
        if (foundLater) return foundLater;
      }
    }
    return undefined;
  }
  return goOn(model, happenings);
}

/** Returns undefined if the model gives a different result. */
function step(before: Model, { answer, inModel }: Happening, move: Model['move'] = null): Model | undefined {
  const model = structuredClone({ ...before, move });
  return isDeepStrictEqual(inModel(model), answer) ? model : undefined;
}

/** Returns the models in which the clock moves after the operation's first, second, … read of it. */
function movedDuring(before: Model, next: Happening, rest: readonly Happening[]) {
  const move = rest.find(({ seconds }) => seconds !== undefined);
  const found: { model: Model; move: Happening }[] = [];
  for (let afterLooks = 1; move?.seconds !== undefined; afterLooks++) {
    const model = step(before, next, { afterLooks, seconds: move.seconds });
    if (!model || model.move) break;
    found.push({ model, move });
  }
  return found;
}
