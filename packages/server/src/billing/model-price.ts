/** What a model costs, in microdollars per million tokens. */
export interface Price {
  input: number;
  output: number;
  /** Input that the provider reads from its cache. Defaults to the price of input. */
  cachedInput?: number | undefined;
  /** Input that the provider writes to its cache. Defaults to the price of input. */
  cacheWrite?: number | undefined;
}

/** Tokens of one call, as the provider counts them. */
export interface Usage {
  /** Includes cached input. */
  inputTokens: number;
  /** Includes reasoning. */
  outputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
}

const MILLION = 1_000_000n;

const amount = (tokens: number, price: number) => BigInt(tokens) * BigInt(price);

/** Rounds up, so that no call costs less here than on the provider's bill. */
const toMicrodollars = (total: bigint) => Number((total + MILLION - 1n) / MILLION);

/** Returns the cost of a call in whole microdollars. */
export function costOf(price: Price, usage: Usage): number {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = usage;
  // Limits contradictory counts, so that they cannot lower the cost.
  const cached = Math.min(cachedInputTokens, inputTokens);
  const written = Math.min(cacheWriteTokens, inputTokens - cached);
  return toMicrodollars(
    amount(cached, price.cachedInput ?? price.input) +
      amount(written, price.cacheWrite ?? price.input) +
      amount(inputTokens - cached - written, price.input) +
      amount(outputTokens, price.output),
  );
}

/** Returns the most that a call can cost: all input at its highest price, and all output that it may write. */
export function worstCaseOf(price: Price, inputTokens: number, maxOutputTokens: number): number {
  const highest = Math.max(price.input, price.cachedInput ?? 0, price.cacheWrite ?? 0);
  return toMicrodollars(amount(inputTokens, highest) + amount(maxOutputTokens, price.output));
}
