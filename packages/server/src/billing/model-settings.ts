import { isIP } from 'node:net';
import { type Depth, depths } from '@sortie/contract';
import { z } from 'zod';
import { readGivenFile } from '../errors/read-given-file.ts';
import { StartupError } from '../errors/startup-error.ts';
import { createSecret, type Secret } from '../platform/secret.ts';
import { toLine } from '../platform/to-line.ts';
import type { Price } from './model-price.ts';

export const modelProviders = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
type ModelProvider = (typeof modelProviders)[number];

/** A language model that the operator has chosen. */
export interface ModelSetting {
  /** The name that the operator gave it. */
  name: string;
  provider: ModelProvider;
  model: string;
  /** Base URL of the API; null for the provider's own. */
  url: string | null;
  key: Secret | null;
  price: Price;
  contextTokens: number;
  maxOutputTokens: number;
  /** Whether the target's data that a run sends to it leaves the operator's own network. */
  isExternal: boolean;
  /** Maximum number of concurrent calls of one run. */
  callsAtOnce: number;
}

export interface ModelSettings {
  byDepth: Partial<Record<Depth, ModelSetting>>;
  /** The date on which the operator read the prices; null without a model. */
  pricesAsOf: string | null;
}

const NO_MODELS: ModelSettings = { byDepth: {}, pricesAsOf: null };

const text = z.string().min(1, 'must not be empty').max(300);
const MICRODOLLARS = 1_000_000;
const dollars = z
  .number()
  .min(0)
  .max(10_000)
  .transform((price) => Math.ceil(price * MICRODOLLARS));
const day = z.iso.date('must be a day, such as 2026-11-01');
const url = z
  .string()
  .refine((given) => /^https?:\/\/[^?#@]+$/.test(given) && URL.canParse(given), {
    error: 'must be an http or https URL without a query, such as http://127.0.0.1:11434/v1',
  })
  .transform((given) => given.replace(/\/+$/, ''));

const Model = z
  .strictObject({
    provider: z.enum(modelProviders, `must be one of ${modelProviders.join(', ')}`),
    model: text,
    url: url.optional(),
    keyVariable: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable')
      .optional(),
    keyFile: text.optional(),
    prices: z.strictObject({
      input: dollars,
      output: dollars,
      cachedInput: dollars.optional(),
      cacheWrite: dollars.optional(),
    }),
    contextTokens: z.int().min(4_000).max(100_000_000).default(128_000),
    maxOutputTokens: z.int().min(256).max(1_000_000).default(8_000),
    external: z.boolean().optional(),
    callsAtOnce: z.int().min(1).max(100).default(4),
  })
  .refine(({ provider, url }) => provider !== 'openai-compatible' || url !== undefined, {
    path: ['url'],
    error: 'is missing: provider openai-compatible needs the address of the API',
  })
  .refine(({ contextTokens, maxOutputTokens }) => maxOutputTokens * 2 <= contextTokens, {
    path: ['maxOutputTokens'],
    error: 'must be at most half of contextTokens',
  });

const ModelFile = z.strictObject({
  pricesAsOf: day,
  models: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be a name such as main'), Model),
  depths: z.partialRecord(z.enum(depths), z.string()),
});

const priceText = z
  .string()
  .regex(/^\d+(\.\d+)?\/\d+(\.\d+)?$/, 'must be dollars per million tokens, as INPUT/OUTPUT: 3/15');
const wholeText = z.string().regex(/^\d{1,9}$/, 'must be a whole number');

/** The settings of one model for all depths. SORTIE_MODEL_FILE configures several. */
export const ModelVariables = {
  SORTIE_MODEL_FILE: text.optional(),
  SORTIE_MODEL_PROVIDER: z.enum(modelProviders, `must be one of ${modelProviders.join(', ')}`).optional(),
  SORTIE_MODEL_NAME: text.optional(),
  SORTIE_MODEL_URL: url.optional(),
  SORTIE_MODEL_KEY: z.string().transform(createSecret).optional(),
  SORTIE_MODEL_PRICES: priceText.optional(),
  SORTIE_MODEL_PRICES_DATE: day.optional(),
  SORTIE_MODEL_CONTEXT: wholeText.optional(),
  SORTIE_MODEL_OUTPUT: wholeText.optional(),
  SORTIE_MODEL_EXTERNAL: z.enum(['yes', 'no'], 'must be yes or no').optional(),
};

