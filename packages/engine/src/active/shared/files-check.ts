import type { Severity } from '@sortie/contract';
import type { ProbeAnswer } from '../../evidence/probes/ask.ts';
import { keyOf, type Probe } from '../../evidence/probes/files.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { PassiveCheck, Seen } from '../../passive/define-passive-check.ts';
import { loadPassiveChecks } from '../../passive/load-checks.ts';
import { defineSiteCheck, type Observation, type SiteCheck } from '../define-active-check.ts';

/** A sensitive file and the passive check that recognises it. */
interface Variant {
  check: PassiveCheck;
  probe: Probe;
  /** Evidence without secrets. */
  seen?: string;
}

const LABELS = { file: 'the file', sibling: 'a file next to it that does not exist' } as const;
const MOST_BYTES = 65_536;

type Texts = Pick<SiteCheck, 'id' | 'title' | 'cwe' | 'cvss' | 'why' | 'fix' | 'references' | 'lab'>;

/** Defines a check for exposed files that the passive checks recognise. There is one check per group of severities. */
export async function defineFilesCheck({
  grades,
  ...texts
}: Texts & { grades: readonly Severity[] }): Promise<SiteCheck<Variant>> {
  const known = await variants();
  return defineSiteCheck<Variant>({
    ...texts,
    risk: 'harmless',
    appliesTo: () => true,
    variants: known.filter(({ check }) => grades.includes(check.severity)),
    maxRequests: 160,
    async probe({ origin }, { word }, { ask }) {
      const found: Variant[] = [];
      const nothing = await ask(requestFor(origin, siblingOf({ path: '/' }, word)));
      for (const { check, probe } of this.variants) {
        // One file is enough to prove that its folder is exposed.
        if (found.some((each) => each.check === check && isSameFolder(each.probe, probe))) continue;
        const seen = lookAt(check, probe, await ask(requestFor(origin, probe)), nothing);
        if (seen && grades.includes(seen.severity ?? check.severity)) found.push({ check, probe, seen: seen.evidence });
      }
      return found;
    },
    placeOf: ({ origin }, { probe }) => origin + probe.path,
    describe: ({ check: { title, why, fix, cwe, references }, seen }) => ({
      title,
      why: seen === undefined ? why : `${why}\n\n${seen}`,
      fix,
      references,
      ...(cwe !== null && { cwe }),
    }),
    proof: {
      plan: ({ origin }, { probe }, { word }) => [
        { label: LABELS.file, request: requestFor(origin, probe), answer: { isConfidential: true } },
        { label: LABELS.sibling, request: requestFor(origin, siblingOf(probe, word)) },
      ],
      judge(answers, { check, probe }) {
        const [file, sibling] = [answers.get(LABELS.file), answers.get(LABELS.sibling)];
        if (!file?.response || !sibling?.response || isBusy(sibling)) return 'VOID';
        return lookAt(check, probe, file, sibling) ? 'PROVED' : 'REFUTED';
      },
    },
  });
}

const folderOf = ({ path }: Probe) => path.slice(0, path.lastIndexOf('/') + 1);
const isSameFolder = (one: Probe, other: Probe) => folderOf(one) !== '/' && folderOf(one) === folderOf(other);

const isBusy = ({ response }: Observation) => response?.status === 429 || response?.status === 503;

/** Returns the probes that only read files. */
async function variants(): Promise<Variant[]> {
  const checks = (await loadPassiveChecks()).filter(
    ({ group, needs }) => group === 'exposure' && needs.every((need) => need === 'files' || need === 'notFound'),
  );
  return checks.flatMap((check) =>
    (check.probes ?? [])
      .filter(({ method, path }) => method !== 'POST' && !path.includes('{'))
      .map((probe) => ({ check, probe })),
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
