import type { Severity } from '@sortie/contract';
import type { Content } from '../evidence/content.ts';
import { isMissing, thoseThere } from '../evidence/missing.ts';
import type { ApiSurface } from '../evidence/probes/api-surfaces.ts';
import type { ProbeAnswer } from '../evidence/probes/ask.ts';
import { keyOf, type Probe } from '../evidence/probes/files.ts';
import { headerOf } from '../http/exchange/headers.ts';
import { definePassiveCheck, type PassiveCheck } from './define-passive-check.ts';

interface ExposedFile extends Probe {
  /** Matches content that only this file has. The match becomes evidence, so it must never include a secret. */
  signature: RegExp | ((answer: ProbeAnswer) => string | undefined);
  /** Accepts HTML. Otherwise an HTML response counts as the site's catch-all page. */
  isPage?: boolean;
  severity?: Severity | ((body: string) => Severity | undefined);
}

const MAX_SHOWN_CHARACTERS = 120;

type Texts = Omit<PassiveCheck, 'group' | 'needs' | 'probes' | 'run' | 'confidence'>;

/** Defines a check for exposed files that recognizes each by its content, never by the status code alone. */
export function defineExposureCheck({
  files,
  surface,
  ...check
}: Texts & {
  files: readonly ExposedFile[];
  /** Also tests the first signature against API surfaces of this kind. */
  surface?: ApiSurface['kind'];
}): PassiveCheck<'files' | 'notFound' | 'apiSurfaces'> {
  return definePassiveCheck({
    ...check,
    group: 'exposure',
    needs: surface ? ['files', 'notFound', 'apiSurfaces'] : ['files', 'notFound'],
    probes: files,
    *run({ files: answers, notFound, apiSurfaces = [] }) {
      const found = files.map((file) => ({ file, answer: answers[keyOf(file)] }));
      for (const { file, answer } of [...found, ...surfacesAs(files[0], apiSurfaces, surface)]) {
        if (!answer || isMissing(answer)) continue;
        const shown = matchOf(file, answer);
        // A signature that also matches the response to a random path proves nothing.
        const isCommon = notFound.some((nothing) => matchOf({ ...file, isPage: true }, nothing) !== undefined);
        if (shown === undefined || isCommon) continue;
        const severity = typeof file.severity === 'function' ? file.severity(answer.body) : file.severity;
        yield { url: answer.url, evidence: describe(file, answer, shown), ...(severity && { severity }) };
      }
    },
  });
}

function surfacesAs(file: ExposedFile | undefined, surfaces: Content['apiSurfaces'], kind?: ApiSurface['kind']) {
  const those = thoseThere(surfaces).filter((surface) => surface.kind === kind);
  if (!file) return [];
  return those.map(({ answer }) => ({ file: { ...file, path: new URL(answer.url).pathname }, answer }));
}

function matchOf({ signature, isPage = false }: ExposedFile, answer: ProbeAnswer): string | undefined {
  const { status, headers, body } = answer;
  if (status !== 200 && status !== 206) return undefined;
  const type = headerOf(headers, 'content-type') ?? '';
  if (!isPage && (/html/i.test(type) || /^\s*<(!doctype html|html|head|body)\b/i.test(body))) return undefined;
  return typeof signature === 'function' ? signature(answer) : signature.exec(body)?.[0];
}

function describe(
  { path, method = 'GET' }: ExposedFile,
  { status, headers, body }: ProbeAnswer,
  shown: string,
): string {
  const type = headerOf(headers, 'content-type') ?? 'no content type';
  const line = shown
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, MAX_SHOWN_CHARACTERS);
  return `${method} ${path} returned ${status} (${type}, ${body.length} bytes read) containing: ${line}`;
}

/** Returns the parsed body, or undefined if it is not JSON or was truncated. */
export function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
