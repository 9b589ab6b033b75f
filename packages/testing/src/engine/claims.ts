import { Experiment } from '@sortie/contract';
import type { CheckAbout } from '../../../engine/src/active/define-active-check.ts';
import type { Observation } from '../../../engine/src/active/experiment.ts';
import type { PointRequest } from '../../../engine/src/active/insertion-point.ts';
import type { LabAnswer } from '../../../engine/src/active/lab.ts';
import { problemOf } from '../../../engine/src/active/proposed/check-experiment.ts';
import { judgeExperiment } from '../../../engine/src/active/proposed/judge-experiment.ts';
import { subjectOf } from '../../../engine/src/active/proposed/plan-experiment.ts';
import { proposedCheck, proposedCheckId } from '../../../engine/src/active/proposed/proposed-checks.ts';
import type { BrowserSend } from '../../../engine/src/browser/requests.ts';
import type { VisitAim } from '../../../engine/src/browser/visit.ts';
import type { Execution } from '../../../engine/src/pentest/testing/proof/verifying.ts';
import { verify } from '../../../engine/src/pentest/testing/verify.ts';
import type { OutsideCall } from '../../../engine/src/protocol/callback.ts';

/** A request as a target reads it. */
export interface Asked {
  as: string | null;
  method: string;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
  headers: ReadonlyMap<string, string>;
}

export type ClaimTarget = (asked: Asked) => LabAnswer;

export interface ClaimResult {
  verdict: 'CONFIRMED' | 'FIRM' | 'NOTHING' | 'REFUSED';
  /** Why: the problem with the experiment, or the reason of the last verdict. */
  reason: string;
  requests: number;
}

const ORIGIN = 'http://shop.test';

interface ClaimOptions {
  /** Returns whether the target contacts the callback URLs of the request. */
  heard?(asked: Asked): boolean;
  /** Returns whether a browser that opens the page runs the script of the request. */
  runs?(asked: Asked): boolean;
}

/** Carries out an experiment at a target that is a function, without any connection, as a run would judge it. */
export async function claim(given: object, target: ClaimTarget, options: ClaimOptions = {}): Promise<ClaimResult> {
  const experiment = Experiment.parse({ hypothesis: 'a claim', ...given });
  const problem = problemOf(experiment);
  if (problem !== undefined) return { verdict: 'REFUSED', reason: problem, requests: 0 };
  const check = proposedCheck(proposedCheckId(experiment)) as CheckAbout<'request', unknown>;
  const executions: Execution[] = [];
  const world = createWorldOf(target, options);
  const verified = await verify(check, subjectOf(experiment, ORIGIN), experiment, {
    ...world.sessions,
    as: null,
    known: { inventory: [], accounts: [], outside: world.names },
    outside: { heard: async (tags) => world.heard(tags) },
    browser: { visit: world.visit },
    renew: () => undefined,
    onJudged: (execution) => void executions.push(execution),
  });
  const last = executions.at(-1);
  const nonce = last?.exhibits[0]?.nonce;
  const observed = new Map(last?.exhibits.map(({ key, exchange }) => [key, exchange]));
  const reason = nonce ? judgeExperiment(experiment, observed, nonce).reason : 'Nothing could be sent.';
  return { verdict: verified?.confidence ?? 'NOTHING', reason, requests: world.requests() };
}

function createWorldOf(target: ClaimTarget, options: ClaimOptions) {
  const contacted = new Set<string>();
  let requests = 0;
  async function send(as: string | null, request: PointRequest): Promise<Observation> {
    requests++;
    const { seconds = 0.005, status = 200, headers = {}, body = '' } = await answerTo(as, request);
    return {
      request: { ...request, purpose: 'test' },
      response: { status, headers: Object.entries(headers), body: Buffer.from(body), isCut: false },
      failure: null,
      remote: null,
      firstByteMs: seconds * 1_000,
      durationMs: seconds * 1_000,
    };
  }
  async function answerTo(as: string | null, request: PointRequest): Promise<LabAnswer> {
    const asked = readRequest(as, request);
    if (options.heard?.(asked)) for (const tag of tagsIn(request)) contacted.add(tag);
    return target(asked);
  }
  const sessionOf = (as: string | null) => ({
    send: (request: PointRequest) => send(as, request),
    load: (request: PointRequest) => send(as, request),
  });
  async function visit(request: PointRequest, load: BrowserSend, { awaited }: VisitAim = {}) {
    const isRun = options.runs?.(readRequest(null, request)) && textOf(request).includes(`(/${awaited}/`);
    return { exchange: await load(request, request.url, 'document'), calls: isRun && awaited ? [awaited] : [] };
  }
  const call = (tag: string): OutsideCall => ({ label: tag, kind: 'http', at: '', from: '', detail: '' });
  return {
    sessions: { sessionOf, newVisitor: () => sessionOf(null) },
    visit,
    names: {
      urlFor: (tag: string) => `http://outside.test/${tag}`,
      hostFor: () => null,
      answerTo: (tag: string) => `answer to ${tag}`,
      programFor: (tag: string) => ({ url: `http://outside.test/${tag}/program`, prints: '1' }),
    },
    heard: (tags: readonly string[]) => new Map(tags.map((tag) => [tag, contacted.has(tag) ? [call(tag)] : []])),
    requests: () => requests,
  };
}

const textOf = ({ url, headers = [], body = '' }: PointRequest) =>
  decodeURIComponent([url, ...headers.map(([, value]) => value), Buffer.from(body).toString()].join('\n'));

const tagsIn = (request: PointRequest) =>
  [...textOf(request).matchAll(/outside\.test\/([a-z0-9-]+)/g)].map(([, tag = '']) => tag);

function readRequest(as: string | null, { method, url, headers = [], body = '' }: PointRequest): Asked {
  const { pathname, searchParams } = new URL(url);
  return {
    as,
    method,
    path: decodeURIComponent(pathname),
    query: searchParams,
    form: new URLSearchParams(Buffer.from(body).toString()),
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])),
  };
}
