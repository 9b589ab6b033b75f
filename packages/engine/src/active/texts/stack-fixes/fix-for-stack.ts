import { STACK, type StackName } from '../../../crawl/readers/stack.ts';
import { accessFixes } from './access.ts';
import { accountFixes } from './accounts.ts';
import { browserFixes } from './browser.ts';
import { exposureFixes } from './exposure.ts';
import { injectionFixes } from './injection.ts';
import { sessionFixes } from './sessions.ts';
import type { FixTable } from './stack-fix.ts';
import { untrustedDataFixes } from './untrusted-data.ts';

export const fixTables: readonly FixTable[] = [
  injectionFixes,
  untrustedDataFixes,
  browserFixes,
  accessFixes,
  exposureFixes,
  accountFixes,
  sessionFixes,
];
const fixes: FixTable = Object.assign({}, ...fixTables);

/** A framework is more specific than its platform. */
const PLATFORM_OF: Readonly<Partial<Record<StackName, StackName>>> = {
  express: 'node',
  django: 'python',
  flask: 'python',
  fastapi: 'python',
  spring: 'java',
  laravel: 'php',
  aspnet: 'dotnet',
};

const SERVER_PLATFORMS: readonly StackName[] = ['node', 'python', 'java', 'php', 'dotnet', 'rails', 'go'];

/** More components than these are probably several applications, of which the flaw is in one. */
const MOST_ADVISED = 4;

/** Returns the check's fix, followed by the concrete change for each detected component that it has one for. */
export function fixForStack(
  { id, cwe, fix }: { id: string; cwe: number; fix: string },
  detected: readonly StackName[],
): string {
  const known = fixes[id] ?? fixes[cwe] ?? {};
  const present = (Object.keys(STACK) as StackName[]).filter((name) => isPresent(name, detected));
  // Two applications share the origin, or one of the platforms was not meant: which has the flaw is unknown.
  if (present.filter((name) => SERVER_PLATFORMS.includes(name)).length > 1) return fix;
  const advised = present.filter((name) => known[name] !== undefined);
  // Where the framework has a fix of its own, that of its platform is not needed.
  const replaced = new Set(advised.map((name) => PLATFORM_OF[name]));
  const lines = advised.filter((name) => !replaced.has(name)).map((name) => `${STACK[name]}: ${known[name]}`);
  return lines.length === 0 || lines.length > MOST_ADVISED
    ? fix
    : `${fix}\n\nFor the detected technologies:\n${lines.join('\n')}`;
}

const isPresent = (name: StackName, detected: readonly StackName[]) =>
  detected.includes(name) || detected.some((each) => PLATFORM_OF[each] === name);
