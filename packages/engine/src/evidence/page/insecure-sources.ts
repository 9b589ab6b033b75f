import { openSources, type Policy } from './policies.ts';
import { hasSource, insecurePlaces } from './sources.ts';

/** What can act in a page, and what can only be seen or heard. */
const directives = {
  ACTIVE:
    'script-src-elem script-src-attr style-src-elem object-src frame-src worker-src connect-src font-src manifest-src',
  PASSIVE: 'img-src media-src',
} as const;

/** Where 'strict-dynamic' counts, and makes browsers ignore hosts and schemes. */
const SCRIPTS = new Set(['script-src-elem', 'script-src-attr', 'worker-src']);

const insecureScripts = (sources: readonly string[]) =>
  hasSource(sources, "'strict-dynamic'") ? [] : insecurePlaces(sources);

/** The sources over plain http that all policies let through. */
export function insecureSources(policies: readonly Policy[], kind: keyof typeof directives): string[] {
  const open = directives[kind]
    .split(' ')
    .flatMap((directive) =>
      openSources(policies, directive, SCRIPTS.has(directive) ? insecureScripts : insecurePlaces),
    );
  return [...new Set(open)];
}