type Variables = z.output<z.ZodObject<typeof ModelVariables>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the models that the operator has configured. Throws a StartupError for settings that contradict each other. */
export function readModels(variables: Variables, environment: Environment): ModelSettings {
  const { SORTIE_MODEL_FILE: file, ...single } = variables;
  const given = Object.keys(ModelVariables).filter((name) => variables[name as keyof Variables] !== undefined);
  if (file === undefined) return given.length === 0 ? NO_MODELS : readSingle(single, given);
  const other = given.find((name) => name !== 'SORTIE_MODEL_FILE');
  if (other !== undefined) {
    throw new StartupError(
      `${other} and SORTIE_MODEL_FILE are both set. Move the setting into the file, or unset one.`,
    );
  }
  return readFile(file, environment);
}

function readSingle(variables: Omit<Variables, 'SORTIE_MODEL_FILE'>, given: readonly string[]): ModelSettings {
  const needed = [
    'SORTIE_MODEL_PROVIDER',
    'SORTIE_MODEL_NAME',
    'SORTIE_MODEL_PRICES',
    'SORTIE_MODEL_PRICES_DATE',
  ] as const;
  const missing = needed.find((name) => variables[name] === undefined);
  if (missing !== undefined) {
    throw new StartupError(`${missing} is missing: ${given[0]} is set, and a model needs ${needed.join(', ')}.`);
  }
  const [input, output] = (variables.SORTIE_MODEL_PRICES ?? '').split('/').map(Number);
  const external = variables.SORTIE_MODEL_EXTERNAL;
  const parsed = Model.safeParse({
    provider: variables.SORTIE_MODEL_PROVIDER,
    model: variables.SORTIE_MODEL_NAME,
    url: variables.SORTIE_MODEL_URL,
    prices: { input, output },
    ...(variables.SORTIE_MODEL_CONTEXT && { contextTokens: Number(variables.SORTIE_MODEL_CONTEXT) }),
    ...(variables.SORTIE_MODEL_OUTPUT && { maxOutputTokens: Number(variables.SORTIE_MODEL_OUTPUT) }),
    ...(external && { external: external === 'yes' }),
  });
  if (!parsed.success) throw new StartupError(`The model of SORTIE_MODEL_* is invalid: ${reasonOf(parsed.error)}.`);
  const setting = toSetting('main', parsed.data, variables.SORTIE_MODEL_KEY ?? null);
  return {
    byDepth: Object.fromEntries(depths.map((depth) => [depth, setting])),
    pricesAsOf: variables.SORTIE_MODEL_PRICES_DATE ?? null,
  };
}

function readFile(file: string, environment: Environment): ModelSettings {
  const { pricesAsOf, models, depths: chosen } = parseFile(file);
  const settings = new Map(
    Object.entries(models).map(([name, model]) => [name, toSetting(name, model, keyOf(name, model, environment))]),
  );
  const byDepth: ModelSettings['byDepth'] = {};
  for (const [depth, name] of Object.entries(chosen) as [Depth, string][]) {
    const setting = settings.get(name);
    if (!setting) throw invalid(file, `depths.${depth}: there is no model ${JSON.stringify(name)}`);
    byDepth[depth] = setting;
  }
  return { byDepth, pricesAsOf };
}

function parseFile(file: string): z.output<typeof ModelFile> {
  try {
    return ModelFile.parse(JSON.parse(readGivenFile(file, 'SORTIE_MODEL_FILE').toString()));
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    throw invalid(file, reasonOf(cause), cause);
  }
}

const invalid = (file: string, reason: string, cause?: unknown) =>
  new StartupError(`The models in ${file} are invalid: ${reason}. Correct the file of SORTIE_MODEL_FILE.`, { cause });

function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return toLine((error as Error).message);
  return toLine(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}

function keyOf(
  name: string,
  { keyVariable, keyFile }: z.output<typeof Model>,
  environment: Environment,
): Secret | null {
  if (keyFile !== undefined) {
    const key = readGivenFile(keyFile, `keyFile of model ${name} in SORTIE_MODEL_FILE`).toString().trim();
    return createSecret(key);
  }
  if (keyVariable === undefined) return null;
  const key = environment[keyVariable];
  if (key) return createSecret(key);
  throw new StartupError(
    `${keyVariable} is not set, and model ${name} of SORTIE_MODEL_FILE reads its key from it. Set it.`,
  );
}

function toSetting(name: string, model: z.output<typeof Model>, key: Secret | null): ModelSetting {
  const { provider, contextTokens, maxOutputTokens, callsAtOnce, prices, url = null } = model;
  const isExternal = model.external ?? (url === null || !isOwnNetwork(new URL(url).hostname));
  const common = { contextTokens, maxOutputTokens, callsAtOnce, price: prices, isExternal };
  return { name, provider, model: model.model, url, key, ...common };
}

/** Returns whether the host is this machine, or an address that is routed inside a network only. */
function isOwnNetwork(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) === 0) return address === 'localhost' || address.endsWith('.localhost');
  return /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][0-9a-f]{2}:)/.test(address);
}
