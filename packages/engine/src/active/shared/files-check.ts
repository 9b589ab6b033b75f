import type { Severity } from '@sortie/contract';
import type { ProbeAnswer } from '../../evidence/probes/ask.ts';
import { keyOf, type Probe } from '../../evidence/probes/files.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { PassiveCheck, Seen } from '../../passive/define-passive-check.ts';
import { loadPassiveChecks } from '../../passive/load-checks.ts';
import { type Asking, defineSiteCheck, type Known, type Site, type SiteCheck } from '../define-active-check.ts';
import type { Observation } from '../experiment.ts';
import { readsOnly } from './accounts.ts';
import { checkNamed } from './pages-check.ts';

/** A sensitive file and the passive check that recognises it. */
interface Variant {
  /** Id of the passive check. */
  check: string;
  probe: Probe;
  /** Folder of the application, without a slash at its end; empty at the root. */
  folder?: string;
  /** The account that alone sees the file; null if no login is needed. */
  as?: string | null;
  /** Evidence without secrets. */
  seen?: string;
}

const MOST_BYTES = 65_536;
/** Files that no user should see. Archives, dumps and keys behind a login may be the user's own. */
const FOR_NO_USER =
  /^exposed-(?:env|git|svn|hg-bzr|htpasswd|cloud-credentials|container-ci-config|server-config|wp-config-backup|phpinfo|server-status|debug-endpoint)$/;

type Texts = Pick<
  SiteCheck,
  'id' | 'family' | 'title' | 'cwe' | 'cvss' | 'cvss4' | 'impact' | 'why' | 'fix' | 'references' | 'lab'
>;

/** Defines a check for exposed files that the passive checks recognise. There is one check per group of severities. */
export async function defineFilesCheck({
  grades,
  ...texts
}: Texts & { grades: readonly Severity[] }): Promise<SiteCheck<Variant>> {
  const passive = await fileChecks();
  const checkOf = (id: string) => checkNamed(id, passive);
  return defineSiteCheck({
    ...texts,
    risk: 'harmless',
    appliesTo: () => true,
    variants: variantsOf(passive.filter(({ severity }) => grades.includes(severity))),
    // Twice the files: at the root and in the folder of the application.
    maxRequests: 320,
    async probe(site, { word }, { ask, known }) {
      const found: Variant[] = [];
      const nothing = await ask(requestFor(site.origin, siblingOf({ path: '/' }, word)));
      for (const variant of placesFor(this.variants, site, known)) {
        const { check } = variant;
        // One file is enough to prove that its folder is exposed.
        if (found.some((each) => each.check === check && (isSameFolder(each, variant) || isSameFile(each, variant)))) {
          continue;
        }
        const shown = await shownTo(checkOf(check), variant, site, nothing, ask);
        if (shown && grades.includes(shown.severity)) found.push({ ...variant, as: shown.as, seen: shown.evidence });
      }
      return found;
    },
    placeOf: ({ origin }, { probe, folder = '' }) => origin + folder + probe.path,
    describe({ check, seen, as = null }) {
      const { title, why, fix, cwe, references } = checkOf(check);
      return {
        title,
        why: [why, seen, as === null ? undefined : `The file needs a login: the account ${as} received it.`]
          .filter((part) => part !== undefined)
          .join('\n\n'),
        ...(as !== null && {
          cvss: texts.cvss.replace('/PR:N', '/PR:L'),
          cvss4: texts.cvss4.replace('/PR:N', '/PR:L'),
        }),
        fix,
        references,
        ...(cwe !== null && { cwe }),
      };
    },
    proof: {
      plan: ({ origin }, { probe, folder = '', as = null }, { word }) => ({
        file: {
          label: 'the file',
          request: requestFor(origin + folder, probe),
          as,
          answer: { isConfidential: true },
        },
        sibling: {
          label: 'a file next to it that does not exist',
          request: requestFor(origin + folder, siblingOf(probe, word)),
          as,
          isControl: true,
        },
      }),
      judge({ file, sibling }, { check, probe, as = null }) {
        if (isBusy(sibling)) return 'VOID';
        if (!lookAt(checkOf(check), probe, file, sibling)) return 'REFUTED';
        // LIKELY only behind a login: the file may be meant for the account.
        return as === null ? 'PROVED' : 'LIKELY';
      },
    },
  });
}

