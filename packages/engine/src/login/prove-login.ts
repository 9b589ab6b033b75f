import { isSame, toAnswer } from '../oracle/compare.ts';
import type { Session } from './session.ts';

/** A page that looks different to the account than to everybody: whoever sees the first is logged in. */
export interface LoginProof {
  url: string;
}

interface Proving {
  session: Session;
  visitor: Session;
  candidates: readonly string[];
}

const ROUNDS = 2;

/**
 * Finds a page whose answer to the account differs from its answer to a visitor, each time the same way. A page that
 * changes by itself proves nothing.
 */
export async function proveLogin({ session, visitor, candidates }: Proving): Promise<LoginProof | undefined> {
  for (const url of new Set(candidates)) {
    if (await differs(url, session, visitor)) return { url };
  }
  return undefined;
}

async function differs(url: string, session: Session, visitor: Session): Promise<boolean> {
  const look = async (as: Session) => {
    const exchange = await as.send({ method: 'GET', url });
    // A page that repeats the key in its own address tells nothing about the key.
    return toAnswer(exchange, [...new URL(exchange.request.url).searchParams].flat());
  };
  const inside = await look(session);
  const outside = await look(visitor);
  if (!inside || !outside || inside.status >= 400 || isSame(inside, outside)) return false;
  for (let round = 1; round < ROUNDS; round++) {
    // In the other order: two servers that take turns would look like two visitors.
    const [outsideAgain, insideAgain] = [await look(visitor), await look(session)];
    if (!insideAgain || !outsideAgain) return false;
    if (!isSame(inside, insideAgain) || !isSame(outside, outsideAgain)) return false;
  }
  return true;
}
