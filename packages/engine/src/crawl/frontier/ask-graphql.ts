import { getIntrospectionQuery } from 'graphql';
import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';
import { effectOfQuery } from '../inventory/effect.ts';
import { isRecord } from '../inventory/example-value.ts';
import type { InventoryItem } from '../inventory/inventory.ts';
import { graphqlItem, parseSchema, readSchema } from '../readers/read-graphql.ts';

export type Send = (request: Omit<TargetRequest, 'purpose'>) => Promise<Exchange>;

export interface GraphqlFound {
  isIntrospectable: boolean;
  items: InventoryItem[];
}

/** Resolves to undefined if the URL is no GraphQL endpoint. Sends queries only, no mutations. */
export async function askGraphql(send: Send, url: string): Promise<GraphqlFound | undefined> {
  const hello = await ask(send, url, '{ __typename }');
  if (!isRecord(hello?.data) || typeof hello.data.__typename !== 'string') return undefined;
  const described = await ask(send, url, getIntrospectionQuery());
  const schema = isRecord(described?.data) ? parseSchema(described.data) : undefined;
  if (schema) return { isIntrospectable: true, items: readSchema(schema, url) };
  return { isIntrospectable: false, items: await askForNames(send, url) };
}

async function ask(send: Send, url: string, query: string): Promise<Record<string, unknown> | undefined> {
  const headers = [['Content-Type', 'application/json'] as const];
  const { response } = await send({ method: 'POST', url, headers, body: JSON.stringify({ query }) });
  try {
    const answer: unknown = JSON.parse(response?.body.toString() ?? '');
    return isRecord(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Common field names, misspelled: helpful servers suggest the names they know. */
const GUESSES =
  'userx usersx mex accountx accountsx productx productsx orderx ordersx itemx itemsx postx postsx searchx nodex viewerx profilex settingsx messagesx commentsx categoriesx customerx invoicesx projectx projectsx teamx filesx'.split(
    ' ',
  );
const MOST_NAMES = 40;

/**
 * Without introspection, takes field names from the server's suggestions and required arguments from its error
 * messages.
 */
async function askForNames(send: Send, url: string): Promise<InventoryItem[]> {
  const guessed = await ask(send, url, `{ ${GUESSES.map((name, index) => `a${index}: ${name}`).join(' ')} }`);
  const suggested = messagesOf(guessed)
    .filter((message) => /did you mean/i.test(message))
    .flatMap((message) => [
      ...message
        .split(/did you mean/i)
        .slice(1)
        .join(' ')
        .matchAll(/["'`](\w{1,100})["'`]/g),
    ])
    .map(([, name = '']) => name);
  // The second query executes if every field in it needs no argument.
  const names = [...new Set(suggested)].filter((name) => effectOfQuery(name) === 'reads').slice(0, MOST_NAMES);
  if (names.length === 0) return [];
  const missed = messagesOf(await ask(send, url, `{ ${names.map((name, index) => `a${index}: ${name}`).join(' ')} }`));
  return names.map((name) => operationOf(name, missed, url));
}

function messagesOf(answer: Record<string, unknown> | undefined): string[] {
  const errors = Array.isArray(answer?.errors) ? answer.errors.slice(0, 200) : [];
  return errors.flatMap((error) =>
    isRecord(error) && typeof error.message === 'string' ? [error.message.slice(0, 1_000)] : [],
  );
}

const NUMBERS = /^(?:Int|Float)/;

/** Returns a query with the required arguments and the smallest possible selection. */
function operationOf(name: string, missed: readonly string[], url: string): InventoryItem {
  const about = missed.filter((message) => message.includes(`"${name}"`) || message.includes(`.${name}(`));
  const needed = about.flatMap((message) => {
    const [, argument, type] =
      /argument "(?:\w+\.\w+\()?(\w+)(?::\))?" of type "([\w![\]]+)" is required/i.exec(message) ?? [];
    return argument && type ? [{ argument, type }] : [];
  });
  const hasFields = about.some((message) => /must have a (?:sub)?selection/i.test(message));
  const list = (parts: string[]) => (parts.length > 0 ? `(${parts.join(', ')})` : '');
  const declared = list(needed.map(({ argument, type }) => `$${argument}: ${type}`));
  const passed = list(needed.map(({ argument }) => `${argument}: $${argument}`));
  const query = `query ${name}${declared} { ${name}${passed}${hasFields ? ' { __typename }' : ''} }`;
  const variables = Object.fromEntries(needed.map(({ argument, type }) => [argument, NUMBERS.test(type) ? 1 : '1']));
  return graphqlItem({ kind: 'query', name, query, variables, url });
}
