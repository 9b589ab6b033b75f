import { endpoints } from '@sortie/contract';
import type { Credential } from '@sortie/sdk';
import { usageError } from '../terminal/command-error.ts';
import { readYaml } from './read-yaml.ts';

export interface CredentialsProblem {
  /** For example `credentials[1].name`. */
  field: string;
  message: string;
}

const schema = endpoints.startPentest.body.shape.credentials.unwrap();

/** Reads a list of test accounts, top-level or under `credentials`, and validates it as the service does. */
export function checkCredentials(name: string): { credentials: Credential[]; problems: CredentialsProblem[] } {
  const content = readYaml(name);
  const isWrapped = typeof content === 'object' && content !== null && 'credentials' in content;
  const parsed = schema.safeParse(isWrapped ? content.credentials : content);
  if (parsed.success) return { credentials: parsed.data, problems: [] };
  const problems = parsed.error.issues.map(({ path, message }) => ({ field: fieldOf(path), message }));
  return { credentials: [], problems };
}

const fieldOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (field, part) => (typeof part === 'number' ? `${field}[${part}]` : `${field}.${String(part)}`),
    'credentials',
  );

export function readCredentials(name: string): Credential[] {
  const { credentials, problems } = checkCredentials(name);
  const [first] = problems;
  if (!first) return credentials;
  throw usageError(`${name}: ${first.field}: ${first.message}; "npx sortie credentials validate" lists all problems`);
}
