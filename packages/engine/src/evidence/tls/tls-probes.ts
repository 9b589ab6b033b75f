import type { JudgedSocket, SendFailure } from '../../http/exchange/exchange.ts';
import type { Sender } from '../../http/exchange/sender.ts';
import { isSuiteOf, type SuiteClass } from './cipher-suites.ts';
import { type Hello, versions, writeHello } from './client-hello.ts';
import {
  decisiveNames,
  earlyHellos,
  furtherHellos,
  type HelloName,
  type Hellos,
  pick,
  together,
  type VersionName,
  versionHellos,
  weakHellos,
  without,
} from './hellos.ts';
import { readAnswer } from './server-answer.ts';
import type { ServerAnswer } from './server-messages.ts';

/** Responses of a server to hellos of every version. */
export interface TlsProbes {
  host: string;
  port: number;
  /** By probe. A missing entry was not sent, or follows from another response. */
  answers: Readonly<Answers>;
}

type Answers = Partial<Record<HelloName, ServerAnswer>>;

export interface TlsEndpoint {
  host: string;
  port: number;
}

const MAX_ANSWER = 65_536;
export const ANSWER_MS = 3_000;
const MAX_HELLOS = 24;
/**
 * Enough for a server that refuses every decisive probe by closing the connection. Together with `MAX_HELLOS`, it fits
 * the number of connections that a sender lends.
 */
const MAX_RETRIES = 11;
/** Strengths of a server, not probed if an earlier response already shows them. */
const merits = ['authenticated', 'forwardSecret'] as const satisfies SuiteClass[];

/** Sends one ClientHello and reads until the response is conclusive, or until the time or size limit. */
export function exchangeHello({ socket, signal }: JudgedSocket, hello: Buffer, ms: number): Promise<ServerAnswer> {
  return new Promise((resolve) => {
    const received = Buffer.alloc(MAX_ANSWER);
    let length = 0;
    const finish = (answer: ServerAnswer) => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose).destroy();
      signal.removeEventListener('abort', onSilence);
      resolve(answer);
    };
    const end = (how: 'CLOSED' | 'SILENT') => {
      const answer = readAnswer(received.subarray(0, length), how);
      if (answer) finish(answer);
    };
    const onClose = () => end('CLOSED');
    const onSilence = () => end('SILENT');
    const onData = (chunk: Buffer) => {
      length += chunk.copy(received, length);
      const answer = readAnswer(received.subarray(0, length), length === MAX_ANSWER ? 'CLOSED' : false);
      if (answer) finish(answer);
    };
    const timer = setTimeout(onSilence, ms);
    signal.addEventListener('abort', onSilence, { once: true });
    socket.on('data', onData).once('close', onClose).once('end', onClose).write(hello);
    if (signal.aborted) onSilence();
  });
}

/** Returns whether the server accepted exactly what the hello offered. */
function accepts(hello: Pick<Hello, 'version' | 'suites'>, answer: ServerAnswer | undefined): boolean {
  if (!answer || (answer.outcome !== 'HELLO' && answer.outcome !== 'RETRY')) return false;
  if (answer.version !== hello.version) return false;
  return hello.version === versions.ssl2 || hello.suites.includes(answer.suite ?? -1);
}

/** A server that selects something not offered is broken, so its response proves nothing. */
const isOffered = ({ version, suites }: Hello, answer: ServerAnswer) =>
  answer.suite === null ||
  answer.version === versions.ssl2 ||
  (suites.includes(answer.suite) && (answer.version ?? 0) <= version);

export const supportedVersions = (answers: TlsProbes['answers']) =>
  (Object.keys(versionHellos) as VersionName[]).filter((name) => accepts(versionHellos[name], answers[name]));

type SendHello = (hello: Hello) => Promise<ServerAnswer | undefined>;

/** Returns functions that send a hello and resolve to undefined if there is no connection or none is left. */
function createHelloSender(sender: Pick<Sender, 'openSocket'>, { host, port }: TlsEndpoint, answerMs: number) {
  let failure: SendFailure | undefined;
  let hellos = 0;
  let retries = 0;

  async function exchange(hello: Hello): Promise<ServerAnswer | undefined> {
    const bytes = writeHello(hello, host);
    const use = await sender.openSocket({ host, port, purpose: 'look' }, (judged) =>
      exchangeHello(judged, bytes, answerMs),
    );
    if (!use.failure) return isOffered(hello, use.value) ? use.value : { ...use.value, outcome: 'GARBAGE' };
    failure ??= use.failure;
    return undefined;
  }
  const sendHello: SendHello = async (hello) => (hellos++ < MAX_HELLOS ? exchange(hello) : undefined);
  const resendHello: SendHello = async (hello) => (retries++ < MAX_RETRIES ? exchange(hello) : undefined);
  /** Repeats the hello once if the connection was closed, which may have been a network error. */
  async function sendWithRetry(hello: Hello): Promise<ServerAnswer | undefined> {
    const answer = await sendHello(hello);
    return answer?.outcome === 'CLOSED' ? ((await resendHello(hello)) ?? { ...answer, outcome: 'DROPPED' }) : answer;
  }
  return { sendHello, resendHello, sendWithRetry, firstFailure: () => failure };
}

