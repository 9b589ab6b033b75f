import { areAlike, judgeTwoSided } from '../../oracle/two-sided.ts';
import { at, definePointCheck, type Nonce, type Point, type PointCheck } from '../define-active-check.ts';
import { requestWith } from '../insertion-point.ts';
import { isReading, unknownLike } from './sql.ts';

/** Two conditions that differ only in their truth. */
interface ConditionPair {
  label(truth: 'true' | 'false'): string;
  true: string;
  false: string;
}

interface Conditions {
  /** The first pair selects the variant. At least two are needed to prove that nothing but the truth matters. */
  pairs: readonly [ConditionPair, ConditionPair, ...ConditionPair[]];
  /** Similar text that is no valid condition. */
  invalid: string;
}

interface BooleanCheck<Variant> extends Omit<PointCheck<Variant>, 'about' | 'risk' | 'probe' | 'proof'> {
  conditions(nonce: Nonce): Conditions;
  /** Returns the value with the condition in it. */
  write(point: Point, variant: Variant, nonce: Nonce, condition: string): string;
  /** Label of the request with the invalid condition. */
  invalidLabel: string;
  /** The value without a condition. By default the original value. */
  base?: { label: string; write(point: Point, variant: Variant): string };
  /** Whether the variant joins the condition by OR to a value that finds nothing, so that the condition decides. */
  isOr?(variant: Variant): boolean;
  /** Whether the variant may be sent with requests that write; by default all may. */
  maySend?(point: Point, variant: Variant): boolean;
  /** Tries OR even if the original value finds something. */
  alwaysTriesOr?: boolean;
  /**
   * Accepts, from depth STANDARD, that a true condition returns another page than the unchanged value, because the page
   * compares the value as text as well. One of the pairs must be computable by the interpreter only.
   */
  acceptsThirdPage?: boolean;
}

/** Defines a check that proves an injection by conditions: the response has to depend on their truth alone. */
export function defineBooleanCheck<Variant>(check: BooleanCheck<Variant>): PointCheck<Variant> {
  const {
    conditions,
    write,
    invalidLabel,
    base = unchanged,
    isOr = () => false,
    alwaysTriesOr,
    acceptsThirdPage = false,
    maySend = () => true,
    ...rest
  } = check;
  return definePointCheck<Variant>({
    ...rest,
    risk: 'harmless',
    async probe(point, nonce, { ask, known }) {
      const send = (value: string) => ask(requestWith(point, value));
      const [pair] = conditions(nonce).pairs;
      const usual = await send(point.parameter.value);
      const nothing = this.variants.some(isOr) ? await send(unknownLike(point, nonce)) : undefined;
      const mayBeThird = acceptsThirdPage && isReading(point) && (known.depth ?? 'LEAD') !== 'LEAD';
      const mayUseOr = isReading(point) && nothing && (alwaysTriesOr || areAlike(usual, nothing));
      for (const variant of this.variants) {
        if ((isOr(variant) && !mayUseOr) || !maySend(point, variant)) continue;
        const start = base.write(point, variant);
        const without = start === point.parameter.value ? usual : await send(start);
        // Tests the true condition first, since a wrong variant then costs only one request.
        const isTrue = await send(write(point, variant, nonce, pair.true));
        const isLikeNothing = nothing !== undefined && areAlike(nothing, isTrue);
        if (isOr(variant) ? isLikeNothing : !areAlike(without, isTrue) && (isLikeNothing || !mayBeThird)) continue;
        const isFalse = await send(write(point, variant, nonce, pair.false));
        if (!areAlike(isTrue, isFalse)) return [variant];
      }
      return [];
    },
    proof: {
      plan(point, variant, nonce) {
        const { pairs, invalid } = conditions(nonce);
        const written = (label: string, condition: string) => at(point, label, write(point, variant, nonce, condition));
        return [
          at(point, base.label, base.write(point, variant)),
          ...pairs.flatMap((pair) => [
            written(pair.label('true'), pair.true),
            written(pair.label('false'), pair.false),
          ]),
          written(invalidLabel, invalid),
        ];
      },
      judge(answers, variant, nonce) {
        const { pairs } = conditions(nonce);
        const judgeWith = (unchanged: readonly string[]) =>
          judgeTwoSided(answers, {
            trues: [...unchanged, ...pairs.map(({ label }) => label('true'))],
            falses: pairs.map(({ label }) => label('false')),
            broken: [invalidLabel],
            harmless: [base.label],
          });
        const verdict = judgeWith(isOr(variant) ? [] : [base.label]);
        return verdict === 'REFUTED' && acceptsThirdPage ? judgeWith([]) : verdict;
      },
    },
  });
}

const unchanged = { label: 'unchanged value', write: ({ parameter }: Point) => parameter.value };
