import { openSources, type Policy } from './policies.ts';
import { hasSource, insecurePlaces } from './sources.ts';

/** Directives for active content, and those for passive content (images and media). */
const directives = {
  ACTIVE:
    'script-src-elem script-src-attr style-src-elem object-src frame-src worker-src connect-src font-src manifest-src',
  PASSIVE: 'img-src media-src',
} as const;

/** Directives in which 'strict-dynamic' makes browsers ignore hosts and schemes. */
const SCRIPTS = new Set(['script-src-elem', 'script-src-attr', 'worker-src']);

const insecureScripts = (sources: readonly string[]) =>
  hasSource(sources, "'strict-dynamic'") ? [] : insecurePlaces(sources);

/** Returns the HTTP sources that all policies allow. */
export function insecureSources(policies: readonly Policy[], kind: keyof typeof directives): string[] {
  const open = directives[kind]
    .split(' ')
    .flatMap((directive) =>
      openSources(policies, directive, SCRIPTS.has(directive) ? insecureScripts : insecurePlaces),
    );
  return [...new Set(open)];
}
