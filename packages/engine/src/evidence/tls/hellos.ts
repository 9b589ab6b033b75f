import { allSuites, modernSuites, type SuiteClass, suitesOf, usableSuites } from './cipher-suites.ts';
import { type Hello, versions, X25519_MLKEM768 } from './client-hello.ts';

const { ssl2, ssl3, tls10, tls11, tls12, tls13 } = versions;

/** Asked first: what the rest is asked at depends on them. */
export const versionHellos = {
  tls12: { version: tls12, suites: allSuites },
  tls13: { version: tls13, suites: modernSuites },
  tls11: { version: tls11, suites: allSuites },
  tls10: { version: tls10, suites: allSuites },
  ssl3: { version: ssl3, suites: allSuites },
  ssl2: { version: ssl2, suites: [] },
} as const satisfies Record<string, Hello>;

export type VersionName = keyof typeof versionHellos;
export type HelloName =
  | VersionName
  | SuiteClass
  | 'brokenOld'
  | 'smallBlockOld'
  | 'weakCurve'
  | 'compression'
  | 'fallback'
  | 'sha1'
  | 'postQuantum';

export type Hellos = Partial<Record<HelloName, Hello>>;

/** A good server has none of these. */
const WEAKNESSES = ['null', 'anonymous', 'export', 'broken', 'smallBlock'] as const;
/** Asked at the newest version before 1.3, whichever older ones there are. */
const OF_NEWEST = ['postQuantum', 'staticRsa', 'finiteField', 'compression', 'weakCurve', 'cbc', 'sha1'] as const;

const pick = (hellos: Hellos, names: readonly HelloName[]): Hellos =>
  Object.fromEntries(names.flatMap((name) => (hellos[name] ? [[name, hellos[name]]] : [])));

export const without = (hellos: Hellos, others: Hellos): Hellos =>
  Object.fromEntries(Object.entries(hellos).filter(([name]) => !(name in others)));

/** What of the further hellos is known as soon as TLS 1.2 and 1.3 have answered. */
export const earlyHellos = (spoken: readonly VersionName[]): Hellos =>
  spoken.includes('tls12') ? pick(furtherHellos(spoken), OF_NEWEST) : {};

/** Those that can be offered in one hello, to be asked one by one only where it is taken up. */
export function weakHellos(hellos: Hellos): Hellos {
  const weak = Object.entries(pick(hellos, WEAKNESSES));
  return Object.fromEntries(weak.filter(([, { version }]) => version === hellos.null?.version));
}

export const together = (hellos: readonly Hello[]): Hello => ({
  version: hellos[0]?.version ?? tls12,
  suites: [...new Set(hellos.flatMap(({ suites }) => suites))],
});

/** Below 224 bits, and secp224r1. */
export const weakGroups = [1, 2, 3, 4, 5, 15, 16, 17, 18, 19, 21];
const sha1Signatures = [0x0201, 0x0203, 0x0202];

/** What else is to be asked of a server that speaks these versions. */
export function furtherHellos(spoken: readonly VersionName[]): Hellos {
  const old = (['tls12', 'tls11', 'tls10', 'ssl3'] as const).filter((name) => spoken.includes(name));
  const [newest] = old;
  const hellos: Hellos = {};
  if (spoken.includes('tls13')) {
    hellos.postQuantum = { version: tls13, suites: modernSuites, groups: [X25519_MLKEM768] };
  }
  const fallback = spoken.includes('tls13') ? newest : old[1];
  // Between 1.2 and 1.3 nothing is to be had by it: TLS 1.3 notices that by itself.
  if (fallback && old.at(-1) !== 'tls12')
    hellos.fallback = { version: versions[fallback], suites: usableSuites, isFallback: true };
  if (!newest) return hellos;
  const version = versions[newest];
  const oldest = versions[old.at(-1) ?? newest];
  const weak = (name: SuiteClass, at = version) => ({ version: at, suites: suitesOf(name) });
  Object.assign(hellos, {
    null: weak('null'),
    anonymous: weak('anonymous'),
    export: weak('export', oldest),
    broken: weak('broken'),
    smallBlock: weak('smallBlock'),
    staticRsa: weak('staticRsa'),
    finiteField: weak('finiteField'),
    authenticated: weak('authenticated'),
    forwardSecret: weak('forwardSecret'),
    compression: { version, suites: allSuites, offersCompression: true },
    ...(version === ssl3 ? {} : { weakCurve: { ...weak('ellipticCurve'), groups: weakGroups } }),
    ...(version === tls12
      ? { cbc: weak('cbc'), sha1: { version, suites: suitesOf('forwardSecret'), signatures: sha1Signatures } }
      : {}),
    ...(oldest === version ? {} : { brokenOld: weak('broken', oldest), smallBlockOld: weak('smallBlock', oldest) }),
  });
  return hellos;
}
