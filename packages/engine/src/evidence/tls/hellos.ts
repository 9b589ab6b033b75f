import { allSuites, modernSuites, type SuiteClass, suitesOf, usableSuites } from './cipher-suites.ts';
import { type Hello, versions, X25519_MLKEM768 } from './client-hello.ts';

const { ssl2, ssl3, tls10, tls11, tls12, tls13 } = versions;

/** Sent first, because the further hellos depend on the supported versions. */
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

/** Probes whose refusal fails a check, so that a dropped connection must not be taken for one. */
export const decisiveNames = ['tls12', 'tls13', 'postQuantum', 'authenticated', 'forwardSecret'] as const;
export type DecisiveName = (typeof decisiveNames)[number];

export type Hellos = Partial<Record<HelloName, Hello>>;

/** Suite classes that a well-configured server refuses. */
const WEAKNESSES = ['null', 'anonymous', 'export', 'broken', 'smallBlock'] as const;
/** Sent at the newest version before TLS 1.3, whichever older ones are supported. */
const OF_NEWEST = ['postQuantum', 'staticRsa', 'finiteField', 'compression', 'weakCurve', 'cbc', 'sha1'] as const;

export const pick = (hellos: Hellos, names: readonly HelloName[]): Hellos =>
  Object.fromEntries(names.flatMap((name) => (hellos[name] ? [[name, hellos[name]]] : [])));

export const without = (hellos: Hellos, others: Hellos): Hellos =>
  Object.fromEntries(Object.entries(hellos).filter(([name]) => !(name in others)));

/** Returns the further hellos that are certain as soon as TLS 1.2 and 1.3 have responded. */
export const earlyHellos = (spoken: readonly VersionName[]): Hellos =>
  spoken.includes('tls12') ? pick(furtherHellos(spoken), OF_NEWEST) : {};

/** Returns the hellos that can be combined into one and are sent one by one only if that one is accepted. */
export function weakHellos(hellos: Hellos): Hellos {
  const weak = Object.entries(pick(hellos, WEAKNESSES));
  return Object.fromEntries(weak.filter(([, { version }]) => version === hellos.null?.version));
}

export const together = (hellos: readonly Hello[]): Hello => ({
  version: hellos[0]?.version ?? tls12,
  suites: [...new Set(hellos.flatMap(({ suites }) => suites))],
});

/** Curves below 224 bits, and secp224r1. */
export const weakGroups = [1, 2, 3, 4, 5, 15, 16, 17, 18, 19, 21];
const sha1Signatures = [0x0201, 0x0203, 0x0202];

/** Returns the further hellos for a server that supports these versions. */
export function furtherHellos(spoken: readonly VersionName[]): Hellos {
  const old = (['tls12', 'tls11', 'tls10', 'ssl3'] as const).filter((name) => spoken.includes(name));
  const [newest] = old;
  const hellos: Hellos = {};
  if (spoken.includes('tls13')) {
    hellos.postQuantum = { version: tls13, suites: modernSuites, groups: [X25519_MLKEM768] };
  }
  const fallback = spoken.includes('tls13') ? newest : old[1];
  // Between TLS 1.2 and 1.3 the signal adds nothing: TLS 1.3 has its own downgrade protection.
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
