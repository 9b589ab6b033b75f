import type { Over, StepDone } from '../../../engine/src/protocol/reporter.ts';
import { attemptInChild } from '../engine/engine-child.ts';
import { pentestOrder } from '../engine/pentest-orders.ts';
import type { Random } from '../start-once/random.ts';
import { type Answering, type RealTarget, startRealTarget, type Visit } from './targets.ts';

/** The requests that arrived at the target during one attempt at one step. */
interface Segment {
  step: number;
  asked: string[];
}

export interface Survived {
  steps: StepDone[];
  ended: Over;
  segments: Segment[];
  kills: number;
  /** Kills within a step after at least one of its requests had arrived. */
  inTheMiddle: number;
}

/** From the start of the process: longer than a step of these runs takes, and shorter than a run. */
const KILLED_WITHIN_MS = [1, 250] as const;
/** The engine skips a step after more failed attempts, so it is not killed that often. */
const MOST_ATTEMPTS = 3;

const BESIDE = ['referer', 'x-forwarded-for', 'x-forwarded-host', 'true-client-ip', 'accept-language', 'cookie'];

interface Asked {
  method: string;
  /** Path and query. */
  place: string;
  headers: Iterable<readonly [name: string, value: unknown]>;
  body: string;
}

/** Returns the same text for requests that differ only in random words and numbers. */
export function kindOf({ method, place, headers, body }: Asked): string {
  const beside = [...headers].filter(([name]) => BESIDE.includes(name.toLowerCase()));
  const named = beside.map(([name, value]) => `${name.toLowerCase()}: ${value}`).toSorted();
  return decoded([method, place, ...named, body].join(' '))
    .replaceAll(/[a-z]?[0-9a-f]{6,}/g, 'WORD')
    .replaceAll(/\d{4,}/g, 'NUMBER');
}

/** Percent-decodes the text, so that an escape before a word is not taken for a part of it. */
const decoded = (text: string) =>
  text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (part) => Buffer.from(part.replaceAll('%', ''), 'hex').toString('latin1'));

const kindOfVisit = ({ method, url, headers, body }: Visit) =>
  kindOf({ method, place: url.pathname + url.search, headers: Object.entries(headers), body });

/** Starts a target whose runs are killed at random moments. */
export async function createKilledRuns(answer: Answering, { random, compiled }: { random: Random; compiled: string }) {
  let segments: Segment[] = [];
  const target: RealTarget = await startRealTarget((visit) => {
    segments.at(-1)?.asked.push(kindOfVisit(visit));
    return answer(visit);
  });

  /** Runs once, with at most this many kills. */
  async function survive(mostKills: number): Promise<Survived> {
    const steps: StepDone[] = [];
    segments = [];
    let [kills, inTheMiddle, attempt] = [0, 0, 1];
    for (;;) {
      const before = steps.length;
      segments.push({ step: before, asked: [] });
      const state = steps.at(-1)?.state ?? null;
      const ended = await attemptInChild({
        order: pentestOrder(target.url, { attempt, deaths: attempt - 1, done: steps.map(({ name }) => name), state }),
        // The engine sends nothing more until the step is confirmed as saved.
        save(step) {
          steps.push(step);
          segments.push({ step: steps.length, asked: [] });
        },
        killAfter() {
          const mayKill = kills < mostKills && (steps.length > before || attempt < MOST_ATTEMPTS);
          return mayKill ? random.between(...KILLED_WITHIN_MS) : undefined;
        },
        compiled,
      });
      if (ended !== 'killed') return { steps, ended, segments, kills, inTheMiddle };
      kills++;
      if ((segments.at(-1)?.asked.length ?? 0) > 0) inTheMiddle++;
      attempt = steps.length > before ? 2 : attempt + 1;
    }
  }

  return { target, survive };
}
