import { effectOf } from '../effect/judge.ts';
import { isRecord } from '../inventory/example-value.ts';
import type { InventoryItem } from '../inventory/inventory.ts';
import { graphqlItem } from '../readers/read-graphql.ts';

type GraphqlResult = Record<string, unknown> | undefined;
/** Sends a GraphQL document. */
type Ask = (query: string) => Promise<GraphqlResult>;

const misspelled = (names: string) => names.split(' ').map((name) => `${name}x`);
/** Common field names, misspelled: helpful servers suggest the names they know. */
const QUERIES = misspelled(
  'user users me account accounts product products order orders item items post posts search node viewer profile settings messages comments categories customer invoices project projects team files',
);
const MUTATIONS = misspelled(
  'login signIn register signUp createUser updateUser updateProfile changePassword createPost createOrder createComment addItem upload search updateSettings',
);
const FIELDS = misspelled('id name email title username role status description');
const MOST_NAMES = 40;
/** Servers stop validating after about a hundred errors. */
const MOST_AT_ONCE = 8;
const MOST_SELECTIONS = 24;
/** No schema has this field, so a document with it fails validation, and nothing in it is executed. */
const UNKNOWN = 'zz: sortieUnknownField';

/**
 * For an endpoint without introspection, takes field names from the server's suggestions, and required arguments and
 * selections from its error messages. No document that it sends is valid.
 */
export async function suggestedOperations(ask: Ask, url: string): Promise<InventoryItem[]> {
  // A server that executes part of an invalid document is asked for reads only.
  const isStrict = !isRecord((await ask(`{ __typename ${UNKNOWN} }`))?.data);
  const queries = await suggestedFor('query', QUERIES, ask);
  const mutations = isStrict ? await suggestedFor('mutation', MUTATIONS, ask) : [];
  const selected = await selectionsOf(queries, ask);
  return [...queries, ...mutations].map((field) => operationOf(field, selected.get(field) ?? [], url));
}

interface RootField {
  kind: 'query' | 'mutation';
  name: string;
  needed: { argument: string; type: string }[];
  hasFields: boolean;
}

interface GraphqlError {
  message: string;
  line: number;
}

function errorsOf(answer: GraphqlResult): GraphqlError[] {
  const errors = Array.isArray(answer?.errors) ? answer.errors.slice(0, 200).filter(isRecord) : [];
  return errors.map(({ message, locations }) => {
    const [place] = Array.isArray(locations) ? locations : [];
    const line = isRecord(place) && typeof place.line === 'number' ? place.line : 0;
    return { message: typeof message === 'string' ? message.slice(0, 1_000) : '', line };
  });
}

function suggestedIn(message: string): string[] {
  const [, ...after] = message.split(/did you mean/i);
  return [...after.join(' ').matchAll(/["'`](\w{1,100})["'`]/g)].map(([, name = '']) => name);
}

const aliased = (names: readonly string[]) => names.map((name, index) => `a${index}: ${name}`).join(' ');

async function suggestedFor(kind: RootField['kind'], guesses: readonly string[], ask: Ask): Promise<RootField[]> {
  const guessed = errorsOf(await ask(`${kind} { ${aliased(guesses)} ${UNKNOWN} }`));
  const suggested = new Set(guessed.flatMap(({ message }) => suggestedIn(message)));
  const isAsked = (name: string) => kind === 'mutation' || effectOf({ field: name }) === 'reads';
  const names = [...suggested].filter(isAsked).slice(0, MOST_NAMES);
  if (names.length === 0) return [];
  const missed = errorsOf(await ask(`${kind} { ${aliased(names)} ${UNKNOWN} }`)).map(({ message }) => message);
  return names.map((name) => {
    const about = missed.filter((message) => message.includes(`"${name}"`) || message.includes(`.${name}(`));
    const needed = about.flatMap((message) => {
      const [, argument, type] =
        /argument "(?:\w+\.\w+\()?(\w+)(?::\))?" of type "([\w![\]]+)" is required/i.exec(message) ?? [];
      return argument && type ? [{ argument, type }] : [];
    });
    const hasFields = about.some((message) => /must have a (?:sub)?selection/i.test(message));
    return { kind, name, needed, hasFields };
  });
}

/** Finds fields of what the root fields return. Each root field is on its own line, by which errors refer to it. */
async function selectionsOf(fields: readonly RootField[], ask: Ask): Promise<Map<RootField, string[]>> {
  const found = new Map<RootField, string[]>();
  const objects = fields.filter(({ hasFields }) => hasFields).slice(0, MOST_SELECTIONS);
  for (let start = 0; start < objects.length; start += MOST_AT_ONCE) {
    const some = objects.slice(start, start + MOST_AT_ONCE);
    const askFor = async (selected: (field: RootField) => readonly string[]) => {
      const lines = some.map((field, index) => `a${index}: ${field.name} { ${selected(field).join(' ')} __typename }`);
      return errorsOf(await ask(`{ ${UNKNOWN}\n${lines.join('\n')} }`));
    };
    const suggested = await askFor(() => FIELDS);
    for (const [index, field] of some.entries()) {
      const names = suggested.filter(({ line }) => line === index + 2).flatMap(({ message }) => suggestedIn(message));
      found.set(field, [...new Set(names)].slice(0, MOST_AT_ONCE));
    }
    // Fields that are objects themselves, or need arguments, are left out.
    const wrong = await askFor((field) => found.get(field) ?? []);
    for (const [index, field] of some.entries()) {
      const messages = wrong.filter(({ line }) => line === index + 2).map(({ message }) => message);
      const isWrong = (name: string) => messages.some((message) => new RegExp(`["'.]${name}["'(]`).test(message));
      found.set(field, (found.get(field) ?? []).filter((name) => !isWrong(name))); // biome-ignore format: short
    }
  }
  return found;
}

const NUMBERS = /^(?:Int|Float)/;

/** Returns the operation with its required arguments and the known selection. */
function operationOf({ kind, name, needed, hasFields }: RootField, selected: readonly string[], url: string) {
  const list = (parts: string[]) => (parts.length > 0 ? `(${parts.join(', ')})` : '');
  const declared = list(needed.map(({ argument, type }) => `$${argument}: ${type}`));
  const passed = list(needed.map(({ argument }) => `${argument}: $${argument}`));
  const selection = hasFields ? ` { ${selected.join(' ') || '__typename'} }` : '';
  const query = `${kind} ${name}${declared} { ${name}${passed}${selection} }`;
  const variables = Object.fromEntries(needed.map(({ argument, type }) => [argument, NUMBERS.test(type) ? 1 : '1']));
  return graphqlItem({ kind, name, query, variables, url });
}
