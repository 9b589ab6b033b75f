import type { Exchange } from '../../http/exchange/exchange.ts';
import { areAlike, judgeTwoSided } from '../../oracle/two-sided.ts';
import { type Asking, definePointCheck, type Point, type PointCheck } from '../define-active-check.ts';
import { at, type Nonce, type PlannedRequest } from '../experiment.ts';
import { requestWith } from '../insertion-point.ts';
import { shareAnswer } from '../share-answer.ts';
import { usualAnswer } from '../usual-answer.ts';
import { watchBlanks } from './refused-blanks.ts';
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

/** The requests by key; each pair of conditions has a number. */
type ConditionPlan = Record<'base' | 'invalid' | `true${number}` | `false${number}`, PlannedRequest>;

interface BooleanCheck<Variant extends object> extends Omit<PointCheck<Variant>, 'about' | 'risk' | 'probe' | 'proof'> {
  conditions(nonce: Nonce): Conditions;
  /** Returns the value with the condition in it. */
  write(point: Point, variant: Variant, nonce: Nonce, condition: string): string;
  /** Resolves to the variants that fit the target; by default all. */
  choose?(point: Point, nonce: Nonce, asking: Asking): Promise<readonly Variant[]>;
  /** Label of the request with the invalid condition. */
  invalidLabel: string;
  /** The value without a condition. By default the original value. */
  base?: { label: string; write(point: Point, variant: Variant): string };
  /** Whether the variant joins the condition by OR to a value that finds nothing, so that the condition decides. */
  isOr?(variant: Variant): boolean;
  /**
   * Whether a false condition makes the variant fail. Its true condition may return another response than the original
   * value. Not tried at LEAD.
   */
  isFailing?(variant: Variant): boolean;
  /** Whether the variant may be sent with requests that write; by default all may. */
  maySend?(point: Point, variant: Variant): boolean;
  /** Tries OR even if the original value finds something. */
  alwaysTriesOr?: boolean;
  /** The language has no statements that write, so OR may also be sent with posted forms that compute something. */
  onlyQueries?: boolean;
  /**
   * Also tries variants whose true condition returns another response than the original value, because the page compares
   * the value as text as well. Only for reads, and from STANDARD on. One of the pairs must be computable by the
   * interpreter only.
   */
  trueMayDifferFromOriginal?: boolean;
}

/** The probe sets `trueDiffers` if the true condition returned another response than the original value. */
type Probed<Variant> = Variant & { trueDiffers?: boolean };

/** Defines a check that proves an injection by conditions: the response has to depend on their truth alone. */
export function defineBooleanCheck<Variant extends object>(
  check: BooleanCheck<Variant>,
): PointCheck<Probed<Variant>, ConditionPlan> {
  const {
    conditions,
    write,
    choose,
    invalidLabel,
    base = unchanged,
    isOr = () => false,
    isFailing = () => false,
    alwaysTriesOr,
    onlyQueries = false,
    trueMayDifferFromOriginal = false,
    maySend = () => true,
    ...rest
  } = check;
  return definePointCheck<Probed<Variant>, ConditionPlan>({
    ...rest,
    risk: 'harmless',
    async probe(point, nonce, asking) {
      const { ask, known, memory } = asking;
      const variants = choose ? await choose(point, nonce, asking) : this.variants;
      if (variants.length === 0) return [];
      const { ask: send, isPointless } = watchBlanks(point, { ask, memory });
      const [pair] = conditions(nonce).pairs;
      const usual = await usualAnswer(point, { ask, memory });
      const nothing = variants.some(isOr) ? await unknownAnswer(point, nonce, { ask, memory }) : undefined;
      const isThorough = (known.depth ?? 'LEAD') !== 'LEAD';
      const trueMayDiffer = trueMayDifferFromOriginal && isReading(point) && isThorough;
      const mayUseOr = isQuery(point, onlyQueries) && nothing && (alwaysTriesOr || areAlike(usual, nothing));
      for (const variant of variants) {
        const text = write(point, variant, nonce, pair.true);
        const isLeftOut = (isOr(variant) && !mayUseOr) || (isFailing(variant) && !isThorough);
        if (isLeftOut || !maySend(point, variant) || isPointless(text)) continue;
        const without = isAsUsual(point, base.write(point, variant)) ? usual : await send(base.write(point, variant));
        // Tests the true condition first, since a wrong variant then costs only one request.
        const isTrue = await send(text);
        const isLikeNothing = nothing !== undefined && areAlike(nothing, isTrue);
        const trueDiffers = isFailing(variant) || (!isOr(variant) && !areAlike(without, isTrue));
        const isWrong = isOr(variant) ? isLikeNothing : trueDiffers && (isLikeNothing || !trueMayDiffer);
        if (isWrong && !isFailing(variant)) continue;
        const isFalse = await send(write(point, variant, nonce, pair.false));
        if (!areAlike(isTrue, isFalse)) return [{ ...variant, trueDiffers }];
      }
      return [];
    },
    proof: {
      plan(point, variant, nonce) {
        const { pairs, invalid } = conditions(nonce);
        const written = (label: string, condition: string) => at(point, label, write(point, variant, nonce, condition));
        const bothOf = (pair: ConditionPair, index: number): [string, PlannedRequest][] => [
          [`true${index + 1}`, written(pair.label('true'), pair.true)],
          [`false${index + 1}`, written(pair.label('false'), pair.false)],
        ];
        return {
          base: at(point, base.label, base.write(point, variant), { isControl: true }),
          ...Object.fromEntries(pairs.flatMap(bothOf)),
          invalid: { ...written(invalidLabel, invalid), isControl: true },
        };
      },
      judge({ base: original, invalid, ...sides }, variant) {
        const isOriginalTrue = !isOr(variant) && !variant.trueDiffers;
        return judgeTwoSided({
          trues: [...(isOriginalTrue ? [original] : []), ...sideOf('true', sides)],
          falses: sideOf('false', sides),
          broken: [invalid],
          harmless: [original],
        });
      },
    },
  });
}

/** Resolves to the response to a value that finds nothing, requested once for all checks of a value that is only read. */
function unknownAnswer(point: Point, nonce: Nonce, { ask, memory }: Pick<Asking, 'ask' | 'memory'>) {
  const askUnknown = () => ask(requestWith(point, unknownLike(point, nonce)));
  return isReading(point) ? shareAnswer({ memory, make: unknown, key: point }, askUnknown) : askUnknown();
}

const unknown = (_point: Point, askUnknown: () => Promise<Exchange>) => askUnknown();

const isQuery = (point: Point, onlyQueries: boolean) =>
  isReading(point) || (onlyQueries && point.item.isComputing === true);

const isAsUsual = ({ parameter }: Point, value: string) => value === parameter.value;

const unchanged = { label: 'unchanged value', write: ({ parameter }: Point) => parameter.value };

const sideOf = (truth: 'true' | 'false', sides: Readonly<Record<string, Exchange>>) =>
  Object.entries(sides).flatMap(([key, answer]) => (key.startsWith(truth) ? [answer] : []));