/** Resolves to what the passive check sees in the file, first without a session. */
async function shownTo(
  check: PassiveCheck,
  { probe, folder = '', as = null }: Variant,
  { origin }: Site,
  nothing: Exchange,
  ask: Asking['ask'],
) {
  const readers = as !== null && FOR_NO_USER.test(check.id) ? [null, as] : [null];
  for (const reader of readers) {
    const seen = lookAt(check, probe, await ask(requestFor(origin + folder, probe), reader), nothing);
    if (seen) return { severity: seen.severity ?? check.severity, evidence: seen.evidence, as: reader };
  }
  return undefined;
}

const folderOf = ({ path }: Probe) => path.slice(0, path.lastIndexOf('/') + 1);
const isSameFolder = (one: Variant, other: Variant) =>
  folderOf(one.probe) !== '/' && folderOf(one.probe) === folderOf(other.probe) && one.folder === other.folder;

const isSameFile = (one: Variant, other: Variant) =>
  one.probe === other.probe && (one.folder ?? '') === (other.folder ?? '');

/** Returns the folder that contains everything the crawl has seen of the site; empty for the root. */
function folderOfAll(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1));
  const length = first.findIndex((segment, index) => others.some((other) => other[index] !== segment));
  return (length < 0 ? first : first.slice(0, length)).join('/');
}

/**
 * Returns where to look for the files: at the root, in the folder of an application that is not at the root, and where
 * the crawl has seen a file of that name, which may need a login.
 */
function placesFor(files: readonly Variant[], { origin }: Site, { inventory }: Known): Variant[] {
  const items = inventory.filter(
    (item) => item.method === 'GET' && item.url.startsWith(`${origin}/`) && readsOnly(item),
  );
  const seen = items.map(({ url, seenAs }) => ({ path: new URL(url).pathname, as: seenAs }));
  const folder = folderOfAll(seen.map(({ path }) => path));
  const ofCrawl = files.flatMap((file) => {
    const { path } = file.probe;
    const isNew = (each: (typeof seen)[number]) => each.as !== null || each.path !== path;
    const met = path.endsWith('/') ? undefined : seen.find((each) => each.path.endsWith(path) && isNew(each));
    return met ? [{ ...file, folder: met.path.slice(0, -path.length), as: met.as }] : [];
  });
  return [...files, ...ofCrawl, ...(folder === '' ? [] : files.map((file) => ({ ...file, folder })))];
}

const isBusy = ({ response }: Observation) => response?.status === 429 || response?.status === 503;

/** Resolves to the passive checks that recognise files. */
async function fileChecks(): Promise<PassiveCheck[]> {
  return (await loadPassiveChecks()).filter(
    ({ group, needs }) => group === 'exposure' && needs.every((need) => need === 'files' || need === 'notFound'),
  );
}

/** Returns the probes that only read files. */
function variantsOf(checks: readonly PassiveCheck[]): Variant[] {
  return checks.flatMap(({ id, probes = [] }) =>
    probes
      .filter(({ method, path }) => method !== 'POST' && !path.includes('{'))
      .map((probe) => ({ check: id, probe })),
  );
}

/** Same folder and extension, because some servers treat all files of a type alike. */
function siblingOf({ path, method }: Probe, word: string): Probe {
  const [, ending = ''] = /(\.[^./]*)$/.exec(path) ?? [];
  return { path: `${folderOf({ path })}${word}${ending}`, ...(method && { method }) };
}

const requestFor = (origin: string, { path, method = 'GET' }: Probe) => ({
  method,
  url: origin + path,
  bodyBytes: MOST_BYTES,
});

function lookAt(check: PassiveCheck, probe: Probe, file: Exchange, nothing: Exchange): Seen | undefined {
  const [answer, control] = [toAnswer(file), toAnswer(nothing)];
  if (!answer || !control) return undefined;
  const evidence = { files: { [keyOf(probe)]: answer }, notFound: [control] };
  const [seen] = [...check.run(evidence as unknown as Parameters<PassiveCheck['run']>[0])];
  return seen;
}

function toAnswer({ request, response }: Exchange): ProbeAnswer | undefined {
  if (!response) return undefined;
  const { status, headers, body } = response;
  return { url: request.url, status, headers, body: body.toString('latin1') };
}
