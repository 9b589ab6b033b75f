import { type AuditLogEntry, dashboardEndpoints } from '@sortie/contract';
import { listMembers } from '../accounts/accounts.ts';
import { type AuditEntry, listAudit, OPERATOR } from '../audit/audit.ts';
import { nextOffset } from '../db/paging.ts';
import { type DashboardRoute, route } from '../http/route.ts';
import type { DashboardContext } from './context.ts';

/** Kinds of records that customers must not see: those of reviews reveal findings before the report is released. */
const HIDDEN = ['review.', 'engine.', 'fault.'];

export function auditRoutes({ database: { queries } }: DashboardContext): DashboardRoute[] {
  return [
    route(dashboardEndpoints.listAudit, async ({ caller: { accountId }, query: { limit, offset, ...filter } }) => {
      const [found, members] = await Promise.all([
        listAudit(queries, { accountId, ...filter, hidden: HIDDEN, limit: limit + 1, offset }),
        listMembers(queries, accountId),
      ]);
      const names = new Map(members.map(({ userId, name }) => [userId, name]));
      return {
        entries: found.slice(0, limit).map((entry) => toEntry(entry, names)),
        nextOffset: nextOffset({ limit, offset }, found.length > limit),
      };
    }),
  ];
}

function toEntry({ id, at, actor, action, subject, details }: AuditEntry, names: Map<string, string>): AuditLogEntry {
  return { id, at: at.toISOString(), actor: toActor(actor, names), action, subject, details };
}

function toActor(actor: string, names: Map<string, string>): AuditLogEntry['actor'] {
  if (actor === OPERATOR) return { kind: 'operator', userId: null, name: null };
  if (!actor.startsWith('usr_')) return { kind: 'service', userId: null, name: null };
  return { kind: 'member', userId: actor, name: names.get(actor) ?? null };
}
