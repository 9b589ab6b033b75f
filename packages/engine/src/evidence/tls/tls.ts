import { isSuiteOf, type SuiteClass, suiteName } from './cipher-suites.ts';
import { versions } from './client-hello.ts';
import type { DecisiveName, HelloName, VersionName } from './hellos.ts';
import { httpsUrl } from './https.ts';
import type { ServerAnswer } from './server-messages.ts';
import { supportedVersions, type TlsProbes } from './tls-probes.ts';

/** Results of the TLS probes with accessors for checks. */
export interface Tls {
  /** URL of the site, or where its TLS is expected. */
  url: string;
  answers: TlsProbes['answers'];
  /** Supported versions, newest first. */
  spoken: readonly VersionName[];
  speaks(...names: VersionName[]): boolean;
  /** Returns the negotiated suites of this class in any response, one line each, for a finding's evidence. */
  agreed(name: SuiteClass): readonly string[];
  /**
   * Returns whether the server rejected the probe with an alert or by closing the connection. False without a response.
   */
  refuses(name: HelloName): boolean;
  /**
   * Throws if it is unclear whether the server accepts or refuses one of these probes; the check then counts as not run.
   */
  requireAnswers(...names: DecisiveName[]): void;
  /** Returns what was negotiated in these versions, for a finding's evidence. */
  evidenceOf(...names: VersionName[]): string;
  /** Response to the newest supported version before TLS 1.3 that has extensions. */
  oldHello: ServerAnswer | undefined;
}

const versionLabels: Record<VersionName, string> = {
  tls13: 'TLS 1.3',
  tls12: 'TLS 1.2',
  tls11: 'TLS 1.1',
  tls10: 'TLS 1.0',
  ssl3: 'SSL 3.0',
  ssl2: 'SSL 2.0',
};

const inOrder = Object.keys(versionLabels) as VersionName[];

export const versionLabel = (version: number | null) =>
  versionLabels[inOrder.find((name) => versions[name] === version) ?? 'ssl2'];

const probeLabels: Record<DecisiveName, string> = {
  tls12: versionLabels.tls12,
  tls13: versionLabels.tls13,
  postQuantum: 'X25519MLKEM768',
  authenticated: 'AEAD cipher suites',
  forwardSecret: 'forward-secret cipher suites',
};

/** Returns why a probe shows neither support nor a refusal. Only the probes of versions are always sent. */
function whyUnclear(answers: TlsProbes['answers'], name: DecisiveName): string | undefined {
  if (answers[name]?.outcome === 'DROPPED') {
    return `The server closed the connection when offered ${probeLabels[name]}, and retries did not confirm a refusal. Scan again.`;
  }
  const isUnsent = !answers[name] && name in versionLabels;
  return isUnsent ? `No connection could be made to offer ${probeLabels[name]}. Scan again.` : undefined;
}

const isHello = ({ outcome }: ServerAnswer) => outcome === 'HELLO' || outcome === 'RETRY';

const describeHello = (hello: ServerAnswer | undefined) =>
  `${suiteName(hello?.suite ?? 0)} with ${versionLabel(hello?.version ?? null)}`;

export function toTls({ host, port, answers }: TlsProbes): Tls {
  const spoken = supportedVersions(answers);
  const hellos = Object.values(answers).filter(isHello);
  return {
    url: httpsUrl({ host, port }),
    answers,
    spoken: inOrder.filter((name) => spoken.includes(name)),
    oldHello: (['tls12', 'tls11', 'tls10'] as const)
      .filter((name) => spoken.includes(name))
      .map((name) => answers[name])[0],
    refuses: (name) => ['ALERT', 'CLOSED'].includes(answers[name]?.outcome ?? ''),
    requireAnswers(...names) {
      const reason = names.map((name) => whyUnclear(answers, name)).find((one) => one !== undefined);
      if (reason !== undefined) throw new Error(reason);
    },
    evidenceOf: (...names) =>
      names
        .filter((name) => spoken.includes(name))
        .map((name) => (name === 'ssl2' ? 'SSL 2.0' : describeHello(answers[name])))
        .join('\n'),
    speaks: (...names) => names.some((name) => spoken.includes(name)),
    agreed(name) {
      const lines = hellos
        .filter(({ suite, version }) => version !== versions.ssl2 && isSuiteOf(suite ?? 0, name))
        .map(describeHello);
      return [...new Set(lines)];
    },
  };
}

/** Returns the response to this probe if it is a ServerHello. */
export function helloTo({ answers }: Pick<Tls, 'answers'>, name: HelloName): ServerAnswer | undefined {
  const answer = answers[name];
  return answer && isHello(answer) ? answer : undefined;
}
