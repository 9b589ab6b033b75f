import type { Sender } from '../http/exchange/sender.ts';
import type { EgressEntry } from '../protocol/egress-entry.ts';
import type { OwnershipLook, OwnershipQuestion, OwnershipResult } from '../protocol/ownership-messages.ts';
import { lookForRecord, type RecordLookUp } from './by-dns.ts';
import { lookForFile, lookForTag } from './by-page.ts';

/** Network access of an ownership check. */
interface OwnershipTools {
  sender: Pick<Sender, 'send'>;
  resolver: RecordLookUp;
  /** Returns the connections that the sender made or refused. */
  egress?: () => EgressEntry[];
  /** For a run: checks whether the servers it contacts belong to the name. */
  lookAtServers?: (() => Promise<OwnershipLook>) | undefined;
}

/** Looks once for the token where the verification expects it. */
export async function checkOwnership(question: OwnershipQuestion, tools: OwnershipTools): Promise<OwnershipResult> {
  const look = await lookFor(question, tools);
  const servers = look.outcome === 'FOUND' ? await tools.lookAtServers?.() : undefined;
  const lookUps = [...look.lookUps, ...(servers?.lookUps ?? [])];
  return { ...look, ...(servers?.outcome !== 'FOUND' && servers), lookUps, egress: tools.egress?.() ?? [] };
}

function lookFor(question: OwnershipQuestion, { sender, resolver }: OwnershipTools): Promise<OwnershipLook> {
  const { method, token, coveredName, coveredOrigin } = question;
  if (method === 'dns' && coveredName !== null) return lookForRecord(coveredName, token, resolver);
  if (method === 'file' && coveredOrigin !== null) return lookForFile(coveredOrigin, token, sender);
  if (method === 'meta' && coveredOrigin !== null) return lookForTag(coveredOrigin, token, sender);
  throw new Error(`a verification by ${method} does not cover what this one covers`);
}