/**
 * Many servers refuse by closing the connection. For a decisive probe that counts as a refusal only if they close a
 * third connection as well and still accept a supported version afterwards; otherwise the answer becomes `DROPPED`.
 */
async function confirmRefusals(answers: Answers, list: Hellos, resendHello: SendHello): Promise<void> {
  const [control] = supportedVersions(answers);
  if (!control) return;
  const isClosed = (name: HelloName) => answers[name]?.outcome === 'CLOSED';
  const drop = (name: HelloName) => Object.assign(answers, { [name]: { ...answers[name], outcome: 'DROPPED' } });
  const closed = Object.entries(pick(list, decisiveNames.filter(isClosed))) as [HelloName, Hello][];
  await Promise.all(
    closed.map(async ([name, hello]) => {
      const answer = await resendHello(hello);
      if (answer) answers[name] = answer;
      else drop(name);
    }),
  );
  const refused = closed.map(([name]) => name).filter(isClosed);
  if (refused.length === 0) return;
  const hello = versionHellos[control];
  if (!accepts(hello, await resendHello(hello))) refused.forEach(drop);
}

export async function gatherTlsProbes(
  sender: Pick<Sender, 'openSocket'>,
  { host, port }: TlsEndpoint,
  answerMs = ANSWER_MS,
): Promise<TlsProbes | { failure: SendFailure }> {
  const answers: Answers = {};
  const { sendHello, resendHello, sendWithRetry, firstFailure } = createHelloSender(sender, { host, port }, answerMs);

  async function ask(name: HelloName, hello: Hello): Promise<void> {
    const isDecisive = decisiveNames.some((one) => one === name);
    const answer = await (isDecisive ? sendWithRetry(hello) : sendHello(hello));
    if (answer) answers[name] = answer;
  }
  const askAll = (list: Hellos) =>
    Promise.all(Object.entries(list).map(([name, hello]) => ask(name as HelloName, hello)));

  /** Sends one hello for all: a server that refuses it refuses each of them. */
  async function askTogether(list: Hellos): Promise<void> {
    if (Object.keys(list).length === 0) return;
    const answer = await sendWithRetry(together(Object.values(list)));
    const isRefused = answer?.outcome === 'ALERT' || answer?.outcome === 'CLOSED';
    const known = Object.entries(list).filter(([, hello]) => isRefused || accepts(hello, answer));
    for (const [name] of known) Object.assign(answers, { [name]: answer });
    await askAll(without(list, Object.fromEntries(known)));
  }

  const { tls12, tls13, ssl2, ...older } = versionHellos;
  const speaksNewest = () => supportedVersions(answers).some((name) => name === 'tls12' || name === 'tls13');
  const newest = askAll({ tls12, tls13 }).then(async () => {
    // Retries once: one lost connection does not prove that TLS is unavailable.
    if (!answers.tls12) await ask('tls12', tls12);
    if (speaksNewest()) await confirmRefusals(answers, { tls12, tls13 }, resendHello);
    return answers.tls12 ? earlyHellos(supportedVersions(answers)) : {};
  });
  const all = Promise.all([newest, askAll(older)]).then(async ([early]) => {
    if (!answers.tls12) return;
    if (!speaksNewest()) await confirmRefusals(answers, { tls12, tls13 }, resendHello);
    const further = without(furtherHellos(supportedVersions(answers)), early);
    const shown = Object.values(answers).map(({ suite }) => suite ?? 0);
    for (const merit of merits) if (shown.some((suite) => isSuiteOf(suite, merit))) delete further[merit];
    const weak = weakHellos(further);
    await Promise.all([askAll(without(further, weak)), askTogether(weak)]);
  });
  // No other probe depends on SSL 2.0, so it runs in parallel.
  await Promise.all([newest.then(askAll), all, ask('ssl2', ssl2)]);
  await confirmRefusals(answers, furtherHellos(supportedVersions(answers)), resendHello);
  if (!answers.tls12) return { failure: firstFailure() ?? { code: 'UNREACHABLE', message: 'Nothing answers.' } };
  return { host, port, answers };
}
