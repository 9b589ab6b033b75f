import { endpoints } from '@sortie/contract';
import type { Catalogue } from '../billing/catalogue.ts';
import type { Queries } from '../db/database.ts';
import { type Route, route } from '../http/route.ts';
import type { Start } from '../starts/starts.ts';
import { listFindings, listScans, readScan } from './read-scans.ts';
import { scanKind } from './scans.ts';
import { createScan, readScanUrl } from './start-scan.ts';

export function createScanRoutes(queries: Queries, startRun: Start, catalogue: Catalogue): Route[] {
  return [
    route(endpoints.startScan, ({ caller, body, start }) => {
      const scanned = readScanUrl(body.url);
      const request = { accountId: caller.accountId, userId: caller.userId, url: scanned.url, ...start };
      return startRun(scanKind, request, (tx, runId) => createScan(tx, runId, caller, scanned, catalogue));
    }),
    route(endpoints.listScans, ({ caller, query }) => listScans(queries, caller, query)),
    route(endpoints.getScan, ({ caller, params }) => readScan(queries, caller, params.id)),
    route(endpoints.listScanFindings, ({ caller, params, query }) => listFindings(queries, caller, params.id, query)),
  ];
}
